/// The clipboard of the display.
extension VirtualDisplay {
    /// The text that a program would paste; nil if nothing was copied.
    public func clipboardText() async throws -> String? {
        let reader = try Program.start("xclip", ["-o", "-selection", "clipboard"], environment: environment)
        return try await reader.waitForExit() == .exited(0) ? reader.output : nil
    }

    /// Copies a text, and returns the program that has it, until another program takes the clipboard.
    ///
    /// - Parameter text: without quotes, and different from the clipboard: otherwise its owner cannot be
    ///   determined.
    public func copy(_ text: String) async throws -> Program {
        let owner = try Program.start(
            "sh", ["-c", "printf '%s' '\(text)' | exec xclip -quiet -selection clipboard"],
            environment: environment)
        try await owner.waitForLine(containing: "Waiting")
        // It says that it waits before its wish has gone to the server.
        while try await clipboardText() != text { try Task.checkCancellation() }
        return owner
    }
}
