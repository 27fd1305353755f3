/* A text that is typed while it is being spoken, while any process may be killed at any instant (Shared/Models/Growth.swift).
 *
 * delivery.pml next to this file has all that is the same for every text: the order of texts, the batches of keys, the server
 * grab, windows that read late. Here is one text that grows, and what the end of the recording makes of it. README.md says
 * how to read and run it.
 *
 * The words may become others while they are typed: each character of the text and of the window has a version, that of what
 * was settled first, of what is heard later (REVISIONS times), or of the whole text. What is typed stays, and what follows it
 * is of the newer version; or the inserter mends it: it removes what is otherwise by BackSpaces, and goes on from there.
 */

#ifndef CHARACTERS
#define CHARACTERS 3
#endif
#ifndef REQUESTS
#define REQUESTS 2
#endif
#ifndef INSERTERS
#define INSERTERS 1
#endif
#ifndef REVISIONS
#define REVISIONS 1
#endif

mtype = { recording, failed, pending, claimed, inserted, held };
/* Growth */
mtype = { none, open, leased, halted };

/* ---- The store ---- */

mtype phase = recording;
mtype growth = none;
byte settled;                   /* the length of what is settled: cleanedText while it is spoken */
byte text[CHARACTERS];          /* the version of each character of it */
byte wish;                      /* the version of revisedText; 0 if there is none */
byte wishFrom;                  /* from which character on it is otherwise */
byte count;                     /* insertedCount */
byte claim;                     /* of the lease, or of the text that is ready */
byte claimant;
bit isOrphan;

/* ---- The X server's count of keys (delivery.pml: the property of the root window) ---- */

byte progressClaim;
byte progressCount;             /* how many are there */
bit isRemoval;                  /* whether it counts BackSpaces */

/* ---- Processes ---- */

bit isOwn = 1;                  /* the host that records lives */
bit isCalm;
byte version;                   /* the newest that anybody has heard */
byte requestsLeft = REQUESTS;
chan death[INSERTERS] = [0] of { bit };

/* ---- Ghosts ---- */

byte shown;                     /* characters in the window */
byte window[CHARACTERS];        /* the version of each */
bit knows[INSERTERS];           /* whether an inserter has typed there itself: if not, it removes nothing */
bit isBrokenOff;                /* its inserter died in the middle; not to be typed on before the user says so */
byte isTyping;                  /* whose claim is typed at this moment */

#define isBeingSpoken (phase == recording)
#define isLeasedByTheDead (growth == leased && isOrphan)
#define isClaimedByTheDead (phase == claimed && isOrphan)
#define isUnfinished (phase == recording || phase == pending || phase == claimed || growth == leased)

byte place;                     /* of the loops below, which are one step each */

/* Of the characters that count as typed none is otherwise in the window. */
inline checkKept() {
    do
    :: place < count && place < shown -> assert(window[place] == text[place]); place++
    :: else -> break
    od;
    place = 0
}

/* The text is of the newest version from a character on. */
inline rewrite(first) {
    place = first;
    do
    :: place < CHARACTERS -> text[place] = version; place++
    :: else -> break
    od;
    place = 0
}

/* Whatever is typed of it by now may be otherwise: an inserter may mend that (DictationState.revisedText). */
inline wishAny(limit) {
    wish = 0; wishFrom = 0;
    if
    :: true
    :: limit > 0 ->
        wish = version;
        do
        :: wishFrom < limit - 1 -> wishFrom++
        :: true -> break
        od
    fi
}

/* DictationState.endGrowth, of a dictation without a text: what is typed is left. */
inline endGrowth() {
    if
    :: growth == leased
    :: growth == open -> settled = count; growth = none
    :: else -> growth = none
    fi
}

/* DictationState.take: the whole text, which may be otherwise from any character on, even shorter; here it has always as many,
 * as its length is not what matters. */
inline takeWhole(wanted) {
    version++;
    if
#ifdef FINAL_ENDS_LEASE
    :: rewrite(count); wish = 0; wishFrom = 0
#else
    :: growth == open -> rewrite(count); wishAny(count)
    :: growth != open -> rewrite(settled); wishAny(settled)
#endif
    fi;
    checkKept();
    if
    :: growth == halted -> phase = held; growth = none
    :: growth != halted && wanted == held ->
        phase = held;
        if
        :: growth == leased
        :: else -> growth = none
        fi
    :: growth != halted && wanted != held -> phase = wanted
    fi;
#ifdef FINAL_ENDS_LEASE
    if
    :: growth == leased -> growth = open
    :: else
    fi;
#endif
    settled = CHARACTERS;
    endWish()
}

/* DictationState.mayBeMended. */
inline endWish() {
    if
    :: (phase == claimed || (phase == pending && (growth == open || growth == leased)) ||
        (isBeingSpoken && (growth == open || growth == leased)))
    :: else -> wish = 0; wishFrom = 0
    fi
}

