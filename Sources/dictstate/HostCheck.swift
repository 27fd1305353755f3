import DictationProgram
import DictationSettings
import DictationShared
import DictationSystem
import Foundation

/// `host-agent check`, which knows what this program does not link with: the display, the microphone, the recognizer.
struct HostCheck {
    let findings: [Finding]
    /// Why there are none.
    let failure: String
    let advice: String?

    /// It listens to the microphone for a moment, and loads the model.
    private static let limit = Duration.seconds(120)

    /// The first thing that keeps an agent from its work.
    var problem: Finding? { findings.first { $0.verdict == .problem } }

    /// A hotkey that people write with.
    var hotkeyWarning: Finding? { findings.first { $0.verdict == .warning && $0.name == "hotkey" } }

    /// - Parameters:
    ///   - subjects: the subjects to check, as the command's options.
    ///   - variables: in addition to those of this process.
    init(_ subjects: [String], with variables: [String: String] = [:]) throws {
        let check = ChildProcess(
            program: HostProgram.path, arguments: ["check", "--json"] + subjects, limit: Self.limit,
            environment: variables)
        do {
            let (output, end) = try check.runBlocking()
            findings = output.split(separator: UInt8(ascii: "\n"))
                .compactMap { try? JSONDecoder().decode(Finding.self, from: $0) }
            failure = "host-agent check failed (\(end))"
            advice = nil
        } catch ChildProcess.Failure.notStarted(let reason) {
            findings = []
            failure = "\(HostProgram.path) cannot be started: \(reason)"
            advice = "Install it next to dictstate, or put it in PATH."
        } catch let error as ChildProcess.Failure {
            findings = []
            failure = "host-agent check \(error)"
            advice = nil
        }
    }
}

extension LoadedSettings {
    /// The problem of the keys, which only host-agent knows; nil for none, and without host-agent.
    func hotkeyProblem() throws -> String? { try checkKeys()?.problem?.finding }

    /// host-agent's finding about the keys; nil if they are the default ones: then no program is started for
    /// it.
    func checkKeys() throws -> HostCheck? {
        let names = ["host.hotkey", "transform.hotkey", "insert.held-hotkey"]
        guard !values.hotkeys.isEmpty || names.contains(where: { origin(of: $0) != .standard }) else {
            return nil
        }
        return try HostCheck(["--settings"])
    }
}
