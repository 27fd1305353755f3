import DictationShared
import Foundation
import TestSupport

/// All that happens in a store: for waiting, and for telling a failure's history.
final class StoreLog: Sendable {
    struct Contents: Sendable {
        /// The newest state of each.
        var dictations: [DictationID: DictationState] = [:]
        var intents: [Int64: Intent] = [:]
        var history: [Entry] = []
        /// How many parts of the text that grows were heard.
        var heard = 0
        /// How often an inserter died between the BackSpaces of a text that was being mended.
        var brokenOffMends = 0
        var failure: String?

        /// In the order in which they were begun.
        var inOrder: [DictationState] { dictations.values.sorted { $0.id < $1.id } }
        var isSettled: Bool { dictations.values.allSatisfy { !$0.isUnfinished } }
    }

    struct Entry: Sendable {
        let instant: ContinuousClock.Instant
        let text: String
    }

    private let contents: Observed<Contents>
    private let watcher: StateWatcher

    init(of store: StateStore) throws {
        let contents = Observed(Contents())
        self.contents = contents
        watcher = try StateWatcher(
            store: store, since: 0,
            onChange: { changes in
                let now = ContinuousClock.now
                contents.change { contents in
                    for state in changes.dictations {
                        let hasDied =
                            state.heldGrowth == .inserterDied || state.delivery == .held(.inserterDied)
                        if hasDied, state.insertedCount < contents.dictations[state.id]?.insertedCount ?? 0 {
                            contents.brokenOffMends += 1
                        }
                        contents.dictations[state.id] = state
                        contents.history.append(Entry(instant: now, text: Self.line(state)))
                    }
                    for intent in changes.intents {
                        contents.intents[intent.id] = intent
                        let text = "intent \(intent.id) \(intent.action.name): \(intent.phase)"
                        contents.history.append(Entry(instant: now, text: text))
                    }
                }
            },
            onFailure: { error in contents.change { $0.failure = "\(error)" } })
    }

    var now: Contents { contents.value }

    func beginHearing() { contents.change { $0.heard = 0 } }

    func noteHeard() { contents.change { $0.heard += 1 } }

    func note(_ text: String) {
        let entry = Entry(instant: .now, text: text)
        contents.change { $0.history.append(entry) }
    }

    /// - Returns: nil when it has not happened within the limit.
    func wait<Answer>(within limit: Duration, _ look: (Contents) -> Answer?) async -> Answer? {
        await contents.wait(within: limit, look)
    }

    func stop() { watcher.stop() }

    private static func line(_ state: DictationState) -> String {
        let delivery = state.delivery.map { " \($0)" } ?? ""
        let torn = state.tornScalars > 0 ? " and \(state.tornScalars) scalars" : ""
        let counts = "\(state.insertedCount)\(torn) of \(state.cleanedText.count)"
        let error = state.error.map { " (\($0.code))" } ?? ""
        return
            "revision \(state.revision) …\(state.id.description.suffix(6)) \(state.status)\(delivery) \(counts)\(error)"
    }
}
