import DictationShared
import DictationSystem
import Synchronization

/// The newest dictation, as it is now.
final class SoakFollower: Sendable {
    /// The state that the watcher's thread shares with the threads that ask.
    private final class Newest: Sendable {
        let state = Mutex<DictationState?>(nil)

        func take(_ changes: ChangeSet) {
            state.withLock { newest in
                for state in changes.dictations where state.id >= newest?.id ?? state.id { newest = state }
            }
        }
    }

    /// Readable when there is something new.
    let news: WakeUp
    private let held: Newest
    private let watcher: StateWatcher

    init(store: StateStore) throws {
        let (news, held) = (try WakeUp(), Newest())
        (self.news, self.held) = (news, held)
        watcher = try StateWatcher(store: store, since: try store.revision()) { changes in
            held.take(changes)
            news.signal()
        }
    }

    deinit { watcher.stop() }

    /// Nil before the first one.
    var newest: DictationState? { held.state.withLock(\.self) }
}
