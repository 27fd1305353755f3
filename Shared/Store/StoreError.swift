import Foundation

/// Why the store could not carry out a call.
public enum StoreError: Error, Equatable, Sendable, CustomStringConvertible {
    case noSuchDictation(DictationID)
    /// The database was made by a newer version of this program.
    case newerSchema(path: String)
    /// The file can neither be used as a database nor moved aside.
    case unusable(path: String, reason: String)
    /// The folder or one of its files was removed or moved, and could not be made again.
    case vanished(path: String)
    /// The folder or the file system can only be read.
    case readOnly(path: String, reason: String)
    case diskFull(path: String)
    /// Another program, which is not ours, keeps the database locked.
    case busy(path: String)
    /// The dictations are gone from the database, but another process reads an older version of it.
    case tracesLeft(path: String)
    /// The folder became one that cannot be trusted with what a user dictates.
    case refused(AppGroup.Refusal)

    /// Whether it may pass without work on the store itself, so that unwritten data is worth
    /// keeping.
    public var isTransient: Bool {
        switch self {
        case .noSuchDictation, .tracesLeft: false
        case .newerSchema, .unusable, .vanished, .readOnly, .diskFull, .busy, .refused: true
        }
    }

    /// Whether another program keeps the database locked, and only that is the matter.
    public static func isBusy(_ error: any Error) -> Bool {
        if case StoreError.busy = error { true } else { false }
    }

    /// Whether reading still works.
    var hindersOnlyWriting: Bool {
        switch self {
        case .readOnly, .diskFull, .busy: true
        case .noSuchDictation, .newerSchema, .unusable, .vanished, .tracesLeft, .refused: false
        }
    }

    public var description: String {
        switch self {
        case .noSuchDictation(let id):
            "There is no dictation \(id). See dictstate history."
        case .newerSchema(let path):
            "\(path) was made by a newer version of VoiceDictation; nothing in it was changed. "
                + "Update this program, or name another group folder in \(AppGroupConstants.environmentVariable)."
        case .unusable(let path, let reason):
            "The store \(path) cannot be used: \(reason). Nothing in it was deleted. Check the disk and the permissions of the "
                + "folder; the agents try again by themselves."
        case .vanished(let path):
            "\(path) was removed or moved away. Put it back, and it is used again; otherwise the next "
                + "dictation creates a new one."
        case .readOnly(let path, let reason):
            "\(path) can only be read (\(reason)). Its contents are safe, but nothing new can be written. Make the "
                + "folder and its disk writable; the agents try again by themselves."
        case .diskFull(let path):
            "The disk of \(path) is full. Free some space; until then the agents keep unwritten dictations in memory."
        case .busy(let path):
            "Another program keeps \(path) locked. Until it lets go, the agents keep unwritten dictations in memory. "
                + "Close that program (a database browser, or an sqlite3 shell); fuser shows its process ID."
        case .tracesLeft(let path):
            "It is deleted, but a program that has been reading the store for a long time keeps traces of it in "
                + "\(path). host-agent removes them later, and so does the next dictstate forget."
        case .refused(let refusal):
            "\(refusal)"
        }
    }
}
