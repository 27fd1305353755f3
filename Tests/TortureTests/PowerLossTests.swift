import DictationShared
import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import DictationShared
@testable import StoreTorture

/// The power fails at any instant of a store's life: what was promised is there, and the rest is a state that the
/// store once had.
@Suite("Power loss", .serialized, .timeLimit(.minutes(60)))
struct PowerLossTests {
    /// Different lives of a store.
    private static let lives = TortureSettings.lives
    /// Of each of them.
    private static let cuts = 500

    @Test("wherever the power fails, the store opens, whole, with each text that was ready")
    func anywhere() async throws {
        let seed = TortureSettings.seed
        let began = ContinuousClock.now
        var found = Tally()
        for life in 0..<Self.lives {
            let recording = try await Recording.make(seed: seed + life)
            found += try await inThread { try recording.tally(ofCuts: Self.cuts, seed: seed + life) }
        }
        for failure in found.failures {
            Issue.record("\(failure). Again: TORTURE_SEED=\(seed) swift test --filter PowerLossTests")
        }
        report(
            """
            power loss: seed \(seed), \(found.cuts) cuts in \
            \(rounded(began.duration(to: .now) / .seconds(1))) s; \(found.exact) lost nothing, \(found.behind) \
            fell back by up to \(found.furthest) commits that were not promised
            """)
        #expect(found.behind > 0, "the model loses something, or it proves nothing")
    }

    @Test("a commit that has reached the disk in part is no other program's log")
    func tornFrame() throws {
        let folder = try TemporaryFolder("torn", isInMemory: true)
        let group = try AppGroup(folder: URL(fileURLWithPath: folder.file("group"), isDirectory: true))
        let store = try StateStore(group: group)
        let kept = try store.add(text: "kept", locale: "und")
        let database = try Data(contentsOf: group.database)
        let path = group.database.path + "-wal"
        let before = try Data(contentsOf: URL(fileURLWithPath: path)).count
        // Long enough that the database grows, which changes its first page.
        _ = try store.add(text: String(repeating: "lost ", count: 10_000), locale: "und")
        var log = try Data(contentsOf: URL(fileURLWithPath: path))
        let (header, page) = (24, 4_096)
        for frame in stride(from: before, to: log.count, by: header + page) {
            log.resetBytes(in: frame + header..<frame + header + page)
        }
        let other = try AppGroup(folder: URL(fileURLWithPath: folder.file("other"), isDirectory: true))
        try database.write(to: other.database)
        try log.write(to: URL(fileURLWithPath: other.database.path + "-wal"))
        let notices = Mutex<[String]>([])
        let found = try StateStore(group: other) { notice in notices.withLock { $0.append("\(notice)") } }
        #expect(notices.withLock(\.self).isEmpty)
        #expect(try found.history(limit: 2) == [kept])
    }

    @Test("while one waits for the disk, all others know of its commit")
    func bellBeforeDisk() async throws {
        let recording = try await Recording.make(seed: 1)
        let promised = recording.marks.indices.filter { recording.marks[$0].isDurable }
        #expect(!promised.isEmpty)
        for index in promised {
            let calls = recording.calls[..<recording.returned[index]]
            let rung = calls.lastIndex {
                if case .write(AppGroupConstants.File.revision, _, _) = $0 { true } else { false }
            }
            let synced = calls.lastIndex {
                if case .sync(let file) = $0 { file.hasSuffix("-wal") } else { false }
            }
            #expect(try #require(rung) < #require(synced))
        }
    }

    @Test("a failed sync is reported, and all work continues from memory")
    func refusingDisk() async throws {
        let folder = try TemporaryFolder("refusing", isInMemory: true)
        let group = try AppGroup(folder: URL(fileURLWithPath: folder.file("group"), isDirectory: true))
        let store = try StateStore(group: group)
        let text = try store.add(text: "spoken", locale: "und")
        // No process has the inserter's role: this is the claim of a dead one, which dictstate drops.
        #expect(try store.claimNext(by: .current, patience: .infinity)?.id == text.id)
        let looking = try Program.start(
            BuildFolder.program("dictstate"), [],
            environment: RecordedCall.environment(
                log: folder.file("calls"), folder: group.folder.path, diskRefuses: true
            ).merging([AppGroupConstants.environmentVariable: group.folder.path]) { $1 })
        _ = try await looking.waitForExit()
        #expect(looking.errors.contains("The disk did not take the newest dictation"))
        #expect(try store.dictation(text.id)?.delivery == .held(.inserterDied))
    }

