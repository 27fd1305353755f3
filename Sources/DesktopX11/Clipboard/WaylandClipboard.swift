import DictationSystem

/// The clipboard of a Wayland compositor, by the program wl-copy: some compositors (those of wlroots) take a text from an
/// X11 program only while an X11 window has the focus.
enum WaylandClipboard {
    /// Leaves a text on the clipboard.
    ///
    /// - Returns: the reason why it is not there, for a person; nil if it is.
    static func copy(_ text: String) async -> String? {
        await withCheckedContinuation { continuation in
            startThread(named: "wl-copy") {
                do {
                    continuation.resume(returning: problem(try run(text)))
                } catch {
                    continuation.resume(returning: "only X11 programs have it: \(error)")
                }
            }
        }
    }

    /// timeout(1) says 127 for a program that is not there.
    private static func problem(_ code: Int32) -> String? {
        switch code {
        case 0: nil
        case 127:
            "only X11 programs have it: install wl-copy (package wl-clipboard), so that all windows get it"
        default: "only X11 programs have it: wl-copy failed (\(code))"
        }
    }

    /// It runs in the background for as long as the text is on the clipboard.
    ///
    /// - Returns: the exit code.
    private static func run(_ text: String) throws -> Int32 {
        let input = try Descriptor.memoryFile(holding: text)
        let copier = try StartedProcess(
            "timeout", ["5", "wl-copy", "--type", "text/plain;charset=utf-8"], input: .descriptor(input),
            errors: .nothing)
        switch copier.reap() {
        case .exited(let code): return code
        case .killed(let signal): return signal
        }
    }
}
