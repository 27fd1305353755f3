/* How a dictation gets from the microphone to the window, while any process may be killed at any instant.
 *
 * README.md next to this file says how to read and run it. In short: `make model`.
 *
 * A statement, or an `atomic` block, is one step that no other process sees half done: a transaction of the store, a request
 * to the X server, a change of a file. Between any two steps anything else may happen, a kill above all. What the
 * model knows and the programs do not (what the window shows, what the user asked for) is marked "ghost".
 */

#ifndef DICTATIONS
#define DICTATIONS 2        /* in the order in which they are spoken: the store's column `spoken` */
#endif
#ifndef CHARACTERS
#define CHARACTERS 3        /* of each text */
#endif
#ifndef BATCH
#define BATCH 2             /* typed between two reports of progress; 32 in TypingPlan */
#endif
#ifndef REQUESTS
#define REQUESTS 2          /* how often the user may ask for something, all in all */
#endif
#ifndef INSERTERS
#define INSERTERS 1         /* the role's lock lets one live at a time; 2: as if there were no such lock */
#endif

#ifndef RESOLVERS
#define RESOLVERS 1         /* hosts and dictstates that look at claims while the inserter starts */
#endif

#ifndef STOPS
#define STOPS 1             /* how often the window stands still, with STANDSTILL */
#endif

#define NONE 255

/* Shared/Models: DictationStatus and, from `ready` on, Delivery. `absent` is a row that is not there. */
mtype = { absent, starting, recording, processing, failed, pending, claimed, inserted, held, discarded };

/* ---- The store: changed within one transaction at a time (StateStore.write) ---- */

mtype state[DICTATIONS] = absent;
byte count[DICTATIONS];         /* insertedCount */
byte claim[DICTATIONS];         /* which claim of this dictation it is: no two have the same number */
byte claimant[DICTATIONS];      /* which process slot made it, ... */
bit isOrphan[DICTATIONS];       /* ... and whether it is dead: Claimant names it by boot, pid and start time */

/* ---- The disk ---- */

bit audio[DICTATIONS];          /* audio/<id>.wav */

/* ---- The X server: requests are carried out in order, and the keys of a batch while it serves no other client ---- */

bit isGrabbed;                  /* XGrabServer: until its batch is through, or its client is gone */
byte batchOf;                   /* the dictation */
byte batchClaim;
byte batchNext;                 /* the next character */
byte batchEnd;
bit isCut;                      /* the end of the batch, and its report, were never sent */
byte progressOf;                /* the property of the root window: which dictation, */
byte progressClaim;             /* which claim of it, */
byte progressCount;             /* and how many characters */
#ifdef DISPLAY_LOST
bit displayWasLost;             /* once */
#endif

#ifdef STANDSTILL
/* ---- The window: reads keys in their order, when it likes, with the keyboard map of that moment ---- */

bit isStill;                    /* stopped, swapping, busy: it reads nothing, and answers nothing */
byte stopsLeft = STOPS;
byte queueOf;                   /* what was sent and not read: keys of one text, ... */
byte queueNext;                 /* ... from here ... */
byte queueEnd;                  /* ... to here */
bit isBound;                    /* whether the keys in the queue still mean their characters */

/* Notes in the X server of keys that are no longer waited for (UnreadTexts, TypingJournal.setAside). */
bit isSetAside;                 /* the window has not read; its keys stay bound */
byte setAsideOf;
byte note[DICTATIONS];          /* how far a text is when its keys are read; 0 for no note */

#define isAllRead (queueNext == queueEnd)
/* Read since; the store does not know yet. */
#define isLate(d) (note[d] > 0 && !(isSetAside && setAsideOf == d))

/* ---- What the user asks for, by what was seen then (Intent.insert, Intent.insertAgain) ---- */

byte asked = NONE;
bit isAskedAgain;               /* all of it once more, because it was inserted; otherwise the rest */
byte seenClaim;
#endif

/* ---- Processes ---- */

byte nextToSpeak;
byte beingRecorded = NONE;      /* by the present host; one at a time */
bit isOwn[DICTATIONS];          /* begun by the present host, not by one that is dead */
bit isCalm;                     /* from here on, no process is killed any more */
byte requestsLeft = REQUESTS;    /* of the user, for texts that are held, or once more for others */
chan death[INSERTERS] = [0] of { bit };

