import CLinux
import DictationSystem
import Foundation

/// A store that could not be used and was moved aside: it keeps its name, with the time of the move, and is never
/// overwritten or removed by this program.
public struct DamagedStore: Equatable, Sendable {
    /// Why a store is not used.
    public enum Reason: Equatable, Sendable {
        case damaged(String)
        case foreign
        /// Only the -wal file was moved aside: it belonged to another database.
        case foreignLog

        var words: String {
            switch self {
            case .damaged(let found): "it was damaged: \(found)"
            case .foreign: "it was a database of another program"
            case .foreignLog: "the -wal file belonged to another database"
            }
        }
    }

    /// Where it is now. Its -wal and -shm files, if there were any, are next to it.
    public let path: String
    /// The damage and the rescued dictations, for a person.
    public internal(set) var story: String
    /// Whether the database itself was moved, not its -wal file alone.
    let isWhole: Bool
    let isForeign: Bool

    private static let noteSuffix = ".txt"
    private static let untold = "what was done about it was cut off in the middle"

    /// Moves files of the store aside. Call it under the store's lock.
    static func moveAside(
        _ group: AppGroup, files: [DatabaseFile] = DatabaseFile.allCases, because reason: Reason
    ) throws -> DamagedStore {
        let path = group.database.path
        let base = "\(path).damaged-\(timestamp())"
        var number = 1
        while true {
            let target = number == 1 ? base : "\(base)-\(number)"
            do {
                // The database first: if this process dies in between, the next one moves the rest.
                for file in files where FileIdentity(path: path + file.suffix).exists {
                    try rename(path + file.suffix, to: target + file.suffix)
                }
                return DamagedStore(
                    path: files.contains(.database) ? target : target + DatabaseFile.log.suffix,
                    story: reason.words, isWhole: files.contains(.database), isForeign: reason == .foreign)
            } catch let error as SystemError where error.code == EEXIST {
                number += 1
            }
        }
    }

    /// Moves what is left of a store whose database was moved aside. Call it under the store's lock.
    func moveRest(of group: AppGroup) throws {
        for suffix in DatabaseFile.allCases.map(\.suffix)
        where FileIdentity(path: group.database.path + suffix).exists {
            try Self.rename(group.database.path + suffix, to: path + suffix)
        }
    }

    private static func rename(_ path: String, to target: String) throws {
        do {
            try retryingInterrupted("move \(path) aside") {
                clinux_rename_without_replacing(path, target)
            }
        } catch let error as SystemError where [EINVAL, ENOSYS].contains(error.code) {
            // Some file systems cannot refuse to replace. Under the store's lock no other process creates
            // such a name.
            guard !FileIdentity(path: target).exists else {
                throw SystemError("move \(path) aside", code: EEXIST)
            }
            try retryingInterrupted("move \(path) aside") { Glibc.rename(path, target) }
        }
    }

    /// All that were moved aside in a group, oldest first.
    public static func all(in group: AppGroup) -> [DamagedStore] {
        let prefix = AppGroupConstants.File.database + ".damaged-"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: group.folder.path)) ?? []
        let found = Set(names.filter { $0.hasPrefix(prefix) })
        return found.sorted().compactMap { name in
            let companions = [DatabaseFile.log.suffix, DatabaseFile.index.suffix, noteSuffix]
            let suffix = companions.first(where: name.hasSuffix)
            if let suffix {
                // A -wal file that was moved alone counts separately.
                let owner = String(name.dropLast(suffix.count))
                guard suffix == DatabaseFile.log.suffix, !found.contains(owner) else { return nil }
            }
            let path = group.folder.appendingPathComponent(name).path
            let note = try? String(contentsOfFile: path + noteSuffix, encoding: .utf8)
            return DamagedStore(
                path: path, story: note.map { $0.trimmingCharacters(in: .newlines) } ?? Self.untold,
                isWhole: suffix == nil, isForeign: false)
        }
    }

    /// Whether its note is complete.
    var isNoted: Bool { FileIdentity(path: path + Self.noteSuffix).exists }

    /// Writes a note next to the file, for users who find it there: everything readable was copied.
    func writeNote() {
        let note = path + Self.noteSuffix
        // The note only helps people.
        guard
            let file = try? Descriptor.opening(
                "open \(note)",
                { Glibc.open(note, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600) })
        else { return }
        let bytes = Array((story + "\n").utf8)
        _ = write(file.raw, bytes, bytes.count)
    }

    /// `2026-11-21T16-05-00` (UTC): sorts by time, and needs no quoting in a shell.
    private static func timestamp() -> String {
        var now = time(nil)
        var parts = tm()
        gmtime_r(&now, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let count = strftime(&text, text.count, "%Y-%m-%dT%H-%M-%S", &parts)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
