/// Everything that can go wrong between a voice and its text, in words that help any program; a program can add what its own
/// commands do about it.
public enum SpeechSessionError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The microphone cannot be opened.
    case noMicrophone(device: String, reason: String)
    /// The device offers no format that can be used.
    case unusableMicrophone(device: String, reason: String)
    /// The microphone vanished (unplugged, or the sound server ended) after `seconds` of recording.
    case microphoneLost(device: String, reason: String, seconds: Double)
    /// The microphone is open, but gives no sound: a hung sound server.
    case microphoneSilent(device: String, seconds: Double)
    /// An audio file that cannot be read.
    case unreadableAudio(path: String, reason: String)
    /// A file of a format that is not read here; nil: of no known one.
    case unknownAudioFormat(path: String, format: String?)
    /// The audio cannot be written to disk any more (it is full), which ended the recording after `seconds`.
    case recordingFailed(path: String, reason: String, seconds: Double)
    /// A file of the speech model is missing.
    case modelMissing(engine: String, path: String, package: String)
    /// An engine that is not installed.
    case libraryMissing(engine: String, path: String)
    /// An engine that is installed, but cannot be used.
    case libraryUnfit(engine: String, path: String, reason: String)
    /// There is no model of that name.
    case modelNotFound(engine: String, path: String)
    /// A model that is there, but broken, or of another kind than it says.
    case modelUnusable(engine: String, model: String, reason: String)
    /// The engine, or its model, cannot do that.
    case featureMissing(engine: String, feature: String)
    /// A server has failed to recognize.
    case serverFailed(engine: String, reason: String)
    /// The recognizer would not start.
    case engineFailed(engine: String, reason: String)
    /// The engine has no model for this language.
    case unsupportedLocale(_ locale: String, engine: String, supported: [String])
    /// A word of the user's own that the engine cannot take.
    case unusableWord(_ word: String, pronunciation: String, reason: String)
    /// An utterance is being recorded already.
    case alreadyTranscribing
    /// The rate of a sound cannot be converted.
    case conversionFailed(reason: String)

    public var description: String {
        switch self {
        case .noMicrophone(let device, let reason):
            "The microphone “\(device)” cannot be opened: \(reason). Nothing was recorded. List the "
                + "devices with “arecord -L”, and choose one in the settings."
        case .unusableMicrophone(let device, let reason):
            "The microphone “\(device)” offers no format that can be used: \(reason). Nothing was recorded. "
                + "Try “plug:\(device)” instead."
        case .microphoneLost(let device, let reason, let seconds):
            "The microphone “\(device)” was lost after \(Self.rounded(seconds)) s: \(reason). \(Self.kept(seconds)) "
                + "Continue; if the microphone is gone, plug it in again or choose another one."
        case .microphoneSilent(let device, let seconds):
            "The microphone “\(device)” gave no sound for \(Self.rounded(seconds)) s: its sound server seems to "
                + "hang. The words so far are kept. Restart the sound server and try again."
        case .unreadableAudio(let path, let reason):
            "\(path) cannot be read as audio: \(reason)."
        case .unknownAudioFormat(let path, let format):
            "\(path) \(format.map { "is \($0), which cannot be read" } ?? "is not a sound file of a known format"). WAV, "
                + "FLAC, Ogg, Opus, MP3 and AIFF can. If it has sound, ffmpeg converts it: "
                + AudioFormat.conversion(of: path)
        case .recordingFailed(let path, let reason, let seconds):
            "The recording ended after \(Self.rounded(seconds)) s, because it cannot be written to \(path): "
                + "\(reason). \(Self.kept(seconds)) Free some space there, and dictate the rest."
        case .modelMissing(let engine, let path, let package):
            "\(engine) lacks its model: \(path) is not there. Install it with “apt install \(package)”."
        case .libraryMissing(let engine, let path):
            "\(engine) is not installed: \(path) is not there."
        case .libraryUnfit(let engine, let path, let reason):
            "\(engine) cannot be used: \(path): \(reason)."
        case .modelNotFound(let engine, let path):
            "\(engine) has no model in \(path)."
        case .modelUnusable(let engine, let model, let reason):
            "\(engine) cannot use the model \(model): \(reason). Install it again, or choose another one."
        case .featureMissing(let engine, let feature):
            "\(engine) cannot \(feature). It still recognizes; another engine or model may support this."
        case .serverFailed(_, let reason):
            "The server did not recognize the speech: \(reason)."
        case .engineFailed(let engine, let reason):
            "\(engine) failed: \(reason). Try again; if that does not help, choose another engine in the settings."
        case .unsupportedLocale(SpokenLanguage.found, let engine, let supported):
            "\(engine) cannot detect the language: its model knows \(supported.joined(separator: ", ")). Set "
                + "speech.locale to the language, or use a model that detects it."
        case .unsupportedLocale(let locale, let engine, let supported):
            "\(engine) has no model for \(locale); it has \(supported.joined(separator: ", ")). Choose one of these, "
                + "or another engine."
        case .unusableWord(let word, let pronunciation, let reason):
            "The word “\(word)”\(pronunciation.isEmpty ? "" : " (\(pronunciation))") cannot be used: \(reason). All others are used."
        case .alreadyTranscribing:
            "An utterance is being recorded already. Stop or cancel it first."
        case .conversionFailed(let reason):
            "The audio cannot be converted to 16 kHz: \(reason). Choose another microphone, or another format of the file."
        }
    }

    private static func kept(_ seconds: Double) -> String {
        rounded(seconds) == "0.0" ? "Nothing was recorded." : "The words so far are kept."
    }

    private static func rounded(_ seconds: Double) -> String { String((seconds * 10).rounded() / 10) }
}
