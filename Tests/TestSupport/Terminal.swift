import Foundation

/// An invisible terminal: tmux, with its own server.
///
/// ```swift
/// let terminal = try await Terminal.start([BuildFolder.program("dictstate"), "watch"], environment: …)
/// try await terminal.waitForText("recording")
/// ```
public final class Terminal: Sendable {
    private let folder: TemporaryFolder
    private let environment: [String: String]
    private let watcher: Program

    /// - Parameters:
    ///   - command: the program with its arguments.
    ///   - environment: of the program.
    public static func start(
        _ command: [String], environment: [String: String], columns: Int = 100, lines: Int = 30
    ) async throws -> Terminal {
        let folder = try TemporaryFolder("terminal")
        let environment = environment.merging(["LC_ALL": "C.UTF-8", "TERM": "xterm-256color"]) { $1 }
        let shell = command.map { "'\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
        // The pane stays when the program has ended, so that its last words can be read.
        try await Program.run(
            "tmux",
            [
                "-S", folder.file("tmux"), "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y",
                "\(lines)", "\(shell); echo \"ended $?\"; exec cat",
            ], environment: environment)
        // A second client, which is notified of all that is drawn. It ends with its standard input.
        let watcher = try Program.start(
            "sh", ["-c", "tail -f /dev/null | tmux -S '\(folder.file("tmux"))' -C attach -f ignore-size"],
            environment: environment)
        try await watcher.waitForLine(containing: "%session-changed")
        return Terminal(folder, environment, watcher)
    }

    private init(_ folder: TemporaryFolder, _ environment: [String: String], _ watcher: Program) {
        self.folder = folder
        self.environment = environment
        self.watcher = watcher
    }

    /// The text on the screen now.
    public func text() async throws -> String { try await tmux("capture-pane", "-p") }

    /// Waits until the screen has a text; looks again whenever something was drawn.
    @discardableResult
    public func waitForText(
        _ text: String, within limit: Duration = Program.defaultLimit
    ) async throws -> String {
        while true {
            let seen = watcher.lines.count
            let screen = try await self.text()
            if screen.contains(text) { return screen }
            do {
                try await watcher.waitForLine(containing: "%", from: seen, within: limit)
            } catch {
                throw ProgramError.notStarted(
                    program: "“\(text)” on the screen",
                    reason: "\(error)\nIt shows:\n\(try await self.text())")
            }
        }
    }

    /// Presses keys, by tmux's names.
    public func press(_ keys: String...) async throws {
        for key in keys { try await tmux("send-keys", key) }
    }

    public func resize(columns: Int, lines: Int) async throws {
        try await tmux("resize-window", "-x", "\(columns)", "-y", "\(lines)")
    }

    public func end() async {
        _ = try? await tmux("kill-server")
        await watcher.end()
        folder.remove()
    }

    @discardableResult
    private func tmux(_ arguments: String...) async throws -> String {
        try await Program.run("tmux", ["-S", folder.file("tmux")] + arguments, environment: environment)
    }
}
