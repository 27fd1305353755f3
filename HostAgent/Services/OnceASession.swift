import Desktop
import DictationSystem
import Foundation
import Glibc

/// Something that is reported once per session, even if the agents start several times: a file in the
/// session's own folder, which is removed with it.
struct OnceASession {
    let path: String

    /// For this Wayland session: the compositor's socket is another file in the next one.
    ///
    /// - Returns: nil if the environment names no session.
    static func marker(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> OnceASession? {
        guard let socket = DisplaySession.waylandSocket(environment),
            let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/")
        else { return nil }
        var status = stat()
        guard stat(socket, &status) == 0 else { return nil }
        return OnceASession(path: "\(folder)/voicedictation-told-\(status.st_ino)")
    }

    /// - Returns: true for the first one to ask.
    func take() -> Bool {
        let file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        close(file)
        return true
    }
}