/* ---- Ghosts ---- */

byte shown[DICTATIONS];         /* characters that the window shows, of what the user has asked for */
bit isBrokenOff[DICTATIONS];    /* its inserter died; not to be typed on before the user says so */
bit wasAsked[DICTATIONS];       /* typed at the user's word: the order is theirs */
bit windowIsGone[DICTATIONS];   /* what it showed went with the display */
byte lastUnasked;               /* the last dictation of which a character was typed unasked */

#if DICTATIONS > 2
#define isAnyPending (state[0] == pending || state[1] == pending || state[2] == pending)
#define isSettled (!isUnfinished(0) && !isUnfinished(1) && !isUnfinished(2))
#else
#define isAnyPending (state[0] == pending || state[1] == pending)
#define isSettled (!isUnfinished(0) && !isUnfinished(1))
#endif
#define isClaimedByTheDead(d) (state[d] == claimed && isOrphan[d])
#define needsHost(d) (state[d] == starting || state[d] == recording || state[d] == processing)
#define isUnfinished(d) (needsHost(d) || state[d] == pending || state[d] == claimed)
#define hasText(d) (state[d] == pending || state[d] == claimed || state[d] == inserted || state[d] == held \
    || state[d] == discarded)

/* Nothing spoken is lost: what was spoken is on the disk, or its text is in the store. */
inline checkKept() {
    d_step {
        kept = 0;
        do
        :: kept < DICTATIONS ->
            if
            :: kept < nextToSpeak -> assert(audio[kept] || hasText(kept))
            :: else
            fi;
            kept++
        :: else -> break
        od;
        kept = 0
    }
}

/* A character appears in the window. */
inline appear(d, position) {
    if
    :: windowIsGone[d] ->
        /* A new window. What only the old one showed may come again; nothing may be missing. */
        assert(position <= shown[d]);
        windowIsGone[d] = 0
    :: else ->
        assert(position >= shown[d]);       /* nothing is typed twice */
        assert(position <= shown[d])        /* nothing is left out */
    fi;
    shown[d] = position + 1;
    if
    :: wasAsked[d]
    :: else ->
        assert(d >= lastUnasked);           /* none overtakes another */
        lastUnasked = d
    fi
}

/* ---- The host: HostAgent/DictationAgent.swift. One process for each dictation; all die together. ---- */

proctype Host(byte d) {
end:
    do
    /* SpeechService.begin: the microphone is open, the first frame is in the file. */
    :: atomic { beingRecorded == NONE && nextToSpeak == d ->
        audio[d] = 1; beingRecorded = d; isOwn[d] = 1; nextToSpeak++ }
    /* StateStore.begin */
    :: atomic { isOwn[d] && beingRecorded == d && state[d] == absent -> state[d] = starting }
    /* audioArrived: .recordingStarted */
    :: atomic { isOwn[d] && state[d] == starting -> state[d] = recording }
    /* .finish: .processingStarted */
    :: atomic { isOwn[d] && state[d] == recording -> state[d] = processing; beingRecorded = NONE }
#ifdef AUDIO_REMOVED_EARLY
    :: atomic { isOwn[d] && state[d] == processing -> audio[d] = 0 }
#endif
    /* deliver: .recognized, or .failed with the audio kept */
    :: atomic { isOwn[d] && state[d] == processing ->
        if
        :: state[d] = pending
        :: state[d] = failed
        fi }
#ifndef NO_RECOVERY_OF_RECORDINGS
    /* recoverAndCleanUp: what an earlier host left is recognized from its file; its text is held. */
    :: atomic { !isOwn[d] && needsHost(d) && audio[d] ->
        if
        :: state[d] = held
        :: state[d] = failed
        fi }
    :: atomic { !isOwn[d] && needsHost(d) && !audio[d] -> state[d] = failed }
#endif
    od
}

/* ---- A claim whose owner is dead: resolved by any process that sees it, and by several at once ---- */

