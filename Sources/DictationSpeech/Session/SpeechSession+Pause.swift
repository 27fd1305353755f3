import Synchronization

extension SpeechSession {
    /// Closes the microphone for a while; the words before the pause are recognized during it. Does nothing
    /// unless it records.
    public func pauseTranscribing() {
        let generation: Int? = state.withLock { state in
            guard let current = state.current, !current.isStopping, current.capture.pause() else {
                return nil
            }
            state.current?.isPaused = true
            return current.generation
        }
        guard let generation else { return }
        monitor.begin()
        setStatus(.paused, of: generation)
    }

    /// Opens the microphone again, in the same utterance: its times continue, without a gap. Does nothing
    /// unless it is paused.
    public func resumeTranscribing() {
        let generation: Int? = state.withLock { state in
            guard let current = state.current, current.capture.resume() else { return nil }
            state.current?.isPaused = false
            return current.generation
        }
        if let generation { setStatus(.transcribing, of: generation) }
    }
}
