import DictationShared
import Foundation

/// A program that has begun to write to a store and does not end its transaction, as a database browser with changes that
/// are not saved. It knows nothing of the lock that this project's processes queue at.
public struct ForeignWriter: Sendable {
    private let program: Program

    /// - Returns: when it has the lock.
    public static func start(on group: AppGroup) async throws -> ForeignWriter {
        let script = """
            import sqlite3, sys, threading
            store = sqlite3.connect(sys.argv[1], isolation_level=None)
            store.execute("BEGIN IMMEDIATE")
            print("locked", flush=True)
            threading.Event().wait()
            """
        let program = try Program.start("python3", ["-c", script, group.database.path])
        try await program.waitForLine(containing: "locked")
        return ForeignWriter(program: program)
    }

    /// Ends it.
    public func letGo() async { await program.end() }
}
