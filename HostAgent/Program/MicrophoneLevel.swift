import DictationHost
import DictationSpeech

/// The limits of a microphone's level, in dB relative to full scale, for `host-agent check` and `dictstate setup`.
///
/// | limit | of | why |
/// | --- | --- | --- |
/// | ``silence`` | any sound | no microphone that is on gives less, even in a quiet room (−70 to −50 dB) |
/// | ``faint`` | a second in which nobody need speak | it is quieter than any real room |
/// | ``room`` | the same | nothing below it counts as speech (``SpeechSensitivity/medium``) |
/// | ``quietSpeech`` | the loudest 20 ms of a sentence | below it speech is raised by more than the recognizers' 30 dB, and noise with it |
/// | ``clipped`` | the loudest sample | samples at full scale are cut off |
enum MicrophoneLevel {
    static let silence = -85.0
    static let faint = -70.0
    static let room = -58.0
    static let quietSpeech = -45.0
    static let clipped = -0.5
}
