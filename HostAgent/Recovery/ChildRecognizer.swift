import DictationSystem
import Foundation

/// Recognises a recording in a process of its own, which may crash, hang or be slow without harm to this one.
struct ChildRecognizer: Sendable {
    /// The program, and its arguments before the recording's path; it prints an ``Answer`` as JSON.
    let program: URL
    let arguments: [String]
    /// How long it may take before it counts as hanging.
    let limit: Duration

    /// An hour of sound takes a quarter of an hour on a small machine; nothing that is recorded by hand takes longer
    /// than this.
    static let usualLimit = Duration.seconds(4 * 3600)

    /// This program's own command.
    static let own = ChildRecognizer(
        program: ChildProcess.thisProgram, arguments: [RecogniseRecordingCommand.name], limit: usualLimit)

    /// What the child prints.
    struct Answer: Codable, Equatable, Sendable {
        let text: String
        /// What recognised it; nil where there is no text, or a child of another version.
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

        var description: String {
            switch self {
            case .ended(let failure): "the recogniser's process \(failure)"
            case .unreadableAnswer: "the recogniser's answer cannot be read"
            }
        }
    }

    /// - Throws: ``Failure``; `CancellationError` when the task is cancelled, which ends the child.
    func recognise(_ recording: URL) async throws -> Answer {
        let child = ChildProcess(program: program, arguments: arguments + [recording.path], limit: limit)
        do {
            return try JSONDecoder().decode(Answer.self, from: try await child.run())
        } catch let failure as ChildProcess.Failure {
            throw Failure.ended(failure)
        } catch is DecodingError {
            throw Failure.unreadableAnswer
        }
    }
}
