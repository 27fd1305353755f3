import CX11
import Desktop
import DictationSystem
import Foundation

/// Tells whether an input method (ibus, fcitx, uim) is between the keyboard and a window.
///
/// Keys that go through one are answered asynchronously, by another process: when several batches of keys are bound
/// to other characters in between, some are looked up by the wrong map (12 % in xterm with ibus, measured).
struct InputMethod {
    let connection: DisplayConnection

    func isBetween(_ window: WindowInfo) -> Bool {
        let servers = xServers()
        if servers.isEmpty { return false }
        guard let pid = window.pid, let environment = Self.environment(of: pid) else {
            // The window names no process (xterm's does not), or it is not known how that was started: we
            // assume that it uses an input method that runs.
            return true
        }
        return Self.isUsed(environment: environment, servers: servers)
    }

    /// - Parameter servers: the names of the input methods that run, as `XMODIFIERS` names them.
    static func isUsed(environment: [String: String], servers: Set<String>) -> Bool {
        let names = [environment["GTK_IM_MODULE"], environment["QT_IM_MODULE"]].compactMap { $0 }
        if names.contains(where: modules.contains) && !servers.isEmpty { return true }
        guard let modifiers = environment["XMODIFIERS"], let range = modifiers.range(of: "@im=") else {
            return false
        }
        let name = modifiers[range.upperBound...].prefix { $0 != "@" }
        return servers.contains(String(name))
    }

    /// Modules that send keys to another process.
    private static let modules: Set<String> = [
        "ibus", "fcitx", "fcitx5", "uim", "xim", "scim", "hime", "gcin",
    ]

    /// Input methods that serve this display: each owns a selection that `XIM_SERVERS` of the root window names.
    private func xServers() -> Set<String> {
        guard case .words(let atoms)? = connection.property("XIM_SERVERS", of: connection.root) else {
            return []
        }
        return Set(
            atoms.compactMap { atom -> String? in
                guard XGetSelectionOwner(connection.display, atom) != 0,
                    let name = XGetAtomName(connection.display, atom)
                else { return nil }
                defer { XFree(name) }
                let prefix = "@server="
                let text = String(cString: name)
                return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
            })
    }

    /// The variables with which a process was started; nil if they cannot be read.
    private static func environment(of pid: Int32) -> [String: String]? {
        FileManager.default.contents(atPath: "/proc/\(pid)/environ").flatMap(environment(in:))
    }

    /// - Parameter data: as /proc has it. A process may write over it: Chromium's title may take its place, with zeros up
    ///   to the end.
    /// - Returns: nil if that has happened.
    static func environment(in data: Data) -> [String: String]? {
        let entries = data.split(separator: 0, omittingEmptySubsequences: false).dropLast()
        if entries.isEmpty || entries.contains(where: \.isEmpty) { return nil }
        return Dictionary(
            entries.compactMap { entry in
                let parts = String(decoding: entry, as: UTF8.self).split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return parts.count == 2 ? (String(parts[0]), String(parts[1])) : nil
            }, uniquingKeysWith: { first, _ in first })
    }
}
