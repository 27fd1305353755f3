import Foundation

/// A program as a shell finds it.
public enum Executable {
    /// Where the shell looks if PATH is not set.
    private static let usualFolders = "/usr/local/bin:/usr/bin:/bin"

    /// - Parameter name: of a program in PATH; or its path, if it has a slash.
    /// - Returns: nil if there is none that this user may run.
    public static func find(_ name: String) -> URL? {
        let folders = ProcessInfo.processInfo.environment["PATH"] ?? usualFolders
        let paths = name.contains("/") ? [name] : folders.split(separator: ":").map { "\($0)/\(name)" }
        return paths.first { FileManager.default.isExecutableFile(atPath: $0) }.map { URL(filePath: $0) }
    }
}