    @Test("a disk that lies about having written is found out, so that these tests can fail")
    func lyingDisk() async throws {
        let recording = try await Recording.make(seed: 1)
        let found = try await inThread {
            try recording.tally(ofCuts: 100, seed: 1, believesSyncs: false, keepsFiles: false)
        }
        #expect(found.failures.contains { $0.contains("promised") })
    }
}

/// The results of the cuts.
struct Tally: Sendable {
    /// The newest commit was there.
    var exact = 0
    /// Some commits that survive a process, but not the power, were gone.
    var behind = 0
    var furthest: Revision = 0
    /// States that must not be, in words.
    var failures: [String] = []

    var cuts: Int { exact + behind }

    static func += (sum: inout Tally, other: Tally) {
        sum.exact += other.exact
        sum.behind += other.behind
        sum.furthest = max(sum.furthest, other.furthest)
        sum.failures += other.failures
    }
}

/// A store's life, call by call.
struct Recording: Sendable {
    let calls: [RecordedCall]
    let marks: [CommitMark]
    /// For each mark the call that wrote it: from then on its commit had returned.
    let returned: [Int]
    /// All rows after each commit.
    let history: [Revision: [String: String]]

    /// The work of the agents is done on one in this many of the results: it takes longer than all the rest.
    private static let recoveredEvery = 4

    /// One power failure.
    struct Cut: CustomStringConvertible {
        let seed: UInt64
        /// Its place among all cuts of this life.
        let number: Int
        /// The call in which the power fails.
        let call: Int
        let loss: DiskModel.Loss
        /// The contents that are found afterward, by file.
        let files: [String: Data]

        var description: String { "life \(seed), call \(call), loss of \(loss)" }
    }

    /// Runs the life of a store in a separate process, and records its system calls.
    static func make(seed: UInt64) async throws -> Recording {
        let folder = try TemporaryFolder("recording")
        let group = folder.file("group")
        try await Program.run(
            BuildFolder.program("store-torture"), ["record", group, "--seed", "\(seed)"],
            environment: RecordedCall.environment(log: folder.file("calls"), folder: group))
        return try Recording(calls: RecordedCall.all(in: folder.file("calls")))
    }

    private init(calls all: [RecordedCall]) throws {
        var calls: [RecordedCall] = []
        var marks: [CommitMark] = []
        var returned: [Int] = []
        var history: [Revision: [String: String]] = [0: [:]]
        var rows: [String: String] = [:]
        for call in all {
            switch call {
            case .write(CommitMark.fileName, _, let bytes):
                let mark = try JSONDecoder().decode(CommitMark.self, from: bytes)
                marks.append(mark)
                returned.append(calls.count)
                rows.merge(mark.rows) { $1 }
                history[mark.revision] = rows
            case .write(let file, _, _), .truncate(let file, _), .sync(let file), .unlink(let file):
                if Self.counts(file) { calls.append(call) }
            case .sleep: break
            }
        }
        (self.calls, self.marks, self.returned, self.history) = (calls, marks, returned, history)
    }

    /// The folder itself, the database, its logs and the bell. The index is shared memory, which ends with the power:
    /// SQLite makes it again.
    private static func counts(_ file: String) -> Bool {
        let names = AppGroupConstants.File.self
        return file.isEmpty || file == names.revision
            || file.hasPrefix(names.database) && !file.hasSuffix("-shm")
    }

    /// At least this many calls create the files and the tables.
    private static let making = 60

    /// Power failures at random calls, and at each of the first, with a random loss.
    func forEachCut(
        of count: Int, seed: UInt64, believesSyncs: Bool = true, _ body: (Cut) throws -> Void
    ) rethrows {
        var random = SeededGenerator(seed: seed)
        // While the files are made, each call is another situation.
        var points = Dictionary(uniqueKeysWithValues: (0..<min(Self.making, calls.count)).map { ($0, 1) })
        for _ in 0..<count { points[Int.random(in: calls.indices, using: &random), default: 0] += 1 }
        var disk = DiskModel()
        disk.believesSyncs = believesSyncs
        var number = 0
        for (index, call) in calls.enumerated() {
            // A sync that is cut has not returned: nothing is sure by it.
            if case .sync = call {} else { disk.carryOut(call) }
            for _ in 0..<(points[index] ?? 0) {
                let loss = DiskModel.Loss.allCases.randomElement(using: &random) ?? .half
                let files = disk.afterPowerLoss(loss, using: &random)
                try body(Cut(seed: seed, number: number, call: index, loss: loss, files: files))
                number += 1
            }
            if case .sync = call { disk.carryOut(call) }
        }
    }