inline release(d, seen, known) {
    /* Outside of any transaction: whose claim is it, and does its owner live? */
    if
#ifdef RELEASE_THE_LIVING
    :: atomic { state[d] == claimed -> seen = claim[d] }
#else
    :: atomic { isClaimedByTheDead(d) -> seen = claim[d] }
#endif
        /* The property is read over another connection. The server answers when it is not grabbed: not before
         * it has carried out, or thrown away, all that the dead one had sent. */
        atomic {
#ifdef NO_SERVER_GRAB
            true ->
#else
            !isGrabbed ->
#endif
            known = 0;
#ifndef NO_PROPERTY
            if
#ifdef STANDSTILL
            /* What the window has not read does not count. */
            :: isSetAside && setAsideOf == d
#endif
#ifdef PROPERTY_OF_ANY_CLAIM
            :: known = progressCount
#else
#ifdef STANDSTILL
            :: !(isSetAside && setAsideOf == d) && progressOf == d && progressClaim == seen ->
#else
            :: progressOf == d && progressClaim == seen ->
#endif
                known = progressCount
#endif
            :: else
            fi
#endif
        };
        /* One transaction: if it is the same claim still, the larger of the two counts is what was typed. */
        atomic {
            if
#ifdef RELEASE_ANY_CLAIM
            :: state[d] == claimed ->
#else
            :: state[d] == claimed && claim[d] == seen ->
#endif
                if
                :: known > count[d] -> count[d] = known
                :: else
                fi;
#ifdef REQUEUE_ON_RECOVERY
                state[d] = pending
#else
                state[d] = held
#endif
            :: else
            fi;
            seen = 0; known = 0
        }
    :: else
    fi
}

/* The host, or dictstate. It may look at any time, or never: nothing may depend on it. */
proctype Resolver() {
    byte d, seen, known;
end:
    do
#ifdef RELEASE_THE_LIVING
    :: atomic { state[0] == claimed -> d = 0 }
    :: atomic { state[1] == claimed -> d = 1 }
#else
    :: atomic { isClaimedByTheDead(0) -> d = 0 }
    :: atomic { isClaimedByTheDead(1) -> d = 1 }
#if DICTATIONS > 2
    :: atomic { isClaimedByTheDead(2) -> d = 2 }
#endif
#endif
        if
        :: release(d, seen, known)
        :: skip
        fi;
        d = 0
    od
}

/* ---- The inserter: InsertAgent/InsertionAgent.swift ---- */

/* StateStore.claimNext, in its transaction: the oldest that is unfinished, if it is pending. */
inline findNext(d) {
    d = 0;
    do
#ifdef CLAIM_OVERTAKES
    :: d < DICTATIONS && state[d] != pending -> d++
#else
    :: d < DICTATIONS && !isUnfinished(d) -> d++
#endif
    :: else -> break
    od;
    if
    :: d < DICTATIONS && state[d] != pending -> d = DICTATIONS
    :: else
    fi
}

inline takeClaim(d) {
    /* What was broken off is typed on at the user's word only. */
    assert(!isBrokenOff[d]);
    claim[d]++; mine = claim[d]; claimant[d] = me; isOrphan[d] = 0; state[d] = claimed
}

/* .requeued: from the count on; from the start if it was inserted or discarded. Then the user sees it again. */
inline requeue(d) {
    if
    :: state[d] == held -> state[d] = pending; isBrokenOff[d] = 0; wasAsked[d] = 1
    :: state[d] == inserted || state[d] == discarded ->
        state[d] = pending; count[d] = 0; isBrokenOff[d] = 0; wasAsked[d] = 1; shown[d] = 0; windowIsGone[d] = 0
    :: else                     /* TransitionRefused, or pending anyway */
    fi
}

#ifdef STANDSTILL
/* TypedCounts.countLateReadings: the store first, then the note goes. */
inline countLate(d) {
    atomic {
        if
#ifdef COUNT_HELD_ONLY
        :: state[d] == held && note[d] > count[d] ->
#else
        :: (state[d] == held || state[d] == pending) && note[d] > count[d] ->
#endif
            count[d] = note[d];
            if
            :: count[d] == CHARACTERS -> assert(shown[d] == CHARACTERS); state[d] = inserted
            :: else
            fi
        :: else
        fi };
    atomic { note[d] = 0 }
}

