import DictationSystem
import Glibc

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

    /// Not by Foundation's `Process`: wl-copy goes on in the background for as long as the text is on the clipboard, and
    /// that one would wait for it.
    ///
    /// - Returns: the exit code.
    private static func run(_ text: String) throws -> Int32 {
        let input = try Descriptor.memoryFile(holding: text)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.raw, STDIN_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        let order = ["timeout", "5", "wl-copy", "--type", "text/plain;charset=utf-8"]
        var arguments: [UnsafeMutablePointer<CChar>?] = order.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process: pid_t = 0
        let code = posix_spawnp(&process, order[0], &actions, nil, &arguments, environ)
        guard code == 0 else { throw SystemError("start \(order[0])", code: code) }
        var status: Int32 = 0
        try retryingInterrupted("wait for wl-copy") { waitpid(process, &status, 0) }
        return status & 0x7f == 0 ? (status >> 8) & 0xff : status & 0x7f
    }
}
