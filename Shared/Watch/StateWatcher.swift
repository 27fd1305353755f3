import CLinux
import DictationSystem
import Foundation

/// Wakes when any process has committed to the store, and reports the changes.
///
/// A separate thread sleeps in `poll` on the inotify descriptor: that is four times faster than a dispatch
/// source, and costs nothing while nothing happens.
///
/// ```swift
/// let watcher = try StateWatcher(store: store, since: try store.revision()) { changes in
///     for state in changes.dictations { print(state.status) }
/// }
/// ```
public final class StateWatcher: Sendable {
    private let stopping: WakeUp

    /// Begins to watch. Existing changes after `revision` are reported at once.
    ///
    /// A store that vanishes, or cannot be read, is waited for, and read from its beginning when it is back.
    ///
    /// - Parameters:
    ///   - revision: 0 for everything in the store, ``StateStore/revision()`` for what comes from now on.
    ///   - onChange: called on the watcher's thread, with changes in the order of their revisions. States between two
    ///     wake-ups may be skipped over; the newest state of each dictation is never missed.
    ///   - onFailure: the store will not come back; the watcher has stopped.
    /// - Throws: ``WatchLimitError``; ``SystemError`` when inotify is not to be had for another reason.
    public init(
        store: StateStore, since revision: Revision,
        onChange: @escaping @Sendable (ChangeSet) -> Void,
        onFailure: @escaping @Sendable (any Error) -> Void = { _ in }
    ) throws {
        let stopping = try WakeUp()
        let again = try WakeUp()
        // Here, so that the one who asks hears of it where nothing can be watched.
        let generation = store.generation
        let first = Watched(watch: try Self.watchIfThere(store.group), generation: generation)
        self.stopping = stopping
        startThread(named: "state-watcher") {
            let observer = store.addObserver { again.signal() }
            defer { store.removeObserver(observer) }
            do {
                var watched = first
                var last = revision
                // The files may have been replaced before they were watched.
                do { try store.lookAgain() } catch { watched.watch = nil }
                while true {
                    guard let watch = watched.watch, watched.generation == store.generation else {
                        guard let next = try Self.waitUntilUsable(store, stopping, again) else {
                            return
                        }
                        // Other files: the state of the old ones says nothing about these.
                        if next.generation != watched.generation { last = 0 }
                        watched = next
                        continue
                    }
                    do {
                        let changes = try store.changes(since: last)
                        if changes.revision != last {
                            last = changes.revision
                            onChange(changes)
                        }
                        switch try watch.sleep(stopping, again) {
                        case .stopped: return
                        case .rung: break
                        case .rearranged: watched.watch = nil
                        }
                    } catch let error as StoreError where error.isTransient {
                        watched.watch = nil
                    }
                }
            } catch {
                onFailure(error)
            }
        }
    }

    /// The watch, and the opening of the store to which it belongs.
    private struct Watched {
        var watch: FolderWatch?
        let generation: Int
    }

    /// Sleeps until the store can be used.
    ///
    /// - Returns: nil when the watcher stops.
    private static func waitUntilUsable(
        _ store: StateStore, _ stopping: WakeUp, _ again: WakeUp
    ) throws -> Watched? {
        while true {
            // Both watches come before looking, so that nothing happens unseen in between.
            let arrivals = try FolderWatch(forReturnOf: store.group)
            let generation = store.generation
            let watch = try watchIfThere(store.group)
            do {
                try store.lookAgain()
                // A reopened store needs a new watch.
                guard let watch, generation == store.generation else { continue }
                return Watched(watch: watch, generation: generation)
            } catch let error as StoreError where error.isTransient {
                // It was reported already; here it only waits.
            }
            if try arrivals.sleep(stopping, again) == .stopped { return nil }
        }
    }

    /// Looks whether a store can be watched, as each agent has to.
    ///
    /// - Throws: as ``init(store:since:onChange:onFailure:)``.
    public static func check(_ group: AppGroup) throws { _ = try watchIfThere(group) }

    private static func watchIfThere(_ group: AppGroup) throws -> FolderWatch? {
        do {
            return try FolderWatch(ofStoreIn: group)
        } catch let error as SystemError where [ENOENT, ENOTDIR, EACCES].contains(error.code) {
            return nil
        }
    }

    deinit { stop() }

    /// Ends the thread; a call under way still finishes.
    public func stop() { stopping.signal() }

    /// The changes as a sequence, which ends when the task that reads it does.
    ///
    /// - Parameter isWanted: asked on the watcher's thread; what is not wanted wakes no other thread.
    public static func changes(
        of store: StateStore, since revision: Revision,
        where isWanted: @escaping @Sendable (ChangeSet) -> Bool = { _ in true }
    ) -> AsyncThrowingStream<ChangeSet, any Error> {
        AsyncThrowingStream { continuation in
            do {
                let watcher = try StateWatcher(
                    store: store, since: revision, onChange: { if isWanted($0) { continuation.yield($0) } },
                    onFailure: { continuation.finish(throwing: $0) })
                continuation.onTermination = { _ in watcher.stop() }
            } catch {
                continuation.finish(throwing: error)
            }
        }
    }
}
