import CLinux
import DictationSystem
import Foundation

/// inotify, as the store's readers need it: for the bell, and for what happens to the files and folders themselves.
struct FolderWatch {
    private let inotify: Descriptor

    enum Wake: Equatable {
        case stopped
        /// The bell rang.
        case rung
        /// Files or folders were removed, moved, made or given other permissions.
        case rearranged
    }

    /// Removed, moved, or other permissions: a removed file lives on while a process has it open, and its link count
    /// changes, an attribute.
    private static let fate = UInt32(IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF)
    private static let departures = UInt32(IN_DELETE | IN_MOVED_FROM)
    private static let arrivals = UInt32(IN_CREATE | IN_MOVED_TO)

    /// Watches a store that works: wakes for commits, and when one of its files or folders goes away. Nothing else
    /// is made, renamed or removed in the folder while all is well.
    ///
    /// - Throws: ``SystemError``: `ENOENT` when a file is gone already.
    init(ofStoreIn group: AppGroup) throws {
        inotify = try Self.open()
        // The database's own files must not be watched: SQLite writes the -wal file before the commit can be seen.
        try add(group.revision.path, UInt32(IN_MODIFY) | Self.fate)
        try add(group.folder.path, Self.fate | Self.departures | UInt32(IN_MOVED_TO))
        // Moving a folder takes all below with it, and says so only for itself.
        for folder in Self.ancestors(of: group.folder.path) { try? add(folder, UInt32(IN_MOVE_SELF)) }
    }

    /// Watches for a store's return: the folder, as far as it is there, and what is above it.
    init(forReturnOf group: AppGroup) throws {
        inotify = try Self.open()
        try? add(group.folder.path, Self.fate | Self.departures | Self.arrivals)
        var isNearest = true
        for folder in Self.ancestors(of: group.folder.path) {
            // The nearest one that exists is where the next part of the path appears, and tells its permissions too.
            let mask = isNearest ? Self.fate | Self.departures | Self.arrivals : UInt32(IN_MOVE_SELF)
            if (try? add(folder, mask)) != nil { isNearest = false }
        }
    }

    private static func open() throws -> Descriptor {
        try .opening("watch the app group (inotify)") {
            inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        }
    }

    private func add(_ path: String, _ mask: UInt32) throws {
        try retryingInterrupted("watch \(path)") { inotify_add_watch(inotify.raw, path, mask) }
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
        let ready = try waitUntilReadable([inotify.raw, stopping.raw, again.raw])
        if ready.contains(stopping.raw) { return .stopped }
        var wake = Wake.rung
        if ready.contains(again.raw) {
            again.clear()
            wake = .rearranged
        }
        // One read takes all events that wait: a burst of commits is one wake-up.
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(inotify.raw, &buffer, buffer.count)
        var offset = 0
        while offset + MemoryLayout<inotify_event>.size <= count {
            let event = buffer.withUnsafeBytes {
                $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            }
            if event.mask & UInt32(IN_MODIFY) == 0 { wake = .rearranged }
            offset += MemoryLayout<inotify_event>.size + Int(event.len)
        }
        return wake
    }
}
