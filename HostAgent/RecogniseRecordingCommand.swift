import ArgumentParser
import DictationService
import DictationSpeech
import DictationSystem
import Foundation

/// The child process behind ``ChildRecognizer``.
struct RecogniseRecordingCommand: AsyncParsableCommand {
    static let name = "recognise-recording"
    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Print what is recognised in a recording as JSON; ends when standard input does.",
        shouldDisplay: false)

    @Argument var recording: String

    /// A third of the processor time that somebody else gets who wants it too: dictations go first, and on a busy
    /// machine the text still comes.
    private static let niceness: Int32 = 5

    func run() async throws {
        _ = nice(Self.niceness)
        // Whoever asked has gone; nobody wants the answer.
        exitWhenInputEnds(code: ExitStatus.failed.rawValue)
        let url = URL(fileURLWithPath: recording)
        do {
            let session = try await SpeechSession.configured()
            let transcript = try await session.transcribe(audioFile: url)
            let engines = transcript.engines(of: session.engine).joined(separator: ", ")
            var level = SpeechLevel()
            level.add(try AudioFile.samples(of: url))
            let answer = ChildRecognizer.Answer(
                text: transcript.plainText, engine: engines.isEmpty ? nil : engines,
                seconds: transcript.duration, speechSeconds: level.audibleSeconds)
            FileHandle.standardOutput.write(try JSONEncoder().encode(answer))
        } catch {
            Complaint.say(error)
            throw ExitStatus.failed.exitCode
        }
    }
}
