import Desktop
import DictationSystem
import Foundation

/// The program xdotool, for users who name it as their method.
struct Xdotool: CommandTyping {
    func type(_ text: String) async throws -> CommandOutcome {
        let child = ChildProcess(
            program: "xdotool", arguments: ["type", "--clearmodifiers", "--file", "-"],
            limit: Self.limit(for: text), errors: .taken, input: text)
        do {
            _ = try await child.run()
            return .done
        } catch ChildProcess.Failure.notStarted {
            return .notInstalled
        } catch is ChildProcess.Failure {
            return .failed
        } catch is CancellationError {
            // It was killed.
            return .failed
        }
    }

    /// Far more than the 12 ms that it waits after each key by default: only one that hangs takes longer.
    private static func limit(for text: String) -> Duration {
        .seconds(60) + .milliseconds(200) * text.unicodeScalars.count
    }
}
