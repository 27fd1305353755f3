import Synchronization

/// The microphone of a session, as it was when it was last opened or lost.
public struct AudioInputConfiguration: Sendable, Equatable {
    /// ``AudioInput/name``.
    public var device: String
    /// What it gives; nil while it is not open, and for what is no device.
    public var format: AudioInputFormat?
    /// Whether sound came when it was last asked for any.
    public var isAvailable: Bool
}

extension SpeechSession {
    /// The microphone: what is known of it now, and each change: it gives sound, gives it in another format, is another
    /// one, or has vanished. Goes on over utterances, until the reader lets go.
    ///
    /// A microphone that nobody opens is not looked at: what happens to it is told when it is opened next.
    public var audioInputConfigurationStream: AsyncStream<AudioInputConfiguration> {
        AsyncStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
            let identifier = state.withLock { state in
                state.nextObserver += 1
                state.inputObservers[state.nextObserver] = continuation
                if let configuration = state.configuration { continuation.yield(configuration) }
                return state.nextObserver
            }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { _ = $0.inputObservers.removeValue(forKey: identifier) }
            }
        }
    }

    /// An utterance has sound.
    func inputWorks(in generation: Int) {
        state.withLock { state in
            guard let current = state.current, current.generation == generation else { return }
            state.publish(
                AudioInputConfiguration(
                    device: input.name, format: current.capture.format, isAvailable: true))
        }
    }

    /// An utterance has ended in this way.
    func inputEnded(with failure: (any Error)?) {
        switch failure as? SpeechSessionError {
        case .noMicrophone, .unusableMicrophone, .microphoneLost, .microphoneSilent:
            state.withLock { state in
                state.publish(AudioInputConfiguration(device: input.name, format: nil, isAvailable: false))
            }
        default: break
        }
    }
}

extension SpeechSession.State {
    fileprivate mutating func publish(_ new: AudioInputConfiguration) {
        guard new != configuration else { return }
        configuration = new
        for observer in inputObservers.values { observer.yield(new) }
    }
}
