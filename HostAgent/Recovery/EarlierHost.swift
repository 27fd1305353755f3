import DictationShared
import Logging

/// Unfinished work of an earlier host: its rows keep all later texts from being typed, so they are ended. If
/// the store cannot be written when this host starts, that is tried again by itself.
final class EarlierHost: Sendable {
    private let store: StateStore
    private let logger: Logger
    private let ours: @Sendable () -> Set<DictationID>
    private let retry: StoreRetry

    /// - Parameter ours: the dictations that this host has begun, and that are still spoken.
    init(in store: StateStore, ours: @escaping @Sendable () -> Set<DictationID>, logger: Logger) {
        self.store = store
        self.ours = ours
        self.logger = logger
        retry = StoreRetry(store: store, name: "earlier-host")
    }

    /// Ends its rows, now or as soon as that is possible. Call it before the first dictation of this host; it
    /// is quick.
    ///
    /// - Parameter whenLate: called on a separate thread when it is done, if it could not be done at once.
    func end(whenLate: @escaping @Sendable () -> Void) {
        do {
            try end()
        } catch {
            logger.error("what an earlier host-agent left cannot be ended now: \(error)")
            tryAgain(whenLate)
        }
    }

    private func tryAgain(_ whenLate: @escaping @Sendable () -> Void) {
        retry.failed { [weak self] in
            do {
                try self?.end()
            } catch {
                // It was reported, and the store reports the cause.
                self?.tryAgain(whenLate)
                return
            }
            whenLate()
        }
    }

    private func end() throws {
        for state in try store.resolveEarlierHost(sparing: ours) {
            logger.notice("dictation \(state.id) was interrupted when host-agent ended")
        }
    }
}
