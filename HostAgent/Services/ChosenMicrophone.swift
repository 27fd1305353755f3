import DictationSettings
import DictationSpeech

/// The microphone that the settings name when a recording begins.
struct ChosenMicrophone: AudioInput {
    let settings: LiveSettings

    private var input: ALSAInput { ALSAInput(device: settings.current.audio.device) }

    var name: String { input.name }

    func start(_ receive: @escaping @Sendable (AudioEvent) -> Void) -> any AudioCapture {
        input.start(receive)
    }
}
