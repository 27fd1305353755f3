import Foundation

/// Why the store could not do what it was asked to.
public enum StoreError: Error, Equatable, Sendable, CustomStringConvertible {
    case noSuchDictation(DictationID)
    /// The database was made by a newer version of this program.
    case newerSchema(path: String)
    /// The file is a database of another program.
    case foreignDatabase(path: String)
    /// The file cannot be used as a database.
    case unusable(path: String, reason: String)
    /// The folder or one of its files was removed or moved.
    case vanished(path: String)

    public var description: String {
        switch self {
        case .noSuchDictation(let id):
            "There is no dictation \(id). See dictstate history."
        case .newerSchema(let path):
            "\(path) was made by a newer version of VoiceDictation; nothing in it was touched. "
                + "Update this program, or name another app group in \(AppGroupConstants.environmentVariable)."
        case .foreignDatabase(let path):
            "\(path) is a database of another program; nothing in it was touched. Move it away and try again."
        case .unusable(let path, let reason):
            "The store \(path) cannot be used: \(reason). Its text is still in that file; move it away to begin "
                + "with an empty one."
        case .vanished(let path):
            "\(path) was removed or moved away. Start the agent again once the folder is back."
        }
    }
}
