import DictationShared

/// Which sound is played, and when: events in, sounds out; no clock, no device.
///
///     begun ─────────────────────► start, while the microphone opens
///     its sound is recorded ─────► stop: not before, so that no microphone hears it
///     failed, or held ───────────► error, once
struct SoundFlow: Equatable {
    enum Sound: String, CaseIterable, Sendable {
        case start, stop, error
    }

    /// Those that were played already.
    private var told: Set<DictationID> = []

    mutating func handle(_ state: DictationState) -> Sound? {
        guard Self.isTrouble(state.phase) else {
            told.remove(state.id)
            return nil
        }
        return told.insert(state.id).inserted ? .error : nil
    }

    private static func isTrouble(_ phase: DictationState.Phase) -> Bool {
        switch phase {
        case .failed: true
        // The user wanted that, or has done nothing now.
        case .ready(.held(.askedFor)), .ready(.held(.undone)), .ready(.held(.bySetting)),
            .ready(.held(.recovered)):
            false
        case .ready(.held): true
        case .starting, .recording, .processing, .ready, .cancelled: false
        }
    }
}
