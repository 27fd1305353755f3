import DictationSystem
import Foundation

/// inotify, as the store's readers need it: for the bell, and for what happens to the files and folders themselves.
struct FolderWatch {
    private let events: FileEvents

    enum Wake: Equatable {
        case stopped
        /// The bell rang.
        case rung
        /// Files or folders were removed, moved, made or given other permissions.
        case rearranged
    }

    /// Removed, moved, or other permissions: a removed file still exists while a process has it open, and its
    /// link count changes, an attribute.
    private static let fate: FileEvents.Kinds = [.attributes, .renamed, .removed]
    private static let departures: FileEvents.Kinds = [.entryRemoved, .entryMovedOut]
    private static let arrivals: FileEvents.Kinds = [.entryCreated, .entryMovedIn]

    /// Watches a store that works: wakes for commits, and when one of its files or folders goes away. Nothing else
    /// is made, renamed or removed in the folder while all is well.
    ///
    /// - Throws: ``WatchLimitError``; ``SystemError``: `ENOENT` when a file is gone already.
    init(ofStoreIn group: AppGroup) throws {
        events = try FileEvents()
        // The database's own files must not be watched: SQLite writes the -wal file before the commit can be seen.
        try events.watch(group.revision.path, for: Self.fate.union(.modified))
        try events.watch(
            group.folder.path, for: Self.fate.union(Self.departures).union(.entryMovedIn))
        // Moving a folder takes all below with it, and says so only for itself.
        for folder in Self.ancestors(of: group.folder.path) {
            _ = try? events.watch(folder, for: .renamed)
        }
    }

    /// Watches for a store's return: the folder, as far as it exists, and its parents.
    init(forReturnOf group: AppGroup) throws {
        events = try FileEvents()
        let comings = Self.fate.union(Self.departures).union(Self.arrivals)
        _ = try? events.watch(group.folder.path, for: comings)
        var isNearest = true
        for folder in Self.ancestors(of: group.folder.path) {
            // The nearest one that exists is where the next part of the path appears, and reports its
            // permissions too.
            if (try? events.watch(folder, for: isNearest ? comings : .renamed)) != nil { isNearest = false }
        }
    }

    /// The folders above, the nearest first.
    private static func ancestors(of path: String) -> [String] {
        var folders: [String] = []
        var rest = Substring(path)
        while let slash = rest.lastIndex(of: "/"), rest.count > 1 {
            rest = rest[..<slash]
            folders.append(rest.isEmpty ? "/" : String(rest))
        }
        return folders
    }

    /// Sleeps until something happens.
    ///
    /// - Parameters:
    ///   - stopping: ends the sleep.
    ///   - again: counts as a rearrangement; it is cleared.
    func sleep(_ stopping: WakeUp, _ again: WakeUp) throws -> Wake {
        let ready = try waitUntilReadable([events.raw, stopping.raw, again.raw])
        if ready.contains(stopping.raw) { return .stopped }
        var wake = Wake.rung
        if ready.contains(again.raw) {
            again.clear()
            wake = .rearranged
        }
        if !events.takeKinds().isSubset(of: .modified) { wake = .rearranged }
        return wake
    }
}
