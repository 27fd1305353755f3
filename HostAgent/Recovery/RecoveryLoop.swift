import Synchronization

/// Recognizes the recordings that nobody listened to: at the start, and each time that ``RecoveryFlow`` sees a reason.
final class RecoveryLoop: Sendable {
    private let recovery: LeftoverRecovery
    private let flow = Mutex(RecoveryFlow())
    private let reasons = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    init(_ recovery: LeftoverRecovery) { self.recovery = recovery }

    func handle(_ event: RecoveryFlow.Event) {
        if flow.withLock({ $0.handle(event) }) { reasons.continuation.yield() }
    }

    /// Works until its task is cancelled.
    ///
    /// - Parameter leftovers: what was there before this host's first dictation.
    func run(_ leftovers: LeftoverRecovery.Stock) async {
        _ = flow.withLock { $0.handle(.started) }
        handle(.ended(isUnheard: await recovery.recover(leftovers)))
        for await _ in reasons.stream {
            handle(.ended(isUnheard: await recovery.recover(recovery.takeStockAgain())))
        }
    }
}
