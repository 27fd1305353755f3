import DictationService
import DictationSettings
import DictationShared
import DictationSystem
import Foundation
import Logging
import ServiceLifecycle

/// Keeps the history as short as the settings say, and removes private dictations, when nothing is being
/// dictated. Moves what was committed into the database, on its own thread: a slow disk does not delay the
/// hotkey.
actor HistoryKeeper {
    private let executor = ThreadExecutor(name: "history")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let context: AgentContext
    /// A separate connection: a checkpoint has its connection for as long as the disk takes. It stays open:
    /// libdispatch cleans up after one that closes, on a thread that it watches from then on by waking the
    /// process every second.
    private let besides: StateStore
    /// Whether a store of any size may be scrubbed: once after each start. Later that would keep a dictation waiting for
    /// too long, if it began at that moment.
    private var mayScrubAll = true
    /// The newest commit at the last checkpoint.
    private var movedUpTo: Revision = 0
    /// Commits after which a checkpoint is made in the middle of a dictation, as in one of an hour that is typed while it is
    /// spoken: the -wal file has grown to some tens of megabytes by then.
    private static let mostUnmoved: Revision = 5_000
    /// Whether it looks again when limits have been in effect for a minute.
    private var waitsForLimits = false
    private let nudges: AsyncStream<Void>
    private let nudge: AsyncStream<Void>.Continuation

    init(context: AgentContext) {
        self.context = context
        besides = StateStore(besides: context.store)
        (nudges, nudge) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// There is something to do only when a dictation is done, or the store grows while none is.
    nonisolated func notice(_ changes: ChangeSet) {
        let isOfInterest = changes.dictations.contains {
            $0.isDone || $0.delivery == .pending || $0.isGrowthClaimed
        }
        if isOfInterest { nudge.yield() }
    }

    /// Works until the agent stops: at its start, after dictations, and when the settings change.
    nonisolated func run() async {
        let updates = context.settings.updates()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [nudge] in
                for await _ in updates.cancelOnGracefulShutdown() { nudge.yield() }
                nudge.finish()
            }
            for await _ in nudges { await tidyUp() }
        }
    }

    private func tidyUp() {
        let store = context.store
        do { try makeCheckpoint() } catch { context.logger.warning("checkpoint: \(error)") }
        do {
            let removed = try store.removeFinishedPrivate()
            // A dictation that begins now would wait for the rest. Its end comes here again.
            guard try store.unfinished().isEmpty else { return }
            try store.expire()
            let old = try removeSuperfluous()
            if !old.isEmpty {
                context.logger.debug("\(old.count.counted("old dictation")) removed from the history")
            }
            guard try store.unfinished().isEmpty else { return }
            try store.scrub(largest: removed.isEmpty && !mayScrubAll ? StateStore.soonScrubbed : .max)
            mayScrubAll = false
            // No search waits for these texts now.
            while try store.unfinished().isEmpty, try store.makeSignatures() > 0 {}
        } catch {
            context.logger.warning("the history cannot be tidied up: \(error)")
        }
    }

    /// Removes what is more than the limits allow. Limits that have changed within the last minute wait for its end.
    ///
    /// - Returns: the removed dictations.
    private func removeSuperfluous() throws -> [DictationID] {
        let recent = context.settings.recentLimits
        guard recent.count == 1, let limits = recent.first else {
            if !waitsForLimits { Task { await waitForLimits() } }
            waitsForLimits = true
            return []
        }
        let retention = Retention(count: limits.count.number, days: limits.days.number)
        return try besides.applyRetention(retention) { try context.store.unfinished().isEmpty }
    }

    private func waitForLimits() async {
        // Ends early only with the agent; the next one applies the limits at its start.
        guard (try? await pause(for: LiveSettings.limitsPeriod)) != nil else { return }
        waitsForLimits = false
        if let limits = context.settings.recentLimits.first, context.settings.recentLimits.count == 1 {
            context.group.audioFiles.removeSuperfluous(limits.recordings)
        }
        nudge.yield()
    }

    /// The first commit behind a checkpoint waits for the disk, and all others wait for it: this has to be none of a
    /// dictation.
    private func makeCheckpoint() throws {
        let revision = try besides.revision()
        guard try besides.unfinished().isEmpty || revision - movedUpTo > Self.mostUnmoved else { return }
        try besides.checkpoint()
        movedUpTo = revision
    }
}

extension RetentionLimit {
    fileprivate var number: Int? {
        switch self {
        case .all: nil
        case .upTo(let number): number
        }
    }
}
