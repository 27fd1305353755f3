import Desktop
import DictationSystem
import Foundation

/// The program xdotool, for users who name it as their method.
struct Xdotool: CommandTyping {
    func type(_ text: String) async throws -> CommandOutcome {
        try await withCheckedThrowingContinuation { continuation in
            startThread(named: "xdotool") {
                continuation.resume(with: Result { try Self.run(text) })
            }
        }
    }

    private static func run(_ text: String) throws -> CommandOutcome {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["xdotool", "type", "--clearmodifiers", "--file", "-"]
        let input = Pipe()
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        // The text is far smaller than a pipe's buffer, or xdotool reads it to its end before it types.
        try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        switch process.terminationStatus {
        case 0: return .done
        // env(1) says 127 for a program that is not there.
        case 127: return .notInstalled
        default: return .failed
        }
    }
}
