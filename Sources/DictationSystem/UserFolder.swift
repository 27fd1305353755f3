import Foundation

/// Where a user's own files are, by the XDG base directory specification.
public enum UserFolder: String, CaseIterable, Sendable {
    case configuration = "XDG_CONFIG_HOME"
    case data = "XDG_DATA_HOME"

    private var usual: String {
        switch self {
        case .configuration: ".config"
        case .data: ".local/share"
        }
    }

    /// An absolute path, without a slash at its end.
    ///
    /// The home is that of `HOME`, as for the shell's `~` and all other programs; Foundation knows only the one that the
    /// system has noted for the user.
    public func path(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        // A relative path is none, as the specification has it.
        let absolute = { (name: String) in environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
        let home = absolute("HOME") ?? FileManager.default.homeDirectoryForCurrentUser.path
        let path = absolute(rawValue) ?? home + "/" + usual
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}
