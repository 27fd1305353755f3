import CLinux
import DictationSystem
import Foundation

/// Wakes when any process has committed to the store, and hands over what changed.
///
/// A thread of its own sleeps in `poll` on the inotify descriptor: that is four times faster than a dispatch source,
/// and costs nothing while nothing happens.
///
/// ```swift
/// let watcher = try StateWatcher(store: store, since: try store.revision()) { changes in
///     for state in changes.dictations { print(state.status) }
/// }
/// ```
public final class StateWatcher: Sendable {
    private let stopping: WakeUp

    /// Begins to watch. Changes after `revision` that are already there are handed over at once.
    ///
    /// - Parameters:
    ///   - revision: 0 for everything in the store, ``StateStore/revision()`` for what comes from now on.
    ///   - onChange: called on the watcher's thread, with changes in the order of their revisions. States between two
    ///     wake-ups may be skipped over; the newest state of each dictation is never missed.
    ///   - onFailure: the store or the folder cannot be read any more; the watcher has stopped.
    /// - Throws: ``SystemError`` when inotify is not to be had.
    public init(
        store: StateStore, since revision: Revision,
        onChange: @escaping @Sendable (ChangeSet) -> Void,
        onFailure: @escaping @Sendable (any Error) -> Void = { _ in }
    ) throws {
        let stopping = try WakeUp()
        let inotify = try Descriptor.opening("watch the app group (inotify)") {
            inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        }
        let bell = store.bell
        // The database's own files must not be watched: SQLite writes the -wal file before the commit can be seen.
        try retryingInterrupted("watch \(bell.path)") {
            inotify_add_watch(inotify.raw, bell.path, UInt32(IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF))
        }
        self.stopping = stopping
        let thread = Thread {
            do {
                var last = revision
                repeat {
                    let changes = try store.changes(since: last)
                    if changes.revision > last {
                        last = changes.revision
                        onChange(changes)
                    }
                } while try Self.sleepUntilRung(inotify, stopping, bell: bell)
            } catch {
                onFailure(error)
            }
        }
        thread.name = "state-watcher"
        thread.start()
    }

    deinit { stop() }

    /// Ends the thread; a call under way still finishes.
    public func stop() { stopping.signal() }

    /// The changes as a sequence, which ends when the task that reads it does.
    public static func changes(
        of store: StateStore, since revision: Revision
    ) -> AsyncThrowingStream<ChangeSet, any Error> {
        AsyncThrowingStream { continuation in
            do {
                let watcher = try StateWatcher(
                    store: store, since: revision, onChange: { continuation.yield($0) },
                    onFailure: { continuation.finish(throwing: $0) })
                continuation.onTermination = { _ in watcher.stop() }
            } catch {
                continuation.finish(throwing: error)
            }
        }
    }

    /// - Returns: false when the watcher is to stop.
    private static func sleepUntilRung(
        _ inotify: Descriptor, _ stopping: WakeUp, bell: RevisionBell
    ) throws -> Bool {
        if try waitUntilReadable([inotify.raw, stopping.raw]).contains(stopping.raw) { return false }
        // One read takes all events that wait: a burst of commits is one wake-up.
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(inotify.raw, &buffer, buffer.count)
        guard count > 0 else { return true }
        var offset = 0
        while offset + MemoryLayout<inotify_event>.size <= count {
            let event = buffer.withUnsafeBytes {
                $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            }
            // A removed file lives on while a process has it open: its link count changes, an attribute.
            if event.mask & UInt32(IN_MODIFY) == 0, !bell.isInPlace() {
                throw StoreError.vanished(path: bell.path)
            }
            offset += MemoryLayout<inotify_event>.size + Int(event.len)
        }
        return true
    }
}
