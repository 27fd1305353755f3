import ArgumentParser
import DictationShared
import DictationSystem
import Foundation
import Glibc
import TestSupport

/// The life of a store, whose system calls the power-loss test records.
struct RecordCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "record",
        abstract: "Do all that agents do with a store, at random, and say after each commit what it holds.")

    @Argument(help: "The app group's folder; it must not exist.")
    var folder: String
    @Option(help: "Repeats the same steps.")
    var seed: UInt64
    @Option(help: "How many steps are tried.")
    var steps = 600

    func run() throws {
        var scribe = try Scribe(folder: URL(fileURLWithPath: folder, isDirectory: true), seed: seed)
        for _ in 0..<steps { try scribe.step() }
    }
}

/// Tries random steps, refused ones included.
private struct Scribe {
    private let group: AppGroup
    private let marks: Descriptor
    private var opened: StateStore?
    private var random: SeededGenerator
    private var last: Revision = 0
    /// Not settled for good, so that most steps find a dictation that they fit.
    private var open: [DictationID] = []
    private var clock = Date(timeIntervalSince1970: 1_700_000_000)

    init(folder: URL, seed: UInt64) throws {
        group = try AppGroup(folder: folder)
        let path = folder.appendingPathComponent(CommitMark.fileName).path
        // Its calls are recorded like all others: so it is known which commits had returned at any instant.
        marks = try .opening("open \(path)") {
            Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        }
        random = SeededGenerator(seed: seed)
    }

    mutating func step() throws {
        clock += Double.random(in: 0...2, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<12: try begin()
        case 12..<16: try add()
        case 16..<22: try command()
        case 22..<28: try commit(isDurable: false) { try $0.checkpoint() }
        // As when the agents are restarted: the last connection closes, and another one is opened.
        case 28: opened = nil
        default: try transition()
        }
    }

    private mutating func store() throws -> StateStore {
        let store = try opened ?? StateStore(group: group)
        opened = store
        return store
    }

    private mutating func begin() throws {
        let now = clock
        let id = DictationID(date: now)
        let target = WindowInfo(id: 0x60_0001, windowClass: "XTerm", title: "Letter", pid: 4711)
        try commit(isDurable: false) {
            _ = try $0.begin(id, target: target, engine: "torture", locale: "en-US", at: now)
        }
        open.append(id)
    }

    private mutating func add() throws {
        let (text, now) = (text(), clock)
        try commit(isDurable: true) { _ = try $0.add(text: text, locale: "und", at: now) }
    }

    private mutating func command() throws {
        let (newest, now) = (open.last, clock)
        try commit(isDurable: false) { _ = try $0.submit(.insert(newest), at: now) }
        guard Bool.random(using: &random) else { return }
        var taken: [Intent] = []
        try commit(isDurable: false) { taken = try $0.takeIntents(for: .inserter, at: now) }
        for intent in taken where Bool.random(using: &random) {
            try commit(isDurable: false) { try $0.answer(intent.id, .refused("torture")) }
        }
    }

    private mutating func transition() throws {
        guard let id = open.randomElement(using: &random), let state = try store().dictation(id) else {
            return
        }
        guard let transition = likely(for: state).randomElement(using: &random) else {
            open.removeAll { $0 == id }
            return
        }
        let now = clock
        try commit(isDurable: transition.survivesPowerLoss) { _ = try $0.apply(transition, to: id, at: now) }
    }

    private mutating func likely(for state: DictationState) -> [DictationTransition] {
        switch state.phase {
        case .starting: return [.recordingStarted]
        case .recording:
            return [.partial(text(atMost: 60)), .partial(text()), .processingStarted(recording: 900)]
        case .processing:
            let heard = text()
            let ready = DictationTransition.recognized(.init(rawText: heard.lowercased(), cleanedText: heard))
            return [ready, ready, .partial(text(atMost: 60)), .failed(.noSpeech), .cancelled]
        case .ready(.pending): return [.claimed(by: Claimant("boot/1/2")), .discarded]
        case .ready(.claimed):
            let left = state.insertedCount...state.cleanedText.count
            let progress = DictationTransition.progress(.random(in: left, using: &random))
            return [progress, progress, .inserted(milliseconds: 20), .held(.focusMoved)]
        case .ready(.held): return [.requeued, .discarded]
        case .ready, .failed, .cancelled: return []
        }
    }

    /// Some fit into one page of the database, some need several.
    private mutating func text(atMost limit: Int? = nil) -> String {
        let length = limit ?? (Int.random(in: 0..<8, using: &random) == 0 ? 12_000 : 300)
        let words = ["patient", "Grüße", "commit", "“quoted”", "世界", "and", "so", "on"]
        var text = "Dictated"
        for _ in 0..<Int.random(in: 1...length / 6, using: &random) {
            text += " " + (words.randomElement(using: &random) ?? "")
        }
        return text
    }

    private mutating func commit(isDurable: Bool, _ body: (StateStore) throws -> Void) throws {
        let store = try store()
        do { try body(store) } catch is TransitionRefused { return }
        let changes = try store.changes(since: last)
        guard changes.revision > last else { return }
        last = changes.revision
        var rows = Dictionary(uniqueKeysWithValues: changes.dictations.map { ($0.id.description, "\($0)") })
        for intent in changes.intents { rows["intent \(intent.id)"] = "\(intent)" }
        let mark = CommitMark(revision: last, isDurable: isDurable, rows: rows)
        let line = try JSONEncoder().encode(mark) + Data("\n".utf8)
        let written = line.withUnsafeBytes { write(marks.raw, $0.baseAddress, $0.count) }
        guard written == line.count else { throw SystemError("write a mark") }
    }
}

extension DictationTransition {
    /// The promise of docs/store-protocol.md, repeated here, so that a change of the store is noticed.
    fileprivate var survivesPowerLoss: Bool {
        switch self {
        case .recognized, .failed, .inserted, .held, .discarded, .recounted: true
        default: false
        }
    }
}
