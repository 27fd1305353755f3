import DictationShared

/// When recordings that were never recognized are recognized: events in, a decision out; no clock, no store.
///
///     host-agent starts ───────────────► recover (two recordings; the server does not answer: it waits)
///     a dictation is recognized ───────► recover: the server is back
///     a dictation is recognized ───────► nothing waits any more
///     a dictation fails: no model ─────► it waits
///     models or settings changed ──────► recover
///
/// There is no timer: a recognized dictation shows that the recognizer is back.
struct RecoveryFlow: Equatable {
    enum Event: Equatable {
        case started
        /// The store could be written only now: the recordings of an earlier host are not recognized yet.
        case earlierHostEnded
        /// Engines, models, or what the settings say of them.
        case recognizersChanged
        case dictationRecognized
        case dictationFailed(FailureCode?)
        /// The last attempt is over; `isUnheard`: a recognizer was missing, so that there are recordings left.
        case ended(isUnheard: Bool)
    }

    /// Something waits for a recognizer.
    private var isWaiting = false
    /// A dictation was just recognized, and yet this attempt found no recognizer: the recording itself, its size or its
    /// language, is refused. The next dictation would change nothing.
    private var wasShown = false

    /// - Returns: whether to recover now.
    mutating func handle(_ event: Event) -> Bool {
        switch event {
        case .started, .earlierHostEnded, .recognizersChanged:
            wasShown = false
            return true
        case .dictationRecognized:
            guard isWaiting else { return false }
            (isWaiting, wasShown) = (false, true)
            return true
        case .dictationFailed(let code):
            if code?.leavesRecordingUnheard == true { isWaiting = true }
            return false
        case .ended(let isUnheard):
            if isUnheard, !wasShown { isWaiting = true }
            return false
        }
    }
}
