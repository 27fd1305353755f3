import DictationSystem
import Synchronization

extension SpeechSession {
    public var status: SpeechSessionStatus { state.withLock { $0.status } }

    /// The status now and each change of it, until the reader stops reading. A slow reader sees the newest
    /// ones.
    public var statusStream: AsyncStream<SpeechSessionStatus> {
        state.withLock { $0.statuses }.stream()
    }

    /// Changes the status for an utterance, unless a newer one has begun.
    func setStatus(_ status: SpeechSessionStatus, of generation: Int) {
        state.withLock { state in
            guard state.current?.generation == generation else { return }
            // Stopping is left only by the end: a late "transcribing" of the same utterance is stale.
            if state.current?.isStopping == true, status != .idle, status != .stopping { return }
            // So is paused, whose words are still being recognized.
            if state.current?.isPaused == true, status == .preparing || status == .transcribing { return }
            state.statuses.update(to: status)
        }
    }

    func setStatus(_ status: SpeechSessionStatus, from expected: SpeechSessionStatus) {
        state.withLock { if $0.status == expected { $0.statuses.update(to: status) } }
    }
}

extension SpeechSession.State {
    fileprivate var status: SpeechSessionStatus { statuses.newest ?? .idle }
}
