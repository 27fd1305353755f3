import Desktop
import DictationShared
import DictationSystem
import Foundation

/// The objects that `--json` prints; the names are those of docs/store-protocol.md.
struct DictationJSON: Encodable {
    let state: DictationState

    private enum Key: String, CodingKey {
        case id, revision, status, timestamp, partialText, rawText, cleanedText, delivery, heldReason,
            insertedCount, tornScalars, insertedBy, confirmed
        case live, wrongCommits, options, loadingModel
        case target, error, engine, locale, timings
        case isPrivate = "private"
    }

    private enum TargetKey: String, CodingKey {
        case window
        case windowClass = "class"
        case title, pid
    }
    private enum LiveKey: String, CodingKey { case state, heldReason, typed, tentative }
    private enum ErrorKey: String, CodingKey { case code, message, kept }
    private enum TimingKey: String, CodingKey { case recording, recognition, cleaning, typing }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        try object.encode(state.id.description, forKey: .id)
        try object.encode(state.revision, forKey: .revision)
        try object.encode(state.status.rawValue, forKey: .status)
        try object.encode(state.timestamp, forKey: .timestamp)
        try object.encode(state.partialText, forKey: .partialText)
        try object.encode(state.rawText, forKey: .rawText)
        try object.encode(state.cleanedText, forKey: .cleanedText)
        try object.encode(state.delivery?.name, forKey: .delivery)
        if case .held(let reason) = state.delivery { try object.encode(reason.rawValue, forKey: .heldReason) }
        try object.encode(state.insertedCount, forKey: .insertedCount)
        try object.encode(state.tornScalars, forKey: .tornScalars)
        try object.encode(state.route?.way.rawValue, forKey: .insertedBy)
        try object.encode(state.route?.isConfirmed, forKey: .confirmed)
        try object.encode(state.engine, forKey: .engine)
        try object.encode(state.locale, forKey: .locale)
        try object.encode(state.isPrivate, forKey: .isPrivate)
        if state.options != StartOptions() { try object.encode(state.options, forKey: .options) }
        try object.encodeIfPresent(state.loadingModel, forKey: .loadingModel)
        if let growth = state.growth, state.isBeingSpoken {
            var nested = object.nestedContainer(keyedBy: LiveKey.self, forKey: .live)
            try nested.encode(growth.name, forKey: .state)
            try nested.encode(state.heldGrowth?.rawValue, forKey: .heldReason)
            try nested.encode(state.spokenText.typed, forKey: .typed)
            try nested.encode(state.spokenText.tentative, forKey: .tentative)
        }
        if state.wrongCommits > 0 { try object.encode(state.wrongCommits, forKey: .wrongCommits) }
        if let target = state.target {
            var nested = object.nestedContainer(keyedBy: TargetKey.self, forKey: .target)
            try nested.encode(target.id, forKey: .window)
            try nested.encode(target.windowClass, forKey: .windowClass)
            try nested.encode(target.title, forKey: .title)
            try nested.encode(target.pid, forKey: .pid)
        } else {
            try object.encodeNil(forKey: .target)
        }
        if let error = state.error {
            var nested = object.nestedContainer(keyedBy: ErrorKey.self, forKey: .error)
            try nested.encode(error.code, forKey: .code)
            try nested.encode(error.message, forKey: .message)
            try nested.encode(error.kept, forKey: .kept)
        } else {
            try object.encodeNil(forKey: .error)
        }
        var timings = object.nestedContainer(keyedBy: TimingKey.self, forKey: .timings)
        try timings.encode(state.timings.recording, forKey: .recording)
        try timings.encode(state.timings.recognition, forKey: .recognition)
        try timings.encode(state.timings.cleaning, forKey: .cleaning)
        try timings.encode(state.timings.typing, forKey: .typing)
    }
}

/// A line of `watch --json` when dictations are gone.
enum RemovalJSON: Encodable {
    /// This one is gone.
    case removed(DictationID, Revision)
    /// All are gone that do not follow.
    case startAnew(Revision)

    private enum Key: String, CodingKey { case id, removed, reset, revision }

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Key.self)
        switch self {
        case .removed(let id, let revision):
            try object.encode(id.description, forKey: .id)
            try object.encode(true, forKey: .removed)
            try object.encode(revision, forKey: .revision)
        case .startAnew(let revision):
            try object.encode(true, forKey: .reset)
            try object.encode(revision, forKey: .revision)
        }
    }
}

/// The first line of `watch --json` if there is no dictation, so that a reader always gets one.
struct NothingJSON: Encodable {
    let status = DictationStatus.idle.rawValue
    let revision: Revision

    private enum CodingKeys: String, CodingKey { case status, revision }
}
