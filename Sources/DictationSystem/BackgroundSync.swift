import Foundation
import Glibc

/// Syncs new content of a file to the disk, on a separate thread, so that the writer does not wait. A
/// power failure then costs the content since the last request, not all that the kernel has kept in memory
/// for half a minute.
public final class BackgroundSync: Sendable {
    private let requested: WakeUp
    private let over: WakeUp

    /// - Parameter folder: the folder of the file's name, which is brought to the disk with the first request.
    /// - Throws: ``SystemError``.
    public init(of file: Descriptor, in folder: String) throws {
        let requested = try WakeUp()
        let over = try WakeUp()
        let entry = try Descriptor.opening("open \(folder)") {
            open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        }
        self.requested = requested
        self.over = over
        startThread(named: "disk-sync") {
            var isNamed = false
            while let ready = try? waitUntilReadable([requested.raw, over.raw]), !ready.contains(over.raw) {
                requested.clear()
                // If that fails, the content is as safe as it was before.
                _ = fdatasync(file.raw)
                if !isNamed { isNamed = fsync(entry.raw) == 0 }
            }
        }
    }

    deinit { finish() }

    /// Requests a sync of everything written so far. Requests during a sync are merged into one.
    public func request() { requested.signal() }

    /// Ends the thread. Bytes written since the last request are left to the kernel.
    public func finish() { over.signal() }
}
