import DictationShared

/// The note that ``RecordCommand`` makes when a commit has returned: one JSON object a line.
struct CommitMark: Codable, Sendable {
    /// The notes, in the app group's folder.
    static let fileName = "marks"

    let revision: Revision
    /// Whether it must survive a power failure from now on.
    let isDurable: Bool
    /// Its changes: each dictation and intent with all its fields, by identifier.
    let rows: [String: String]
}
