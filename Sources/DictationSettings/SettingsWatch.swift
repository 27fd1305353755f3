import DictationSystem
import Foundation
import Glibc

/// Tells when a settings file may have changed, however it is changed: written in place, replaced by a rename, made
/// only later, reached through a symbolic link, its folder included.
final class SettingsWatch: Sendable {
    private let path: String
    private let events: FileEvents
    private let stopping: WakeUp

    /// - Parameter path: absolute.
    init(path: String) throws {
        self.path = path
        events = try FileEvents()
        stopping = try WakeUp()
    }

    /// Calls `look` now and after each change, on the caller's thread, until ``stop()``.
    func run(_ look: () -> Void) throws {
        var watches: Set<FileEvents.Watch> = []
        repeat {
            // The watches first, the look after: what changes in between wakes again.
            let wanted = try watchPlaces()
            for old in watches.subtracting(wanted) { events.unwatch(old) }
            watches = wanted
            look()
        } while try events.wait(stopping: stopping) != nil
    }

    func stop() { stopping.signal() }

    /// Watches the folders of the file's name and of what is behind it.
    private func watchPlaces() throws -> Set<FileEvents.Watch> {
        let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        return try Set([path, resolved]).reduce(into: []) { $0.formUnion(try watchWay(to: $1)) }
    }

    /// The file's folder for what happens in it, or else the nearest one above for one that comes; and all above that
    /// for being moved away themselves, which those below are not told.
    ///
    /// - Throws: ``SystemError`` when nothing at all can be watched.
    private func watchWay(to file: String) throws -> Set<FileEvents.Watch> {
        var watches: Set<FileEvents.Watch> = []
        var kinds: FileEvents.Kinds = [.closedAfterWriting, .entryMovedIn, .entryMovedOut, .entryRemoved]
        var folder = (file as NSString).deletingLastPathComponent
        var missing: String?
        while true {
            do {
                watches.insert(try events.watch(folder, for: kinds.union([.renamed, .removed])))
                // What was missing may have been made before the watch on the folder above.
                if let missing, access(missing, F_OK) == 0 { return watches.union(try watchWay(to: file)) }
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
