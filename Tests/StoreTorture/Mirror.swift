import DictationShared
import Foundation
import Synchronization

/// The state that a reader builds from the change feed alone: the newest state of everything that it was
/// notified of.
final class Mirror: Sendable {
    struct Report: Codable, Sendable {
        /// The newest revision that was handed over.
        var revision: Revision = 0
        /// How often the watcher handed something over.
        var changeSets = 0
        /// Things that a reader must never see, in words.
        var problems: [String] = []
        /// Each dictation and each intent with all its fields, by identifier.
        var rows: [String: String] = [:]
    }

    private struct State {
        var report = Report()
        var watcher: StateWatcher?
    }
    private let state = Mutex(State())
    private let sawStart = DispatchSemaphore(value: 0)
    private let sawEnd = DispatchSemaphore(value: 0)

    init(of store: StateStore) throws {
        let watcher = try StateWatcher(
            store: store, since: 0, onChange: { [weak self] in self?.take($0) },
            onFailure: { [weak self] in self?.fail($0) })
        state.withLock { $0.watcher = watcher }
    }

    func waitForStart() { sawStart.wait() }

    /// Waits until the last commit of all was handed over.
    func waitForEnd() -> Report {
        sawEnd.wait()
        return state.withLock { state in
            state.watcher?.stop()
            return state.report
        }
    }

    private func take(_ changes: ChangeSet) {
        state.withLock { state in
            let last = state.report.revision
            state.report.changeSets += 1
            if changes.revision <= last {
                state.report.problems.append("revision \(changes.revision) came after \(last)")
            }
            let revisions = changes.dictations.map(\.revision)
            if revisions != revisions.sorted() { state.report.problems.append("out of order: \(revisions)") }
            for revision in revisions + changes.intents.map(\.revision)
            where revision <= last || revision > changes.revision {
                state.report.problems.append("\(revision) is not in \(last + 1)...\(changes.revision)")
            }
            for dictation in changes.dictations {
                state.report.rows[dictation.id.description] = "\(dictation)"
            }
            for intent in changes.intents { state.report.rows["intent \(intent.id)"] = "\(intent)" }
            state.report.revision = changes.revision
        }
        if changes.dictations.contains(where: { $0.engine == Signpost.start }) { sawStart.signal() }
        if changes.dictations.contains(where: { $0.engine == Signpost.end }) { sawEnd.signal() }
    }

    private func fail(_ error: any Error) {
        state.withLock { $0.report.problems.append("the watcher failed: \(error)") }
        sawStart.signal()
        sawEnd.signal()
    }
}
