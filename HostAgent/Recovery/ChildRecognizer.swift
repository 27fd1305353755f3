import DictationShared
import DictationSystem
import Foundation

/// Recognizes a recording in a separate process, which may crash, hang or be slow without harm to this one.
struct ChildRecognizer: Sendable {
    /// The program, and its arguments before the recording's path. It prints lines of JSON: any number of ``Progress``,
    /// and at last an ``Answer`` or a ``Refusal``.
    let program: URL
    let arguments: [String]
    /// How long it may take before it counts as hanging.
    let limit: Duration

    /// An hour of sound takes a quarter of an hour on a small machine; nothing that is recorded by hand takes longer
    /// than this.
    static let usualLimit = Duration.seconds(4 * 3600)

    /// This program's own command.
    static let own = ChildRecognizer(
        program: ChildProcess.thisProgram, arguments: [RecognizeRecordingCommand.name], limit: usualLimit)

    /// The child's progress line.
    struct Progress: Codable, Sendable {
        /// 0…1.
        let progress: Double
    }

    /// The child's line if it failed and knows why.
    struct Refusal: Codable, Sendable {
        /// A ``FailureCode``.
        let failure: String
        let message: String
    }

    /// The child's last line.
    struct Answer: Codable, Equatable, Sendable {
        let text: String
        /// The engine; nil if there is no text, or for a child of another version.
        let engine: String?
        /// Of sound.
        let seconds: Double
        /// Of it, how much is loud enough to be speech.
        let speechSeconds: Double
    }

    enum Failure: Error, Equatable, CustomStringConvertible {
        /// Its own words are in the log.
        case ended(ChildProcess.Failure)
        case unreadableAnswer
        /// It said itself why not.
        case refused(FailureCode, message: String)

        var description: String {
            switch self {
            case .ended(let failure): "the recognizer's process \(failure)"
            case .unreadableAnswer: "the recognizer's answer cannot be read"
            case .refused(_, let message): message
            }
        }
    }

    /// - Parameters:
    ///   - options: in place of the settings.
    ///   - onProgress: called with how much is done, 0…1.
    /// - Throws: ``Failure``; `CancellationError` when the task is canceled, which ends the child.
    func recognize(
        _ recording: URL, options: Intent.RecognitionOptions = .init(),
        onProgress: @escaping @Sendable (Double) -> Void = { _ in }
    ) async throws -> Answer {
        let chosen = [
            ("--engine", options.engine), ("--model", options.model), ("--language", options.language),
        ]
        .flatMap { name, value in value.map { [name, $0] } ?? [] }
        let child = ChildProcess(
            program: program.path(percentEncoded: false),
            arguments: arguments + chosen + ["--", recording.path],
            limit: limit)
        do {
            let output = try await child.run { line in
                let part = try? JSONDecoder().decode(Progress.self, from: Data(line.utf8))
                if let part { onProgress(part.progress) }
            }
            let last = output.split(separator: UInt8(ascii: "\n")).last ?? Data()
            if let refusal = try? JSONDecoder().decode(Refusal.self, from: last) {
                throw Failure.refused(
                    FailureCode(rawValue: refusal.failure) ?? .speechFailed, message: refusal.message)
            }
            return try JSONDecoder().decode(Answer.self, from: last)
        } catch let failure as ChildProcess.Failure {
            throw Failure.ended(failure)
        } catch is DecodingError {
            throw Failure.unreadableAnswer
        }
    }
}