/* ---- The host ---- */

proctype Host() {
end:
    do
    /* .grown */
    :: atomic { isOwn && isBeingSpoken && settled < CHARACTERS - 1 ->
        settled++;
        if
        :: growth == none -> growth = open
        :: else
        fi }
    /* .regrown */
    :: atomic { isOwn && isBeingSpoken && settled > 0 && version < REVISIONS ->
        version++;
        if
#ifdef REGROWN_CHANGES_WHAT_IS_CLAIMED
        :: growth != halted -> rewrite(count); wishAny(count)
#else
        :: growth == open -> rewrite(count); wishAny(count)
        :: growth == leased -> rewrite(settled); wishAny(settled)
#endif
        :: growth == halted -> rewrite(settled)
        fi }
    /* .recognized, or held because a command has asked for it; .failed */
    :: atomic { isOwn && isBeingSpoken ->
        if
        :: takeWhole(pending)
        :: takeWhole(held)
        :: phase = failed; endGrowth()
        fi }
    /* resolveDeadHost, by any process that sees it; then the recording is recognized, and its text held. */
    :: atomic { !isOwn && isBeingSpoken ->
        phase = failed;
#ifdef FAILURE_ENDS_LEASE
        growth = none
#else
        endGrowth()
#endif
        }
    :: atomic { phase == failed -> takeWhole(held) }
    od
}

/* ---- The inserter ---- */

/* DictationState.release: the inserter lets go. */
inline letGo(reason) {
    if
    :: isBeingSpoken -> growth = reason
    :: phase == pending && count == CHARACTERS && wish == 0 ->
        growth = none; assert(shown == CHARACTERS); phase = inserted
    :: phase == pending && (count < CHARACTERS || wish != 0) ->
        if
        :: reason == halted -> phase = held; growth = none
        :: else -> growth = open
        fi
    :: phase == failed ->
        growth = reason;
        endGrowth()
    :: else -> growth = none
    fi;
    endWish()
}

/* DictationState.mend: what is left stays, and the revised text follows it. */
inline mend() {
    place = count;
    do
    :: place < CHARACTERS -> text[place] = wish; place++
    :: else -> break
    od;
    place = 0; wish = 0; wishFrom = 0
}

/* The state as the inserter has it from a transaction of its own: it types what that has. */
inline look() {
    next = count; seen = wish; first = wishFrom;
    if
    :: claim == mine && growth == leased && isBeingSpoken -> end_ = settled
    :: claim == mine && (phase == claimed || (growth == leased && phase == pending)) -> end_ = CHARACTERS
    /* Canceled or held in the meantime: no more of it is typed. */
    :: else -> end_ = next
    fi;
    do
    :: place < CHARACTERS -> mineText[place] = text[place]; place++
    :: else -> break
    od;
    place = 0
}

inline forget() {
    mine = 0; next = 0; end_ = 0; seen = 0; first = 0;
    do
    :: place < CHARACTERS -> mineText[place] = 0; place++
    :: else -> break
    od;
    place = 0
}

