import Foundation

/// The absolute path of a file of the repository, such as `Tests/Recordings/demo.wav`.
public func repositoryFile(_ path: String) -> String {
    // This file is Tests/TestSupport/Locations.swift.
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: path).path(percentEncoded: false)
}

/// The folder that holds what was built together with the running tests: debug or release, as they are.
public enum BuildFolder {
    /// The absolute path.
    public static let path: String = {
        // The test runner is next to the programs; a bundle is some folders below them.
        let runner = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        var folder = runner.deletingLastPathComponent()
        for _ in 0..<5 {
            if isBuildFolder(folder) { return folder.path(percentEncoded: false).withoutTrailingSlash }
            folder.deleteLastPathComponent()
        }
        #if DEBUG
            return repositoryFile(".build/debug")
        #else
            return repositoryFile(".build/release")
        #endif
    }()

    /// The absolute path of a program of the package, such as `host-agent`.
    public static func program(_ name: String) -> String { path + "/" + name }

    private static func isBuildFolder(_ folder: URL) -> Bool {
        ["host-agent", "insert-agent", "dictstate"].contains { name in
            FileManager.default.isExecutableFile(
                atPath: folder.appending(path: name).path(percentEncoded: false))
        }
    }
}

extension String {
    fileprivate var withoutTrailingSlash: String { hasSuffix("/") && count > 1 ? String(dropLast()) : self }
}
