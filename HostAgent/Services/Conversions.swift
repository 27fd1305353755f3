import Desktop
import DictationSettings
import DictationShared
import DictationSpeech
import DictationText
import Foundation

extension CaptureSwitch {
    /// Why nothing can be heard, to follow the microphone's name and a colon; nil if the microphone is on.
    package var problem: String? {
        switch self {
        case .on: nil
        case .muted: "it is muted"
        case .turnedDown: "its volume is 0"
        }
    }
}

extension DictationFailure {
    /// There was sound that may have been speech, and the voice activity detector found no voice in it.
    static func noVoice(recording: URL) -> DictationFailure {
        DictationFailure(
            code: .noVoice,
            message: "Something was heard, but no voice. If you whispered: "
                + "dictstate settings set audio.voice-detection loudness",
            kept: "the recording: \(recording.path)")
    }

    /// The voice activity detector found a voice, and the recognizer found no words.
    static func voiceWithoutWords(recording: URL) -> DictationFailure {
        DictationFailure(
            code: .noWords, message: "A voice was heard, but no words were recognized.",
            kept: "the recording: \(recording.path)")
    }

    /// Nothing was heard, and the mixer says why; nil if it does not.
    static func microphoneOff(_ device: String) async -> DictationFailure? {
        // The mixer of a sound server may take its time: not on the agent's own thread.
        guard let problem = await Task.detached(operation: { CaptureSwitch.of(device)?.problem }).value else {
            return nil
        }
        return DictationFailure(
            code: .microphoneMuted,
            message:
                "The microphone “\(device)” was not heard: \(problem). Turn it on in your sound settings, and try again."
        )
    }

    /// The recording ended before the microphone gave its first sound.
    static func endedBeforeSound(_ device: String, isKeptOpen: Bool) -> DictationFailure {
        DictationFailure(
            code: .noSpeech,
            message:
                "No speech detected. The recording ended before the microphone “\(device)” gave its first sound."
                + (isKeptOpen
                    ? ""
                    : " If it opens slowly (Bluetooth), keep it open: dictstate settings set audio.keep-open 60")
        )
    }

    /// - Parameter audio: the sound that is kept.
    init(speech error: any Error, audio: URL?) {
        self.init(
            code: FailureCode(error), message: error.story, kept: audio.map { "the recording: \($0.path)" })
    }

    /// The same, for a dictation whose recording is kept.
    func keeping(_ audio: URL) -> DictationFailure {
        DictationFailure(stored: code, message: message, kept: "the recording: \(audio.path)")
    }
}

extension FailureCode {
    /// The code of the error that ended a recognition.
    init(_ error: any Error) {
        self =
            switch error as? SpeechSessionError {
            case .noMicrophone: .noMicrophone
            case .unusableMicrophone: .unusableMicrophone
            case .microphoneLost: .microphoneLost
            case .microphoneSilent: .microphoneSilent
            case .unreadableAudio, .unknownAudioFormat: .unreadableAudio
            case .recordingFailed: .recordingFailed
            case .modelMissing, .modelNotFound: .modelMissing
            case .modelUnusable: .modelUnusable
            case .libraryMissing: .engineMissing
            case .libraryUnfit: .engineUnfit
            case .serverFailed: .serverFailed
            case .featureMissing: .featureMissing
            case .engineFailed: .engineFailed
            case .unsupportedLocale: .unsupportedLocale
            case .unusableWord: .unusableWord
            case .alreadyTranscribing: .alreadyTranscribing
            case .conversionFailed: .conversionFailed
            case nil: error is UnknownLanguage ? .unsupportedLocale : .speechFailed
            }
    }
}

extension Endpointing {
    init(_ settings: AudioSettings) {
        self.init(
            tail: .milliseconds(settings.tail),
            silence: settings.stopAfterSilence > 0 ? .seconds(settings.stopAfterSilence) : nil)
    }
}

extension TranscriptionResult {
    /// The words with their times; nil if one of them has none.
    ///
    /// An engine may report the times of parts: of "e" and "-mail", or of each Chinese character. With no
    /// space between them they are one word.
    package var timedWords: [TimedWord]? {
        var words: [TimedWord] = []
        var isInWord = false
        for run in text.runs {
            let part = String(text[run.range].characters)
            guard !part.allSatisfy(\.isWhitespace) else {
                isInWord = false
                continue
            }
            guard let range = run.audioTimeRange else { return nil }
            if isInWord, part.first?.isWhitespace == false, let last = words.popLast() {
                words.append(
                    TimedWord(text: last.text + part, start: last.start, end: max(last.end, range.upperBound))
                )
            } else {
                words.append(TimedWord(text: part, start: range.lowerBound, end: range.upperBound))
            }
            isInWord = part.last?.isWhitespace == false
        }
        return words
    }
}