proctype Inserter(byte me) {
    byte mine, next, end_, seen, first;
#ifdef COUNT_OF_THE_CLAIM
    byte was;
#endif
    byte mineText[CHARACTERS];
again:
    {
        /* StateStore.releaseClaims, with what the display knows; then holdContinued. */
        atomic {
            if
            :: (isLeasedByTheDead || isClaimedByTheDead) ->
#ifndef COUNT_OF_THE_STORE
                if
                :: progressClaim == claim && !isRemoval && progressCount > count -> count = progressCount
                :: else
                fi;
#endif
#ifndef REMOVAL_NOT_COUNTED
                if
                :: progressClaim == claim && isRemoval && progressCount < count -> count = progressCount
                :: else
                fi;
#endif
                if
#ifdef GOES_ON_BY_ITSELF
                :: growth == leased -> letGo(open)
#else
                :: growth == leased -> letGo(halted)
#endif
                :: else ->
                    if
                    :: count == CHARACTERS -> phase = inserted
                    :: else -> phase = held
                    fi
                fi;
                endWish()
            :: else
            fi };
        atomic {
            if
            :: growth == open && count > 0 && INSERTERS == 1 ->
                if
                :: isBeingSpoken -> growth = halted
                :: phase == pending -> phase = held; growth = none
                :: else
                fi;
                endWish()
            :: else
            fi };
end:
        do
        /* The user asks for the rest. */
        :: atomic { requestsLeft > 0 && phase == held && growth != leased ->
            requestsLeft--; phase = pending; isBrokenOff = 0 }
        :: atomic { requestsLeft > 0 && isBeingSpoken && growth == halted ->
            requestsLeft--; growth = open; isBrokenOff = 0 }
        /* claimNext: what is settled and not typed; or the text that is ready. */
#ifdef CLAIM_IN_TWO_STEPS
        :: atomic { isBeingSpoken && growth == open && (count < settled || wish != 0) -> next = count };
            atomic {
                assert(!isBrokenOff);
                claim++; mine = claim; claimant = me; isOrphan = 0; growth = leased;
                seen = next; look(); next = seen; seen = wish };
            goto mending
#else
        :: atomic { isBeingSpoken && growth == open && (count < settled || wish != 0) ->
            assert(!isBrokenOff);
            claim++; mine = claim; claimant = me; isOrphan = 0; growth = leased; look() };
            goto mending
#endif
        :: atomic { phase == pending && growth != leased ->
            assert(!isBrokenOff);
            claim++; mine = claim; claimant = me; isOrphan = 0; phase = claimed; growth = none; look() };
            goto mending
        od;

        /* TextDelivery.mend. */
mending:
#ifdef COUNT_OF_THE_CLAIM
        was = next;
#endif
        do
        :: seen == 0 -> break
        :: seen != 0 ->
#ifdef MENDED_FIRST
            atomic {
                if
                :: claim == mine && wish == seen && knows[me] ->
                    count = (first < count -> first : count); mend()
                :: else
                fi };
#endif
            do
            /* All of it is removed, or the typist may remove nothing any more. */
            :: true -> break
            /* A BackSpace, which the server counts. */
            :: atomic { shown > first && knows[me] ->
                assert(claim == mine);
                shown--;
                window[shown] = 0;
                progressClaim = mine; progressCount = shown; isRemoval = 1 };
                /* .undone */
                atomic {
                    if
                    :: claim == mine && (growth == leased || phase == claimed) && shown < count -> count = shown
                    :: else
                    fi }
            /* The focus moves. */
            :: goto halt
            od;
            /* .mended, which is refused if other words were recognized in the meantime. */
            atomic {
                if
                :: claim == mine && wish == seen -> mend()
                :: else
                fi;
                look() }
        od;

deliver:
        do
        :: next == end_ -> break
        :: next < end_ ->
            if
            /* A key, which the server counts; a batch of them is one step (delivery.pml). */
            :: atomic { true ->
                assert(next == shown);          /* nothing twice, nothing left out */
                assert(mineText[next] == text[next]); /* and as the text has it */
                assert(claim == mine);          /* only what is claimed */
                window[shown] = mineText[next];
                shown++; next++;
                knows[me] = 1;
                progressClaim = mine; progressCount = next; isRemoval = 0;
                checkKept() };
                /* .progress */
                atomic {
                    if
                    :: claim == mine && (growth == leased || phase == claimed) && next > count -> count = next
                    :: else
                    fi }
            /* The dictation was canceled in the meantime: no more of it is typed. What is typed is counted. */
            :: atomic { claim == mine && growth == leased && phase == failed ->
#ifdef COUNT_OF_THE_CLAIM
                count = (was > count -> was : count);
#endif
                letGo(open) };
                goto delivered
            /* The focus moves. */
            :: goto halt
            fi
        od;
        /* .paused, or .inserted */
        atomic {
            if
#ifdef INSERTED_AT_A_PAUSE
            :: claim == mine && growth == leased && phase == pending ->
                growth = none; assert(shown == CHARACTERS); phase = inserted
            :: claim == mine && growth == leased && phase != pending -> letGo(open)
#else
            :: claim == mine && growth == leased -> letGo(open)
#endif
            :: claim == mine && growth != leased && phase == claimed ->
                assert(shown == CHARACTERS); phase = inserted; count = CHARACTERS; endWish(); checkKept()
            :: else
            fi };
        goto delivered;
halt:   atomic {
                if
                :: claim == mine && growth == leased -> letGo(halted)
                :: claim == mine && phase == claimed -> phase = held; endWish()
                :: else
                fi };
delivered:
        atomic { forget() };
        goto end
    } unless { atomic { death[me]?1 -> forget(); knows[me] = 0 } };
    goto again
}

/* ---- What may go wrong, at any instant ---- */

inline killInserter(i) {
    if
    :: (growth == leased || phase == claimed) && claimant == i -> isOrphan = 1; isBrokenOff = 1
    :: else
    fi;
    death[i]!1
}

proctype Fate() {
end:
    do
    :: atomic { !isCalm -> isOwn = 0 }
    :: atomic { !isCalm -> killInserter(0) }
    :: atomic { !isCalm -> isCalm = 1; break }
    od
}

init {
    byte i;
    atomic {
        run Host();
        do
        :: i < INSERTERS -> run Inserter(i); i++
        :: else -> i = 0; break
        od;
        run Fate()
    }
}

/* Nothing sticks: once the kills end, the text comes to rest. */
#ifdef LIVENESS
ltl nothingSticks { [] (isCalm -> <> (!isUnfinished)) }
#endif
