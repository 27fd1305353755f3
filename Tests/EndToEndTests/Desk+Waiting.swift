import DictationShared
import DictationSystem
import Dispatch
import Foundation
import Synchronization
import TestSupport

/// Waiting for what the programs do, for as long as they need.
extension Desk {
    /// Far more than any awaited event takes.
    static let limit: Duration = .seconds(120)

    /// Waits until a dictation, the newest by default, is as it should be.
    ///
    /// - Throws: ``NotSeen`` when that takes too long.
    @discardableResult
    func waitForDictation(
        _ id: DictationID? = nil, since revision: Revision = 0, where matches: (DictationState) -> Bool
    ) async throws -> DictationState {
        try await wait(
            for: "a dictation \(id.map { "\($0) " } ?? "")as it should be, since revision \(revision)",
            since: revision
        ) { changes in
            changes.dictations.first { (id == nil || $0.id == id) && matches($0) }
        }
    }

    /// Waits until a dictation is gone from the store. A private one goes as soon as it ends, so how it ended
    /// may never be seen.
    func waitForRemoval(of id: DictationID) async throws {
        try await wait(for: "the removal of \(id)") { _ in
            try store.dictation(id) == nil ? () : nil
        }
    }

    /// Waits until every intent in the store is answered: a text may be in its window before the inserter has said so.
    ///
    /// - Returns: all of them.
    func waitForAnswers() async throws -> [Intent] {
        try await wait(for: "the answers to all intents") { _ in
            let intents = try store.changes(since: 0).intents
            let isOpen = intents.contains { $0.phase == .pending || $0.phase == .taken }
            return isOpen ? nil : intents
        }
    }

    /// Checks each change of the store until the condition holds.
    private func wait<Found>(
        for awaited: String, since revision: Revision = 0, _ find: (ChangeSet) throws -> Found?
    ) async throws -> Found {
        let (changes, continuation) = AsyncThrowingStream.makeStream(of: ChangeSet.self)
        let watcher = try StateWatcher(
            store: store, since: revision, onChange: { continuation.yield($0) },
            onFailure: { continuation.finish(throwing: $0) })
        defer { watcher.stop() }
        DispatchQueue.global().asyncAfter(deadline: .now() + (Self.limit / .seconds(1))) {
            continuation.finish()
        }
        for try await changes in changes {
            if let found = try find(changes) { return found }
        }
        try Task.checkCancellation()
        throw notSeen(awaited)
    }

    /// Waits until this much more sound is in the recording: the microphone speaks from the instant at which
    /// it is opened, and on a machine that is slow or busy that may be long after the key was pressed.
    ///
    /// Returns as well when the recording has ended by itself.
    ///
    /// - Throws: ``NotSeen`` when that takes too long, or nothing is recorded.
    func speak(seconds: Double) async throws {
        let earlier = spokenInto.withLock { $0 }
        let wanted = Int(seconds * 16_000) * 2
        let news = Observed(())
        let watcher = try StateWatcher(store: store, since: 0, onChange: { _ in news.change { _ in } })
        let growth = try FolderNews(of: group.audioFolder.path, for: .modified) { _ in news.change { _ in } }
        defer {
            watcher.stop()
            withExtendedLifetime(growth) {}
        }
        var recording: (id: DictationID, begin: Int)?
        let limit = Self.limit + .seconds(seconds)
        let isEnough: Bool? = await news.wait(within: limit) { _ in
            if recording == nil {
                let newest = try? store.unfinished().last { $0.status == .recording }
                // The one before may not yet know that it has ended.
                guard let newest, earlier.map({ $0 < newest.id }) ?? true else { return nil }
                spokenInto.withLock { $0 = newest.id }
                recording = (newest.id, soundBytes(of: newest.id))
            }
            guard let recording else { return nil }
            if soundBytes(of: recording.id) - recording.begin >= wanted { return true }
            return (try? store.dictation(recording.id)?.status) == .recording ? nil : true
        }
        try Task.checkCancellation()
        if isEnough == nil { throw notSeen("\(seconds) s of sound in a recording") }
    }

    private func soundBytes(of id: DictationID) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: group.audio(of: id).path)
        return attributes?[.size] as? Int ?? 0
    }

    private func notSeen(_ awaited: String) -> NotSeen {
        NotSeen(awaited: awaited, dictations: (try? store.history(limit: 10).map(\.account)) ?? [])
    }
}

/// The state that a test waited for in vain, and the dictations that there were instead.
struct NotSeen: Error, CustomStringConvertible {
    let awaited: String
    let dictations: [String]

    var description: String {
        "Not within \(Desk.limit): \(awaited). The newest dictations:\n\(dictations.joined(separator: "\n"))"
    }
}

extension DictationState {
    /// Nothing more happens to it unasked.
    var isSettled: Bool { !isUnfinished }

    /// For the account of a failure.
    var account: String {
        "\(id), revision \(revision): \(status)"
            + (delivery.map { ", \($0)" } ?? "") + (error.map { ", \($0.code): \($0.message)" } ?? "")
            + ", \(timings), heard “\(rawText)”, cleaned “\(cleanedText)”, typed \(insertedCount)"
    }
}
