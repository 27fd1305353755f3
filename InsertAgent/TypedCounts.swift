import Desktop
import DictationService
import DictationShared
import DictationSystem
import Logging

/// Brings into the store what the backend knows of texts that were typed, and the store does not: how far a killed
/// insert-agent got, and what a window has read late.
final class TypedCounts {
    private let context: AgentContext
    private let typing: any TextTyping
    /// The read part, in Unicode scalars, that is not in the store yet.
    private var lateReadings: [DictationID: Int] = [:]

    init(context: AgentContext, typing: any TextTyping) {
        self.context = context
        self.typing = typing
    }

    /// Holds what a dead insert-agent had claimed. This process has the role, so every claim there is belongs to a dead
    /// one.
    nonisolated(nonsending) func holdWhatADeadOneClaimed() async throws {
        let typed = Dictionary(
            typing.unfinished.map { ($0.text, $0.scalars) },
            uniquingKeysWith: { first, second in max(first, second) })
        let left = Dictionary(
            typing.unfinished.compactMap { record in
                Delivery.undone(in: record).map { (Delivery.record(of: $0.id, by: record.owner), $0.count) }
            }, uniquingKeysWith: min)
        // A recording of a dead host would keep all later texts from being typed.
        try context.store.resolveDeadHost()
        let released = try context.store.releaseClaims(
            of: { _ in true }, typed: { claimant, id in typed[Delivery.record(of: id, by: claimant)] },
            left: { claimant, id in left[Delivery.record(of: id, by: claimant)] },
            reason: { [typing] claimant, id in
                let record = Delivery.record(of: id, by: claimant)
                if typing.unread.contains(record) { return .notResponding }
                return typing.unsurePastes.contains(record) ? .pasteUnsure : nil
            }
        )
        let continued = try context.store.holdContinued()
        // Another process, which cannot ask the display, may have noticed first.
        let recounted = try context.store.recount(
            Dictionary(
                typed.compactMap { record, scalars in Delivery.dictation(in: record).map { ($0, scalars) } },
                uniquingKeysWith: max))
        try context.store.explain(
            Dictionary(
                typing.unsurePastes.compactMap { record in
                    Delivery.dictation(in: record).map { ($0, .pasteUnsure) }
                }, uniquingKeysWith: { $1 }))
        noteUndone(typing.unfinished)
        for state in try context.store.holdFormerTexts() {
            context.logger.warning(
                """
                insert-agent ended while it replaced a selected text, which may be gone from its window. It is held: \
                dictstate insert \(state.id)
                """)
        }
        // Only now: this process, too, may be killed before the store has it.
        await typing.forgetUnfinished()
        for state in released + continued + recounted {
            if state.delivery == .inserted {
                context.logger.notice(
                    "insert-agent ended when it had typed all of dictation \(state.id): \(state.insertedCount.counted("character"))"
                )
                continue
            }
            if state.delivery == .held(.pasteUnsure) {
                context.logger.warning(
                    """
                    insert-agent ended while it pasted dictation \(state.id), and the application may or may not have it. Look, \
                    and if it is not there: dictstate insert \(state.id)
                    """)
                continue
            }
            context.logger.warning(
                """
                insert-agent ended while it typed dictation \(state.id) (\(state.insertedCount) of \
                \(state.cleanedText.count.counted("character"))). The rest is held: dictstate insert \(state.id)
                """)
        }
    }

    /// Counts the characters that a window has read since the typist stopped waiting for it.
    ///
    /// - Returns: the dictations whose count has changed.
    @discardableResult
    nonisolated(nonsending) func countLateReadings() async throws -> [DictationState] {
        let readings = await typing.takeLateReadings()
        noteUndone(readings)
        lateReadings.merge(
            readings.compactMap { record in
                Delivery.dictation(in: record.text).map { ($0, record.scalars) }
            }, uniquingKeysWith: max)
        let recounted = try context.store.recount(lateReadings)
        for state in recounted {
            context.logger.notice(
                """
                dictation \(state.id): the application has read its keys, \(state.insertedCount) of \
                \(state.cleanedText.count) characters
                """)
        }
        lateReadings = [:]
        // Windows that are gone, and texts that were killed before their first key, leave nothing to be counted.
        await typing.forgetUnfinished()
        return recounted
    }

    /// Notes in the store how much of a text was removed by an edit that did not come to its end.
    private func noteUndone(_ records: [TypingRecord]) {
        for record in records {
            guard let (id, count) = Delivery.undone(in: record), let state = try? context.store.dictation(id),
                count < state.insertedCount
            else { continue }
            do {
                try context.store.apply(.undone(count), to: id)
                context.logger.warning(
                    "insert-agent ended while it edited dictation \(id): \(count.counted("character")) are left. The rest is held: dictstate insert \(id)"
                )
            } catch {
                context.logger.error("dictation \(id) cannot be counted again: \(error)")
            }
        }
    }
}

extension TypingRecord {
    /// The inserter that typed.
    fileprivate var owner: Claimant { Claimant(String(text.dropLast(name.count + 1))) }
}
