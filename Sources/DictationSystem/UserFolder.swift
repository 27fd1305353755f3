import Foundation

/// Where a user's own files are, by the XDG base directory specification.
public enum UserFolder: String, CaseIterable, Sendable {
    case configuration = "XDG_CONFIG_HOME"
    case data = "XDG_DATA_HOME"
    /// For what may be lost, such as logs.
    case state = "XDG_STATE_HOME"

    private var usual: String {
        switch self {
        case .configuration: ".config"
        case .data: ".local/share"
        case .state: ".local/state"
        }
    }

    /// An absolute path, without a slash at its end.
    public func path(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        let path = Self.absolute(rawValue, environment) ?? Self.home(environment) + "/" + usual
        return path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// The home of `HOME`, as for the shell's `~` and all other programs; Foundation knows only the one that the system has
    /// noted for the user.
    public static func home(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String {
        absolute("HOME", environment) ?? FileManager.default.homeDirectoryForCurrentUser.path
    }

    /// A relative path is ignored, as the specification says.
    private static func absolute(_ name: String, _ environment: [String: String]) -> String? {
        environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
}