/* Predecessors: waits until the window has read what a dead typist has sent, or gives up and takes that over. */
inline takeOver() {
    if
#ifdef SUCCESSOR_UNBINDS
    :: atomic { !isGrabbed -> isBound = 0 }
#else
    :: atomic { !isGrabbed && isAllRead -> isBound = 0; isSetAside = 0 }
    :: atomic { !isGrabbed && !isAllRead && isStill ->
        if
        :: isSetAside
        :: else -> isSetAside = 1; setAsideOf = queueOf; note[queueOf] = queueEnd
        fi }
#endif
    fi
}

/* The request was made by what the user saw then, and is carried out by what is so now. */
inline carryOutAsked(d) {
    if
    :: isAskedAgain && !(state[d] == inserted && claim[d] == seenClaim)     /* refused: it has changed */
#ifdef INSERT_WITHOUT_STATE
    /* Whoever asked for the rest gets all of it, once more. */
    :: !isAskedAgain && state[d] == inserted -> state[d] = pending; count[d] = 0; wasAsked[d] = 1
#else
    :: !isAskedAgain && state[d] == inserted                                /* refused: all of it was inserted */
#endif
    :: else -> requeue(d)
    fi;
    asked = NONE; isAskedAgain = 0; seenClaim = 0
}
#endif

