import DictationSystem
import Foundation

/// The programs of this package.
public enum InstalledProgram {
    /// The one that is installed with the running program; otherwise its name, to find in PATH.
    public static func path(_ name: String) -> String {
        let beside = ChildProcess.thisProgram.deletingLastPathComponent().appendingPathComponent(name)
        return FileManager.default.isExecutableFile(atPath: beside.path) ? beside.path : name
    }
}
