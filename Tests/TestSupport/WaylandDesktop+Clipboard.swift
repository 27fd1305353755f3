import Foundation

/// The clipboards of the session, as other programs see them.
extension WaylandDesktop {
    /// The text that a program would paste; empty if there is none.
    ///
    /// - Parameter options: of `wl-paste`, such as `--primary`.
    public func clipboardText(_ options: String...) async throws -> String {
        let reader = try Program.start(
            "wl-paste", ["--no-newline"] + options, environment: environment)
        _ = try await reader.waitForExit()
        return reader.output
    }

    /// Copies a text, and returns the program that has it, when all others would paste it.
    ///
    /// - Parameter options: of `wl-copy`, such as `--primary`.
    public func copy(_ text: String, _ options: String...) async throws -> Program {
        let owner = try Program.start(
            "wl-copy", ["--foreground"] + options + ["--", text], environment: environment)
        try await waitForClipboard(text, options)
        return owner
    }

    /// Waits until programs would paste this text.
    ///
    /// - Parameter options: those of `wl-copy`.
    public func waitForClipboard(_ text: String, _ options: [String]) async throws {
        // It reports the current content, and then each change.
        let watch = try Program.start(
            "wl-paste",
            options.filter { $0 == "--primary" }
                + ["--watch", "sh", "-c", "printf '<%s>\\n' \"$(base64 --wrap=0)\""],
            environment: environment)
        try await watch.waitForLine(
            containing: "<\(Data(text.utf8).base64EncodedString())>", on: .output)
        await watch.end()
    }
}
