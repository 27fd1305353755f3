import DictationShared
import Synchronization

/// The recordings that are being recognized: each by one at a time.
final class RecordingsAtWork: Sendable {
    private let ids = Mutex<Set<DictationID>>([])

    /// - Returns: false if it is in progress already.
    func begin(_ id: DictationID) -> Bool { ids.withLock { $0.insert(id).inserted } }

    func end(_ id: DictationID) { ids.withLock { _ = $0.remove(id) } }
}
