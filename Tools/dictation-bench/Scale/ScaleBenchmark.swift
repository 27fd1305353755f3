import DictationService
import DictationShared
import DictationSystem
import Foundation
import Glibc

/// Runs each command with an empty store and with a long history.
struct ScaleBenchmark {
    struct Report: Encodable {
        struct Row: Encodable {
            let name: String
            let emptyMilliseconds: Double?
            let fullMilliseconds: Double
            let ratio: Double?
            let goal: String?
            let isReached: Bool?
        }
        let dictations: Int
        let megabytes: Int
        let rows: [Row]
    }

    let dictations: Int
    let count: Int
    let folder: WorkFolder
    let interruption: Interruption
    let progress: (String) -> Void

    /// The goals of a command.
    private enum Goal {
        /// Of the time with an empty store.
        case times(Double)
        /// More than with an empty store.
        case addedMilliseconds(Double)
        case milliseconds(Double)

        var text: String {
            switch self {
            case .times(let factor): "≤ \(factor)×"
            case .addedMilliseconds(let time): "≤ +\(Int(time)) ms"
            case .milliseconds(let time): "≤ \(Int(time)) ms"
            }
        }

        func isReached(empty: Double?, full: Double) -> Bool {
            switch self {
            case .times(let factor): full <= (empty ?? 0) * factor
            case .addedMilliseconds(let time): full - (empty ?? 0) <= time
            case .milliseconds(let time): full <= time
            }
        }
    }

    private static let goals: [String: Goal] = [
        "insert of 20 characters": .times(1.2), "status": .times(1.2), "start": .times(1.2),
        "stop": .times(1.2), "show ID": .times(1.2), "history": .times(1.2),
        "search, common word": .addedMilliseconds(50), "search, rare word": .addedMilliseconds(50),
        "search, unknown word": .addedMilliseconds(50), "stats": .addedMilliseconds(100),
        Self.longestWait: .milliseconds(10),
    ]

    private static let longestWait = "trimming: longest wait"
    /// How many dictations trimming leaves.
    private static let kept = 1_000

    func run() throws -> Report {
        let empty = try measure("empty", dictations: 0)
        let full = try measure("full", dictations: dictations)
        let before = Dictionary(uniqueKeysWithValues: empty.times)
        return Report(
            dictations: dictations, megabytes: full.bytes / 1_000_000,
            rows: full.times.map { name, time in
                let goal = Self.goals[name]
                return .init(
                    name: name, emptyMilliseconds: before[name], fullMilliseconds: time,
                    ratio: before[name].map { time / $0 }, goal: goal?.text,
                    isReached: goal?.isReached(empty: before[name], full: time))
            })
    }

    private func measure(
        _ name: String, dictations: Int
    ) throws -> (times: [(String, Double)], bytes: Int) {
        let place = try folder.makeFolder(name)
        let desk = try InsertDesk(
            folder: place, interruption: interruption, pasteFrom: 0,
            // The host must not trim what is measured.
            settings: "[history]\nkeep-count = \"all\"\nkeep-days = \"all\"\n[sounds]\nplay = false\n",
            environment: try BenchMicrophone.environment(playing: nil, in: place))
        defer { desk.end() }
        var history = LongHistory()
        try history.write(dictations, to: desk.store, ending: Date()) { done in
            progress("\(name) store: \(done) of \(dictations) dictations")
            _ = try interruption.wait(for: [], timeout: 0)
        }
        let size = try FileManager.default.attributesOfItem(atPath: desk.store.group.database.path)[.size]
        try desk.start()
        var times: [(String, Double)] = []
        for agent in ["insert-agent", "host-agent"] {
            let begin = ContinuousClock.now
            try desk.startAgent(agent)
            times.append(("\(agent) ready", begin.duration(to: .now) / .milliseconds(1)))
        }
        try desk.open(.xterm)
        times += try commands(desk, name)
        if dictations > 0 { times += try trim(desk.store) }
        return (times, size as? Int ?? 0)
    }

    private func commands(_ desk: InsertDesk, _ name: String) throws -> [(String, Double)] {
        let dictstate = try StartCommand.dictstate()
        let text = desk.folder.appendingPathComponent("text.txt")
        try Data("Twenty characters ok".utf8).write(to: text)
        func time(_ label: String, _ arguments: [String], accepted: Set<Int32> = [0]) throws -> Double {
            progress("\(name) store: \(label)")
            return Double(
                try ProgramTime.of(
                    [dictstate] + arguments, environment: desk.environment, accepted: accepted, interruption))
                / 1e6
        }
        func median(
            _ label: String, _ arguments: [String], count: Int? = nil, accepted: Set<Int32> = [0]
        ) throws -> (String, Double) {
            // Not counted: the first run fills the caches.
            _ = try time(label, arguments, accepted: accepted)
            let times = try (0..<(count ?? self.count)).map { _ in
                try time(label, arguments, accepted: accepted)
            }
            return (label, times.nearest(toRank: 0.5) ?? 0)
        }
        var rows = [try median("insert of 20 characters", ["insert", "--file", text.path])]
        rows.append(try median("status", []))
        var (starts, stops): ([Double], [Double]) = ([], [])
        for run in 0...count {
            let start = try time("start", ["start"])
            let stop = try time("stop", ["stop"])
            try awaitRest(desk.store)
            if run > 0 {
                starts.append(start)
                stops.append(stop)
            }
        }
        rows.append(("start", starts.nearest(toRank: 0.5) ?? 0))
        rows.append(("stop", stops.nearest(toRank: 0.5) ?? 0))
        let newest = try desk.store.history(limit: 1).first?.id.description.suffix(8) ?? ""
        rows.append(try median("show ID", ["show", String(newest)]))
        rows.append(try median("history", ["history"]))
        rows.append(try median("search, common word", ["history", LongHistory.commonWord]))
        rows.append(try median("search, rare word", ["history", LongHistory.rareWord]))
        rows.append(try median("search, unknown word", ["history", LongHistory.unknownWord]))
        rows.append(try median("stats", ["stats"]))
        // It looks at the microphone and the model as well, which takes seconds.
        rows.append(try median("doctor", ["doctor"], count: 2, accepted: [0, 1]))
        return rows
    }

    /// Waits until nothing is recorded, recognized or typed.
    private func awaitRest(_ store: StateStore) throws {
        let rung = try WakeUp()
        let watcher = try StateWatcher(store: store, since: try store.revision()) { _ in rung.signal() }
        defer { watcher.stop() }
        while try !store.unfinished().isEmpty {
            rung.clear()
            if try !store.unfinished().isEmpty,
                try interruption.wait(for: [rung.raw], timeout: VirtualDesk.patience).isEmpty
            {
                throw Problem(status: .failed, message: "A dictation does not end.")
            }
        }
    }

    /// Trims the history, while another process's part is taken by a thread that dictates.
    private func trim(_ store: StateStore) throws -> [(String, Double)] {
        progress("trimming to \(Self.kept)")
        let speaker = try ScaleSpeaker(group: store.group)
        let begin = MonotonicTime.now()
        let removed = try store.applyRetention(Retention(count: Self.kept, days: nil))
        let elapsed = Double(MonotonicTime.now() - begin) / 1e6
        let waits = try speaker.stop()
        guard removed.count >= dictations - Self.kept else {
            throw Problem(status: .failed, message: "Only \(removed.count) dictations were trimmed.")
        }
        return [("trimming to \(Self.kept)", elapsed), (Self.longestWait, waits.max() ?? 0)]
    }
}
