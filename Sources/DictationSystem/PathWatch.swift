import Foundation
import Glibc

/// Reports when files or folders may have changed, in any way: written in place, replaced by a rename, made
/// later, reached through a symbolic link, including changes of their parent folders.
///
/// ```swift
/// let watch = try PathWatch { .init(files: ["/home/me/.config/app/settings.toml"]) }
/// try watch.run { look() }        // on its own thread, until stop()
/// ```
public final class PathWatch: Sendable {
    /// Absolute paths to watch.
    public struct Places: Sendable {
        public var files: [String]
        /// Folders: their entries are watched, also a new one while it is still empty.
        public var folders: [String]

        public init(files: [String] = [], folders: [String] = []) {
            (self.files, self.folders) = (files, folders)
        }
    }

    private let places: @Sendable () -> Places
    private let events: FileEvents
    private let stopping: WakeUp
    private let again: WakeUp

    /// - Parameter places: asked before each look.
    /// - Throws: ``SystemError`` if inotify is unavailable.
    public init(_ places: @escaping @Sendable () -> Places) throws {
        self.places = places
        events = try FileEvents()
        stopping = try WakeUp()
        again = try WakeUp()
    }

    /// Calls `look` now and after each change, on the caller's thread, until ``stop()``.
    ///
    /// - Throws: ``SystemError`` when nothing at all can be watched.
    public func run(_ look: () -> Void) throws {
        var watches: Set<FileEvents.Watch> = []
        while true {
            // The watches first, the look after: a change in between wakes again.
            let wanted = try watchPlaces()
            for old in watches.subtracting(wanted) { events.unwatch(old) }
            watches = wanted
            look()
            guard try waitForChange() else { return }
        }
    }

    /// - Returns: false once it was stopped.
    private func waitForChange() throws -> Bool {
        while true {
            let ready = try waitUntilReadable([events.raw, stopping.raw, again.raw])
            if ready.contains(stopping.raw) { return false }
            let isAsked = ready.contains(again.raw)
            // A look that is asked for from here on is the next one.
            if isAsked { again.clear() }
            if !areOnlyBegun(events.take()) || isAsked { return true }
        }
    }

    /// Whether only files were created, which are empty until their writers close them. A symbolic link
    /// is complete at once, and has no later event.
    private func areOnlyBegun(_ events: [FileEvents.Event]) -> Bool {
        guard events.allSatisfy({ $0.kinds == .entryCreated }) else { return false }
        let places = places()
        guard places.folders.isEmpty else { return false }
        let folders = Set(Self.withTargets(places.files).flatMap(Self.folders(above:)))
        return !events.contains { event in folders.contains { Self.isLink("\($0)/\(event.name)") } }
    }

    private static func folders(above path: String) -> [String] {
        let folder = (path as NSString).deletingLastPathComponent
        return folder.count > 1 ? [folder] + folders(above: folder) : [folder]
    }

    private static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Asks for the places again, and looks.
    public func lookAgain() { again.signal() }

    public func stop() { stopping.signal() }

    /// Watches the folders of each name and of its target.
    private func watchPlaces() throws -> Set<FileEvents.Watch> {
        let places = places()
        var watches: Set<FileEvents.Watch> = []
        let changes: FileEvents.Kinds = [
            .entryCreated, .closedAfterWriting, .entryMovedIn, .entryMovedOut, .entryRemoved,
        ]
        for file in Self.withTargets(places.files) {
            let folder = (file as NSString).deletingLastPathComponent
            watches.formUnion(try watchWay(to: folder, for: changes))
        }
        for folder in Self.withTargets(places.folders) {
            watches.formUnion(try watchWay(to: folder, for: changes))
        }
        return watches
    }

    private static func withTargets(_ paths: [String]) -> Set<String> {
        Set(paths + paths.map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path })
    }

    /// The folder for events in it, or else the nearest existing parent, until the folder is created; and all
    /// parents for being moved, which is not reported below them.
    ///
    /// - Throws: ``SystemError`` if nothing can be watched.
    private func watchWay(to place: String, for wanted: FileEvents.Kinds) throws -> Set<FileEvents.Watch> {
        var watches: Set<FileEvents.Watch> = []
        var kinds = wanted
        var folder = place
        var missing: String?
        while true {
            do {
                watches.insert(try events.watch(folder, for: kinds.union([.renamed, .removed])))
                // A missing folder may have been made before the watch on the folder above.
                if let missing, access(missing, F_OK) == 0 {
                    return watches.union(try watchWay(to: place, for: wanted))
                }
                kinds = []
                missing = nil
            } catch let error as SystemError {
                if folder.count <= 1, watches.isEmpty { throw error }
                if watches.isEmpty {
                    kinds = [.entryCreated, .entryMovedIn]
                    missing = error.code == ENOENT ? folder : nil
                }
            }
            guard folder.count > 1 else { return watches }
            folder = (folder as NSString).deletingLastPathComponent
        }
    }
}