    // MARK: - After the power is back

    /// - Parameter keepsFiles: keeps the files of a failure on the disk.
    func tally(
        ofCuts count: Int, seed: UInt64, believesSyncs: Bool = true, keepsFiles: Bool = true
    ) throws -> Tally {
        var tally = Tally()
        try forEachCut(of: count, seed: seed, believesSyncs: believesSyncs) { cut in
            let problems = try problems(after: cut, &tally)
            if problems.isEmpty { return }
            let place = keepsFiles ? ". The files as they were found are in \(try keep(cut))" : ""
            tally.failures.append("\(cut): \(problems.joined(separator: "; "))\(place)")
        }
        return tally
    }

    /// Opens the files as an agent would, and returns the problems.
    func problems(after cut: Cut, _ tally: inout Tally) throws -> [String] {
        // Only the contents matter; thousands of stores need not wait for a disk.
        let folder = try TemporaryFolder("power-loss", isInMemory: true)
        let group = try write(cut, to: folder.file("group"))
        do {
            let notices = Mutex<[String]>([])
            let store = try StateStore(group: group) { notice in notices.withLock { $0.append("\(notice)") } }
            // States that a disk may have after a power failure are no damage.
            var problems = try notices.withLock(\.self) + Self.damage(in: store)
            let revision = try store.revision()
            let before = marks.indices.prefix { returned[$0] <= cut.call }
            let promised = before.last { marks[$0].isDurable }.map { marks[$0].revision } ?? 0
            let newest = before.last.map { marks[$0].revision } ?? 0
            if revision < promised {
                problems.append("revision \(revision) is there, \(promised) was promised")
            }
            if revision >= newest { tally.exact += 1 } else { tally.behind += 1 }
            tally.furthest = max(tally.furthest, newest - revision)
            if try Self.rows(of: store) != history[revision] {
                problems.append("what is there is not what the store had at revision \(revision)")
            }
            if cut.number.isMultiple(of: Self.recoveredEvery) {
                problems += try recover(store, from: revision)
            }
            return problems
        } catch {
            return ["it cannot be used: \(error)"]
        }
    }

    private static func damage(in store: StateStore) throws -> [String] {
        try store.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }.filter { $0 != "ok" }
    }

    private static func rows(of store: StateStore) throws -> [String: String] {
        let changes = try store.changes(since: 0)
        var rows = Dictionary(
            changes.dictations.map { ($0.id.description, "\($0)") },
            // A damaged index may give a row twice: both are kept, and so it is seen.
            uniquingKeysWith: { $0 + $1 })
        for intent in changes.intents { rows["intent \(intent.id)"] = "\(intent)" }
        return rows
    }

    /// Recovers as both agents do when they start, and then does the work that was left.
    private func recover(_ store: StateStore, from revision: Revision) throws -> [String] {
        for role in AgentRole.allCases { try store.refuseAbandonedIntents(of: role) }
        let claimed = try store.unfinished().filter { if case .claimed = $0.delivery { true } else { false } }
        let held = try store.releaseClaims(of: { _ in true })
        var problems: [String] = []
        if Set(held.map(\.id)) != Set(claimed.map(\.id)) { problems.append("a dead claim is left") }
        for left in try store.unfinished() where left.status != .ready {
            try store.apply(.failed(.noSpeech), to: left.id)
        }
        while let state = try store.claimNext(by: .current, patience: .infinity) {
            try store.apply(.inserted(milliseconds: 1), to: state.id)
        }
        if try !store.unfinished().isEmpty { problems.append("something is stuck") }
        let newest = try store.revision()
        let next = try store.begin(target: nil, engine: "torture", locale: "und")
        if next.revision != newest + 1 || newest < revision { problems.append("revisions do not go on") }
        try store.checkpoint()
        return try problems + Self.damage(in: store)
    }

    private func write(_ cut: Cut, to path: String) throws -> AppGroup {
        let group = try AppGroup(folder: URL(fileURLWithPath: path, isDirectory: true))
        for (file, contents) in cut.files {
            try contents.write(to: group.folder.appendingPathComponent(file))
        }
        return group
    }

    /// Keeps the files for inspection.
    func keep(_ cut: Cut) throws -> String {
        let path = NSTemporaryDirectory() + "voicedictation-power-loss-\(cut.seed)-\(cut.call)"
        try? FileManager.default.removeItem(atPath: path)
        _ = try write(cut, to: path)
        return path
    }
}