proctype Inserter(byte me) {
    byte d, mine, done, seen, known;
again:
    {
#ifdef STANDSTILL
        takeOver();
#endif
        /* Before its first claim: what a dead inserter had claimed. */
#ifndef NO_RELEASE_AT_START
        d = 0;
        do
        :: d < DICTATIONS -> release(d, seen, known); d++
        :: else -> d = 0; break
        od;
#endif
#ifdef STANDSTILL
        do
        :: d < DICTATIONS ->
            if
            :: isLate(d) -> countLate(d)
            :: else
            fi;
            d++
        :: else -> d = 0; break
        od;
#endif
end:
        do
#ifdef STANDSTILL
        :: atomic { asked != NONE && !isLate(asked) -> carryOutAsked(asked) }
        /* ReadingWatch, UnreadTexts.settle: the window has read its keys, and the map goes back. */
        :: atomic { isSetAside && isAllRead -> isSetAside = 0; isBound = 0 }
        :: isLate(0) -> countLate(0)
        :: isLate(1) -> countLate(1)
#else
        /* takeIntents, and handle: `insert` and `discard`. What lies in the store as an intent changes nothing before
         * it is taken; taken by one that is killed before it has carried it out, it is refused, as if never asked. */
        :: atomic { requestsLeft > 0 && hasText(0) -> requestsLeft--; requeue(0) }
        :: atomic { requestsLeft > 0 && hasText(1) -> requestsLeft--; requeue(1) }
#if DICTATIONS > 2
        :: atomic { requestsLeft > 0 && hasText(2) -> requestsLeft--; requeue(2) }
        :: atomic { requestsLeft > 0 && (state[2] == held || state[2] == pending) ->
            requestsLeft--; state[2] = discarded }
#endif
        :: atomic { requestsLeft > 0 && (state[0] == held || state[0] == pending) ->
            requestsLeft--; state[0] = discarded }
        :: atomic { requestsLeft > 0 && (state[1] == held || state[1] == pending) ->
            requestsLeft--; state[1] = discarded }
#endif
#ifdef CLAIM_WITHOUT_TRANSACTION
        /* Found in one step, claimed in the next. */
        :: atomic { state[0] == pending || (!isUnfinished(0) && state[1] == pending) -> findNext(d) };
            atomic { takeClaim(d); done = count[d] };
            goto deliver
#else
        :: atomic { isAnyPending -> findNext(d);
            if
            :: d == DICTATIONS -> d = 0
            /* It has waited longer than anybody's patience. */
            :: d < DICTATIONS -> state[d] = held; d = 0
            :: d < DICTATIONS -> takeClaim(d); done = count[d]; goto deliver
            fi }
#endif
        od;

deliver:
#ifdef STANDSTILL
        /* TypingDisplay.target: nothing is sent after keys that the window has not read, and nothing of a text of
         * which the window has read more than the store knows. */
        if
        :: !isSetAside
        :: atomic { isSetAside && isAllRead -> isSetAside = 0; isBound = 0 }
        :: isSetAside && isStill -> goto notResponding
        fi;
#ifndef TYPE_BEFORE_LATE_READING
        if
        :: isLate(d) && note[d] > done -> goto notResponding
        :: else
        fi;
#endif
#endif
        do
        :: done == CHARACTERS -> break
        /* DeliveryPolicy.decide, TypingRun.send: no focus, another focus, a closed window. The count is what
         * the server has confirmed, and the rest is held. */
        :: done < CHARACTERS ->
            atomic {
                if
                :: state[d] == claimed && claim[d] == mine -> count[d] = done
                :: else
                fi };
            atomic {
                if
                :: state[d] == claimed && claim[d] == mine ->
                    state[d] = held
                :: else
                fi };
            goto delivered
        /* TypingRun.send: the grab was confirmed by a reply; then keys, the report of progress and the end of
         * the grab go out in a single write, which the kernel takes whole or not at all. */
        :: atomic { done < CHARACTERS && !isGrabbed ->
#ifdef PROGRESS_BEFORE_KEYS
            count[d] = (done + BATCH < CHARACTERS -> done + BATCH : CHARACTERS)
        };
        atomic { !isGrabbed ->
#endif
            /* One types at a time, and only what it has claimed. */
            assert(state[d] == claimed && claimant[d] == me && claim[d] == mine);
            isGrabbed = 1; batchOf = d; batchClaim = mine; batchNext = done;
            batchEnd = (done + BATCH < CHARACTERS -> done + BATCH : CHARACTERS);
#ifdef STANDSTILL
            isBound = 1; note[d] = 0;
#endif
            isCut = 0 };
#ifdef STANDSTILL
            /* The read barrier, after the keys. A window that does not answer is no longer waited for; what was sent to it is
             * set aside before the store says so. */
            if
#ifdef COUNT_WHAT_WAS_SENT
            :: atomic { !isGrabbed -> skip }
#else
            :: atomic { !isGrabbed && isAllRead -> isBound = 0 }
#endif
            :: atomic { !isGrabbed && !isAllRead && isStill ->
                isSetAside = 1; setAsideOf = d; note[d] = queueEnd;
#ifdef UNBIND_UNREAD
                isBound = 0;
#endif
                goto notResponding }
            fi;
#endif
            /* XSync: the server has carried it all out. If the display was lost instead, this agent was too. */
            atomic { !isGrabbed -> done = (done + BATCH < CHARACTERS -> done + BATCH : CHARACTERS) };
            /* .progress; refused if the claim is not its own any more, and then it types no further. */
            atomic {
                if
                :: state[d] == claimed && claim[d] == mine -> count[d] = done
                :: else -> goto delivered
                fi }
        od;
        /* .inserted */
        atomic {
            if
            :: state[d] == claimed && claim[d] == mine ->
                assert(shown[d] == CHARACTERS);
                state[d] = inserted; count[d] = CHARACTERS
            :: else
            fi };
#ifdef STANDSTILL
        goto delivered;
notResponding:
        atomic {
            if
            :: state[d] == claimed && claim[d] == mine -> state[d] = held
            :: else
            fi };
#endif
delivered:
        atomic { d = 0; mine = 0; done = 0 };
        goto end
    } unless { atomic { death[me]?1 -> d = 0; mine = 0; done = 0; seen = 0; known = 0 } };
    /* Started again: a process that no claim names. */
    goto again
}

/* ---- The X server ---- */

proctype XServer() {
end:
    do
#ifdef STANDSTILL
    :: atomic { isGrabbed && batchNext < batchEnd ->
        if
        :: isAllRead -> queueOf = batchOf; queueNext = batchNext
        :: else
        fi;
        batchNext++; queueEnd = batchNext }
#else
    :: atomic { isGrabbed && batchNext < batchEnd -> appear(batchOf, batchNext); batchNext++ }
#endif
    :: atomic { isGrabbed && batchNext == batchEnd ->
        if
        :: isCut
        :: else -> progressOf = batchOf; progressClaim = batchClaim; progressCount = batchEnd
        fi;
        isGrabbed = 0; batchOf = 0; batchClaim = 0; batchNext = 0; batchEnd = 0; isCut = 0 }
    od
}

