import Foundation

/// Why the store could not do what it was asked to.
public enum StoreError: Error, Equatable, Sendable, CustomStringConvertible {
    case noSuchDictation(DictationID)
    /// The database was made by a newer version of this program.
    case newerSchema(path: String)
    /// The file cannot be used as a database, nor moved aside.
    case unusable(path: String, reason: String)
    /// The folder or one of its files was removed or moved, and could not be made anew.
    case vanished(path: String)
    /// The folder or the file system can only be read.
    case readOnly(path: String, reason: String)
    case diskFull(path: String)
    /// What was removed is gone from the database, but another process reads what was before it.
    case tracesLeft(path: String)
    /// The folder became one that cannot be trusted with what a user dictates.
    case refused(AppGroup.Refusal)

    /// Whether it may pass without anybody's work on the store itself, so that what could not be written is worth
    /// keeping.
    public var mayPass: Bool {
        switch self {
        case .noSuchDictation, .tracesLeft: false
        case .newerSchema, .unusable, .vanished, .readOnly, .diskFull, .refused: true
        }
    }

    /// Whether reading goes on meanwhile.
    var hindersOnlyWriting: Bool {
        switch self {
        case .readOnly, .diskFull: true
        case .noSuchDictation, .newerSchema, .unusable, .vanished, .tracesLeft, .refused: false
        }
    }

    public var description: String {
        switch self {
        case .noSuchDictation(let id):
            "There is no dictation \(id). See dictstate history."
        case .newerSchema(let path):
            "\(path) was made by a newer version of VoiceDictation; nothing in it was touched. "
                + "Update this program, or name another app group in \(AppGroupConstants.environmentVariable)."
        case .unusable(let path, let reason):
            "The store \(path) cannot be used: \(reason). Nothing in it was deleted. Look at the disk and at who may "
                + "use the folder; it is tried again by itself."
        case .vanished(let path):
            "\(path) was removed or moved away. Put it back; it is found by itself, or made anew for the next "
                + "dictation."
        case .readOnly(let path, let reason):
            "\(path) can only be read (\(reason)). What is in it stands, nothing new can be kept. Make the folder and "
                + "its disk writable; it is tried again by itself."
        case .diskFull(let path):
            "The disk of \(path) is full. What was said and cannot be written is kept in memory. Free some space; "
                + "it is written then by itself."
        case .tracesLeft(let path):
            "It is forgotten, but a program that reads the store for long keeps its traces in \(path). host-agent "
                + "removes them when it has time, as does the next dictstate forget."
        case .refused(let refusal):
            "\(refusal)"
        }
    }
}
