import DictationSystem
import Synchronization

extension SpeechSession {
    /// How long the model stays loaded when nothing is said; nil, the default: forever. It is loaded again while the
    /// next words are already being recorded.
    public var keepLoaded: Duration? {
        get { state.withLock { $0.keepLoaded } }
        set {
            state.withLock { $0.keepLoaded = newValue }
            scheduleRelease()
        }
    }

    /// Nothing is being said from now on: the time runs again.
    func scheduleRelease() {
        state.withLock { state in
            state.release?.cancel()
            state.release = nil
            guard let limit = state.keepLoaded else { return }
            let (recognizer, punctuator) = (state.pipeline.recognizer, state.pipeline.marks.punctuator)
            state.release = Task { [weak self] in
                // This waits for the time itself.
                guard (try? await pause(for: limit)) != nil else { return }
                // An utterance that begins now keeps its model: the recognizer sees to that.
                guard self?.state.withLock({ $0.current == nil }) == true else { return }
                await recognizer.release()
                await punctuator?.release()
            }
        }
    }
}
