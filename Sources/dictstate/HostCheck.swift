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

    /// The first thing that keeps an agent from its work.
    var problem: Finding? { findings.first { $0.verdict == .problem } }

    /// - Parameters:
    ///   - subjects: the subjects to check, as the command's options.
    ///   - variables: beside those of this process.
    init(_ subjects: [String], with variables: [String: String] = [:]) throws {
        let program = HostProgram.path
        let isBeside = program.contains("/")
        let process = Process()
        let output = Pipe()
        // The one that came with this program, or else whichever is in PATH.
        process.executableURL = URL(fileURLWithPath: isBeside ? program : "/usr/bin/env")
        process.arguments = (isBeside ? [] : [program]) + ["check", "--json"] + subjects
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        process.standardOutput = output
        do {
            try process.run()
        } catch {
            findings = []
            failure = "\(program) cannot be started: \(error.plainReason)"
            advice = "Install it next to dictstate, or put it in PATH."
            return
        }
        let lines = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            .split(separator: "\n")
        process.waitUntilExit()
        findings = lines.compactMap { try? JSONDecoder().decode(Finding.self, from: Data($0.utf8)) }
        failure = "host-agent check failed (\(process.terminationStatus))"
        advice = nil
    }
}

extension LoadedSettings {
    /// What is wrong with the keys, which host-agent alone knows; nil for nothing, and where it is not there.
    func hotkeyProblem() throws -> String? {
        let names = ["host.hotkey", "transform.hotkey", "insert.held-hotkey"]
        // The usual keys are keys: then no program is started for that.
        guard !values.hotkeys.isEmpty || names.contains(where: { origin(of: $0) != .standard }) else {
            return nil
        }
        return try HostCheck(["--settings"]).problem?.finding
    }
}
