/* A text that is typed while it is being spoken, while any process may be killed at any instant (Shared/Models/Growth.swift).
 *
 * delivery.pml beside this file has all that is the same for every text: the order of texts, the batches of keys, the server
 * grab, windows that read late. Here is one text that grows, and what the end of the recording makes of it. README.md says
 * how to read and run it.
 *
 * The whole text may be otherwise than what was settled, from any character on (`kept`): then what is typed stays, and what
 * follows it is of the whole text.
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

mtype = { recording, failed, pending, claimed, inserted, held };
/* Growth */
mtype = { none, open, leased, halted };

/* ---- The store ---- */

mtype phase = recording;
mtype growth = none;
byte settled;                   /* the length of what is settled: cleanedText while it is spoken */
byte kept = CHARACTERS;         /* characters of the text that are as they were settled; the rest is of the whole text */
byte count;                     /* insertedCount */
byte claim;                     /* of the lease, or of the text that is ready */
byte claimant;
bit isOrphan;

/* ---- The X server's count of keys (delivery.pml: the property of the root window) ---- */

byte progressClaim;
byte progressCount;

/* ---- Processes ---- */

bit isOwn = 1;                  /* the host that records lives */
bit isCalm;
byte requestsLeft = REQUESTS;
chan death[INSERTERS] = [0] of { bit };

/* ---- Ghosts ---- */

byte shown;                     /* characters in the window */
bit isBrokenOff;                /* its inserter died in the middle; not to be typed on before the user says so */
byte isTyping;                  /* whose claim is typed at this moment */

#define isBeingSpoken (phase == recording)
#define isLeasedByTheDead (growth == leased && isOrphan)
#define isClaimedByTheDead (phase == claimed && isOrphan)
#define isUnfinished (phase == recording || phase == pending || phase == claimed || growth == leased)

/* Of the typed characters none is otherwise in the text. */
inline checkKept() { assert(shown <= kept) }

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
    if
#ifdef FINAL_ENDS_LEASE
    :: kept = count
#else
    :: growth == open -> kept = count
    :: growth != open -> kept = settled
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
    settled = CHARACTERS
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
    /* .recognized, or held because a command has asked for it; .failed */
    :: atomic { isOwn && isBeingSpoken ->
        if
        :: takeWhole(pending)
        :: takeWhole(held)
        :: phase = failed; endGrowth()
        fi }
    /* resolveDeadHost, by whoever sees it; then the recording is recognized, and its text held. */
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
    :: phase == pending && count == CHARACTERS -> growth = none; assert(shown == CHARACTERS); phase = inserted
    :: phase == pending && count < CHARACTERS ->
        if
        :: reason == halted -> phase = held; growth = none
        :: else -> growth = open
        fi
    :: phase == failed ->
        growth = reason;
        endGrowth()
    :: else -> growth = none
    fi
}

proctype Inserter(byte me) {
    byte mine, next, end_, known;
    bit isWhole;
again:
    {
        /* StateStore.releaseClaims, with what the display knows; then holdContinued. */
        atomic {
            if
            :: (isLeasedByTheDead || isClaimedByTheDead) ->
#ifndef COUNT_OF_THE_STORE
                if
                :: progressClaim == claim && progressCount > count -> count = progressCount
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
                fi
            :: else
            fi };
        atomic {
            if
            :: growth == open && count > 0 && INSERTERS == 1 ->
                if
                :: isBeingSpoken -> growth = halted
                :: phase == pending -> phase = held; growth = none
                :: else
                fi
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
        :: atomic { isBeingSpoken && growth == open && count < settled -> next = count; end_ = settled };
            atomic {
                assert(!isBrokenOff);
                claim++; mine = claim; claimant = me; isOrphan = 0; growth = leased; isWhole = 0 };
            goto deliver
#else
        :: atomic { isBeingSpoken && growth == open && count < settled ->
            assert(!isBrokenOff);
            claim++; mine = claim; claimant = me; isOrphan = 0; growth = leased; isWhole = 0;
            next = count; end_ = settled };
            goto deliver
#endif
        :: atomic { phase == pending && growth != leased ->
            assert(!isBrokenOff);
            claim++; mine = claim; claimant = me; isOrphan = 0; phase = claimed; growth = none; isWhole = 1;
            next = count; end_ = CHARACTERS };
            goto deliver
        od;

deliver:
        do
        :: next == end_ -> break
        :: next < end_ ->
            if
            /* A key, which the server counts; a batch of them is one step (delivery.pml). */
            :: atomic { true ->
                assert(next == shown);          /* nothing twice, nothing left out */
                assert(isWhole || next < kept); /* and as the text has it */
                assert(claim == mine);          /* only what is claimed */
                shown++; next++;
                progressClaim = mine; progressCount = next };
                /* .progress */
                atomic {
                    if
                    :: claim == mine && (growth == leased || phase == claimed) && next > count -> count = next
                    :: else
                    fi }
            /* The focus moves. */
            :: atomic {
                if
                :: claim == mine && growth == leased -> letGo(halted)
                :: claim == mine && phase == claimed -> phase = held
                :: else
                fi };
                goto delivered
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
                assert(shown == CHARACTERS); phase = inserted; count = CHARACTERS
            :: else
            fi };
delivered:
        atomic { mine = 0; next = 0; end_ = 0; isWhole = 0 };
        goto end
    } unless { atomic { death[me]?1 -> mine = 0; next = 0; end_ = 0; isWhole = 0 } };
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

/* Nothing sticks: once nobody is killed any more, the text comes to rest. */
#ifdef LIVENESS
ltl nothingSticks { [] (isCalm -> <> (!isUnfinished)) }
#endif
