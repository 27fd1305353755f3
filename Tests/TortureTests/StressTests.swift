import DictationShared
import Foundation
import TestSupport
import Testing

@testable import StoreTorture

/// Eight processes on one store: what they commit and what they see must be one story.
@Suite("Stress", .serialized, .timeLimit(.minutes(60)))
struct StressTests {
    private static let commits: Revision = 100_000
    private static let readers = 3
    private static let writers = 3
    /// Processes that do both.
    private static let both = 2

    private struct Member {
        let program: Program
        let report: String
        /// The state that it saw as a reader; nil for those that only write.
        let mirror: String?
        let calls: String
    }

    @Test("100,000 commits of 8 processes: none busy, none skipped, none repeated, and all readers agree")
    func eightProcesses() async throws {
        let folder = try TemporaryFolder("stress")
        let group = try AppGroup(folder: URL(fileURLWithPath: folder.file("group"), isDirectory: true))
        let store = try StateStore(group: group)
        let readers = try (0..<Self.readers).map { try start("read", $0, folder) }
        let writers = try (0..<Self.writers + Self.both).map {
            try start("write", $0, folder, isMirrored: $0 < Self.both)
        }
        for member in readers + writers { try await member.program.waitForLine(containing: "ready") }

        let began = ContinuousClock.now
        _ = try store.begin(target: nil, engine: Signpost.start, locale: "und")
        // One reader sleeps through the middle, as a process does that is stopped in a debugger or swapped out.
        try await waitForRevision(Self.commits / 4, in: store)
        readers[0].program.signal(SIGSTOP)
        try await waitForRevision(Self.commits / 2, in: store)
        readers[0].program.signal(SIGCONT)
        for writer in writers {
            try await writer.program.waitForLine(containing: "written", within: .seconds(500))
        }
        let elapsed = began.duration(to: .now) / .seconds(1)
        let end = try store.begin(target: nil, engine: Signpost.end, locale: "und")
        for member in readers + writers {
            #expect(try await member.program.exitCode == 0, "\(member.program.errors)")
        }

        let reports = try writers.map { try decode(WriteCommand.Report.self, $0.report) }
        // The signposts are commits of ours, the first and the last one.
        let all = [1] + reports.flatMap(\.revisions).sorted() + [end.revision]
        #expect(end.revision > Self.commits)
        #expect(all == Array(1...end.revision), "each revision is given out exactly once")
        let truth = try store.changes(since: 0)
        var rows = Dictionary(uniqueKeysWithValues: truth.dictations.map { ($0.id.description, "\($0)") })
        for intent in truth.intents { rows["intent \(intent.id)"] = "\(intent)" }
        var changeSets: [Int] = []
        for path in (readers + writers).compactMap(\.mirror) {
            let mirror = try decode(Mirror.Report.self, path)
            #expect(mirror.problems.isEmpty)
            #expect(mirror.revision == end.revision)
            #expect(mirror.rows == rows, "a reader ends with the state that the store has")
            changeSets.append(mirror.changeSets)
        }
        let sleeps = try (readers + writers).map { try Self.sleeps(in: $0.calls) }
        // SQLITE_BUSY is what comes when the busy handler has slept in vain for seconds: none of the processes has
        // ended with it. A reader that finds a header half written takes SQLite's own writers' lock for a moment, to
        // see whether there is something to mend; a writer that comes just then sleeps for a millisecond.
        let waits = sleeps.flatMap(\.self).filter(Self.isOfBusyHandler)
        #expect(waits.count * 1_000 < Int(Self.commits), "\(waits.count) waits of a writer for a reader")

        let counts = reports.map(\.revisions.count)
        let fewest = counts.min() ?? 0
        // Fair shares would be equal. A tenth of one is not starvation, and machines differ.
        #expect(fewest * 10 * counts.count > Int(Self.commits), "no writer starves: \(counts)")
        let longest = reports.map(\.longest).max() ?? 0
        report(
            """
            stress: \(end.revision) commits of \(counts.count) writers in \(rounded(elapsed)) s \
            (\(Int(Double(end.revision) / elapsed)) a second); by writer \(fewest) to \(counts.max() ?? 0); \
            longest commit \(rounded(longest)) ms; readers woke \(changeSets.min() ?? 0) to \
            \(changeSets.max() ?? 0) times; a process waited for another one in the middle of a header for \
            \(rounded(Double(sleeps.map { $0.reduce(0, +) }.max() ?? 0) / 1000)) ms in all, and \(waits.count) \
            times for a lock
            """)
    }

    private func start(
        _ command: String, _ number: Int, _ folder: TemporaryFolder, isMirrored: Bool = false
    ) throws -> Member {
        let name = folder.file("\(command)-\(number)")
        let mirror: String? = command == "read" ? "\(name).json" : isMirrored ? "\(name)-mirror.json" : nil
        // Eight busy processes must leave the machine to the tests that run next to this one.
        let program = BuildFolder.program("store-torture")
        var arguments = [
            "-n", "\(lowestPriority)", program, command, folder.file("group"), "--report", "\(name).json",
        ]
        if command == "write" { arguments += ["--until", "\(Self.commits)"] }
        if isMirrored { arguments += ["--mirror", "\(name)-mirror.json"] }
        let running = try Program.start(
            "nice", arguments,
            environment: RecordedCall.environment(log: "\(name).calls"))
        return Member(program: running, report: "\(name).json", mirror: mirror, calls: "\(name).calls")
    }

    /// How long a process has slept each time, in microseconds.
    private static func sleeps(in log: String) throws -> [Int] {
        try RecordedCall.all(in: log).compactMap { if case .sleep(let time) = $0 { time } else { nil } }
    }

    /// SQLite's busy handler sleeps for whole milliseconds (`sqliteDefaultBusyCallback`). A reader that finds the
    /// header of the wal-index half written, because the kernel has put the writer aside just then, looks again
    /// after 1 or 39 n² microseconds (`walTryBeginRead`).
    private static func isOfBusyHandler(_ microseconds: Int) -> Bool { microseconds % 1_000 == 0 }

    private func waitForRevision(_ revision: Revision, in store: StateStore) async throws {
        for try await changes in StateWatcher.changes(of: store, since: try store.revision())
        where changes.revision >= revision { return }
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ path: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }
}

func rounded(_ number: Double) -> String { String(format: "%.1f", number) }