#ifdef STANDSTILL
/* ---- The application ---- */

proctype Window() {
end:
    do
    :: atomic { !isStill && !isAllRead ->
        assert(isBound);                    /* by any other map it would be another character, or none */
        appear(queueOf, queueNext); queueNext++;
        if
        :: isAllRead -> queueOf = 0; queueNext = 0; queueEnd = 0
        :: else
        fi }
    :: atomic { !isStill && stopsLeft > 0 -> stopsLeft--; isStill = 1 }
    :: atomic { isStill -> isStill = 0 }
    od
}

/* ---- The user: looks, and asks for what is missing, or for all of it again ---- */

proctype User() {
    byte d;
end:
    do
    :: atomic { requestsLeft > 0 && asked == NONE ->
        if
        :: d = 0
        :: d = 1
        fi;
        if
        :: state[d] == held -> asked = d; requestsLeft--
        :: state[d] == inserted -> asked = d; isAskedAgain = 1; seenClaim = claim[d]; requestsLeft--
        :: else
        fi;
        d = 0 }
    od
}

/* Texts without a microphone: `dictstate insert --file`. */
proctype Texts(byte d) {
    atomic { nextToSpeak == d -> state[d] = pending; nextToSpeak++ }
}
#endif

/* ---- What may go wrong, at any instant ---- */

/* A dead process, one that is started again, and one that does nothing are the same to all others; so it dies and is
 * started again in one step, and may take its next step as late as it likes. */
inline killInserter(i) {
    victim = 0;
    do
    :: victim < DICTATIONS ->
        if
        :: state[victim] == claimed && claimant[victim] == i ->
            isOrphan[victim] = 1; isBrokenOff[victim] = 1
        :: else
        fi;
        victim++
    :: else -> break
    od;
    victim = 0;
    death[i]!1
}

proctype Fate() {
    byte victim, kept;
end:
    do
    :: atomic { !isCalm ->
        beingRecorded = NONE;
        do
        :: victim < DICTATIONS -> isOwn[victim] = 0; victim++
        :: else -> victim = 0; break
        od;
        checkKept() }
    :: atomic { !isCalm ->
#ifdef SPLIT_WRITE
        /* Some of the batch was sent in a first write; its rest was not. */
        do
        :: isGrabbed && batchEnd > batchNext -> batchEnd--; isCut = 1
        :: isGrabbed -> isCut = 1; break
        :: break
        od;
#endif
        killInserter(0) }
#if INSERTERS > 1
    :: atomic { !isCalm -> killInserter(1) }
#endif
#ifdef DISPLAY_LOST
    /* The display goes, with its windows, its properties, and all who are connected to it. */
    :: atomic { !isCalm && !displayWasLost ->
        displayWasLost = 1;
        isGrabbed = 0; batchOf = 0; batchClaim = 0; batchNext = 0; batchEnd = 0; isCut = 0;
        progressOf = 0; progressClaim = 0; progressCount = 0;
        do
        :: victim < DICTATIONS ->
            if
            :: state[victim] == claimed -> windowIsGone[victim] = 1
            :: else
            fi;
            victim++
        :: else -> victim = 0; break
        od;
        killInserter(0) }
#endif
    :: atomic { !isCalm -> isCalm = 1; break }
    od
}

init {
    byte i;
    atomic {
        do
#ifdef STANDSTILL
        :: i < DICTATIONS -> run Texts(i); i++
#else
        :: i < DICTATIONS -> run Host(i); i++
#endif
        :: else -> i = 0; break
        od;
        do
        :: i < INSERTERS -> run Inserter(i); i++
        :: else -> i = 0; break
        od;
        do
        :: i < RESOLVERS -> run Resolver(); i++
        :: else -> i = 0; break
        od;
        run XServer();
#ifdef STANDSTILL
        run Window();
        run User();
#endif
        run Fate()
    }
}

/* Nothing sticks: once the kills end, everything that was spoken comes to rest. */
#ifdef LIVENESS
ltl nothingSticks { [] (isCalm -> <> isSettled) }
#endif
