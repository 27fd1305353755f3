import ArgumentParser
import DictationService
import DictationSettings
import DictationShared
import DictationSpeech
import DictationSystem
import Foundation
import Synchronization

/// The child process of ``ChildRecognizer``.
struct RecognizeRecordingCommand: AsyncParsableCommand {
    static let name = "recognize-recording"
    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Print the text of a recording as JSON; ends when standard input ends.",
        shouldDisplay: false)

    @Argument var recording: String
    @Option var engine: SpeechEngine?
    @Option var model: String?
    @Option var language: String?

    /// A third of the processor time of other processes: dictations go first, and on a busy
    /// machine the text still comes.
    private static let niceness: Int32 = 5

    func run() async throws {
        _ = nice(Self.niceness)
        // The requesting process has ended; the answer is not needed.
        exitWhenInputEnds(code: ExitStatus.failed.rawValue)
        let url = URL(fileURLWithPath: recording)
        do {
            let session = try await SpeechSession.configured { settings in
                settings = settings.applying(
                    .init(engine: engine?.rawValue, model: model, language: language))
            }
            let told = Mutex(0)
            let transcript = try await session.transcribe(audioFile: url) { part in
                // In visible steps.
                let step = Int(part * 20)
                guard
                    told.withLock({ told in
                        defer { told = max(told, step) }
                        return step > told
                    })
                else { return }
                Self.print(ChildRecognizer.Progress(progress: part))
            }
            let engines = transcript.engines(of: session.engine).joined(separator: ", ")
            var level = SpeechLevel()
            level.add(try AudioFile.samples(of: url))
            let answer = ChildRecognizer.Answer(
                text: transcript.plainText, engine: engines.isEmpty ? nil : engines,
                seconds: transcript.duration, speechSeconds: level.audibleSeconds)
            Self.print(answer)
        } catch {
            Complaint.say(error)
            Self.print(
                ChildRecognizer.Refusal(failure: FailureCode(error).rawValue, message: error.story))
        }
    }

    private static func print(_ value: some Encodable) {
        guard let line = try? JSONEncoder().encode(value) else { return }
        FileHandle.standardOutput.write(line + Data("\n".utf8))
    }
}

extension SpeechEngine: ExpressibleByArgument {}
