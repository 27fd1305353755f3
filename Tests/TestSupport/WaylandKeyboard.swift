import DictationSystem
import Foundation
import Glibc

/// A keyboard on a Wayland desktop whose keys a test holds and releases.
///
/// ```swift
/// let keyboard = try await WaylandKeyboard.connect(to: desktop)
/// try await keyboard.press("F9")
/// try await keyboard.release("F9")
/// ```
public final class WaylandKeyboard: Sendable {
    private let program: Program
    private let pipe: Descriptor

    /// Returns when the compositor has it.
    public static func connect(to desktop: WaylandDesktop) async throws -> WaylandKeyboard {
        let path = desktop.folder.file("keyboard-\(UUID().uuidString)")
        guard mkfifo(path, 0o600) == 0 else { throw SystemError("make \(path)") }
        // Open for reading as well: then it does not wait for a reader.
        let pipe = try Descriptor.opening("open \(path)") { open(path, O_RDWR | O_CLOEXEC) }
        let program = try Program.start(
            "python3", [repositoryFile("Tests/TestSupport/wayland-keyboard.py"), desktop.socket, path])
        try await program.waitForLine(containing: "ready")
        return WaylandKeyboard(program, pipe)
    }

    private init(_ program: Program, _ pipe: Descriptor) {
        self.program = program
        self.pipe = pipe
    }

    /// Returns when the compositor has the key down.
    ///
    /// - Parameter key: F7, F8, F9, a, shift, ctrl, left, right, end, backspace or backslash.
    public func press(_ key: String) async throws { try await send("down \(key)") }
    public func release(_ key: String) async throws { try await send("up \(key)") }

    /// Presses and releases a key.
    ///
    /// - Parameter held: another one, which is down during that.
    public func tap(_ key: String, with held: String? = nil, times: Int = 1) async throws {
        if let held { try await press(held) }
        for _ in 0..<times {
            try await press(key)
            try await release(key)
        }
        if let held { try await release(held) }
    }

    private func send(_ line: String) async throws {
        let seen = program.lines.count
        let bytes = Array("\(line)\n".utf8)
        try retryingInterrupted("write") { write(pipe.raw, bytes, bytes.count) }
        try await program.waitForLine(from: seen, "the compositor's answer") { $0 == line }
    }

    public func end() async { await program.end() }
}
