import DictationSystem
import Synchronization

/// The microphone of a session, as of its last opening or loss.
public struct AudioInputConfiguration: Sendable, Equatable {
    /// ``AudioInput/name``.
    public var device: String
    /// Its format; nil while it is unavailable, and for an input that is no device.
    public var format: AudioInputFormat?
    /// Whether sound came when it was last asked for any, or would come now.
    public var isAvailable: Bool
}

extension SpeechSession {
    /// The state of the microphone now, and each change: it gives sound, gives it in another format, is
    /// another one, or has vanished. The stream continues over utterances, until the reader stops reading.
    ///
    /// While nothing is recorded, an input that can (``AudioInput/presence()``) says when its microphone
    /// comes, goes or changes, and nothing wakes up until then. Changes of other inputs are reported when they
    /// are opened next. A microphone without a kernel device, such as one of Bluetooth, is one of
    /// the others.
    public var audioInputConfigurationStream: AsyncStream<AudioInputConfiguration> {
        state.withLock { state in
            let stream = state.configurations.stream { [weak self] in
                let watch = self?.state.withLock { state -> Task<Void, Never>? in
                    guard !state.configurations.hasReaders else { return nil }
                    defer { state.inputWatch = nil }
                    return state.inputWatch
                }
                watch?.cancel()
            }
            if state.inputWatch == nil { state.inputWatch = watchInput() }
            return stream
        }
    }

    private func watchInput() -> Task<Void, Never> {
        let (presence, name) = (input.presence(), input.name)
        return Task { [weak self] in
            for await presence in presence {
                self?.state.withLock { state in
                    // A recording reports itself.
                    guard state.current == nil else { return }
                    let configuration =
                        switch presence {
                        case .available(let format):
                            AudioInputConfiguration(device: name, format: format, isAvailable: true)
                        case .missing: AudioInputConfiguration(device: name, format: nil, isAvailable: false)
                        }
                    state.configurations.update(to: configuration)
                }
            }
        }
    }

    /// An utterance has sound.
    func inputWorks(in generation: Int) {
        state.withLock { state in
            guard let current = state.current, current.generation == generation else { return }
            state.configurations.update(
                to: AudioInputConfiguration(
                    device: input.name, format: current.capture.format, isAvailable: true))
        }
    }

    /// An utterance has ended in this way.
    func inputEnded(with failure: (any Error)?) {
        switch failure as? SpeechSessionError {
        case .noMicrophone, .unusableMicrophone, .microphoneLost, .microphoneSilent:
            state.withLock { state in
                state.configurations.update(
                    to: AudioInputConfiguration(device: input.name, format: nil, isAvailable: false))
            }
        default: break
        }
    }
}
