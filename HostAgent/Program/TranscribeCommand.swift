import ArgumentParser
import DictationHost
import DictationService
import DictationSpeech
import Foundation

struct TranscribeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transcribe",
        abstract: "Print the text of recordings (WAV, FLAC and more; any rate, any channels).",
        discussion:
            "One line per recording, in the given order. Unreadable files are reported, and the others continue."
    )

    @Argument(help: "The recordings.", completion: .file())
    var files: [String]

    @Flag(
        help:
            "Print one JSON object per line: file, text, seconds, words with times and confidence, real-time factor."
    )
    var json = false

    func run() async throws {
        let session: SpeechSession
        do { session = try await .configured() } catch { throw report(error) }
        var failures = 0
        for file in files {
            do {
                let clock = ContinuousClock()
                let began = clock.now
                let transcript = try await session.transcribe(audioFile: URL(fileURLWithPath: file))
                let elapsed = began.duration(to: clock.now) / .seconds(1)
                if json {
                    print(try line(file, transcript, elapsed: elapsed))
                } else {
                    StandardOutput.say(transcript.plainText)
                }
            } catch {
                _ = report(error)
                failures += 1
            }
        }
        if failures > 0 { throw ExitStatus.failed.exitCode }
    }

    private func report(_ error: any Error) -> ExitCode {
        Complaint.say(error)
        return ExitStatus.failed.exitCode
    }

    private func line(_ file: String, _ transcript: Transcript, elapsed: Double) throws -> String {
        let output = Output(
            file: file, text: transcript.plainText, seconds: transcript.duration, decodingSeconds: elapsed,
            realTimeFactor: transcript.duration > 0 ? elapsed / transcript.duration : 0,
            words: transcript.text.runs.compactMap { run in
                guard let range = run.audioTimeRange else { return nil }
                let word = String(transcript.text[run.range].characters).trimmingCharacters(in: .whitespaces)
                return word.isEmpty
                    ? nil
                    : Output.Word(
                        text: word, start: range.lowerBound, end: range.upperBound,
                        confidence: run.transcriptionConfidence)
            })
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(output), as: UTF8.self)
    }

    private struct Output: Encodable {
        struct Word: Encodable {
            let text: String
            let start: Double
            let end: Double
            let confidence: Double?
        }
        let file: String
        let text: String
        let seconds: Double
        let decodingSeconds: Double
        let realTimeFactor: Double
        let words: [Word]
    }
}
