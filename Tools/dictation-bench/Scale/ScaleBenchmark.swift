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

    /// One of the two stores, with its agents on a display of their own.
    private struct Side {
        let name: String
        let desk: InsertDesk
        let bytes: Int
    }

    /// A command that is run with both stores.
    private struct Command {
        let label: String
        let arguments: [String]
        var count: Int?
        var accepted: Set<Int32> = [0]
    }

    func run() throws -> Report {
        let empty = try open("empty", dictations: 0)
        defer { empty.desk.end() }
        let full = try open("full", dictations: dictations)
        defer { full.desk.end() }
        // In turns, so that a slow minute of the machine is one for both.
        let sides = [empty, full]
        var rows = try startAgents(sides) + commands(sides)
        rows += try trim(full, beside: empty)
        return Report(
            dictations: dictations, megabytes: full.bytes / 1_000_000,
            rows: rows.map { name, times in
                let (empty, full) = (times[0], times[1] ?? 0)
                let goal = Self.goals[name]
                return .init(
                    name: name, emptyMilliseconds: empty, fullMilliseconds: full,
                    ratio: empty.map { full / $0 }, goal: goal?.text,
                    isReached: goal?.isReached(empty: empty, full: full))
            })
    }

    private func open(_ name: String, dictations: Int) throws -> Side {
        let place = try folder.makeFolder(name)
        let desk = try InsertDesk(
            folder: place, interruption: interruption, pasteFrom: 0,
            // The host must not trim the measured history.
            settings: "[history]\nkeep-count = \"all\"\nkeep-days = \"all\"\n[sounds]\nplay = false\n",
            environment: try BenchMicrophone.environment(playing: nil, in: place))
        do {
            var history = LongHistory()
            try history.write(dictations, to: desk.store, ending: Date()) { done in
                progress("\(name) store: \(done) of \(dictations) dictations")
                _ = try interruption.wait(for: [], until: .now)
            }
            let size = try FileManager.default.attributesOfItem(atPath: desk.store.group.database.path)[.size]
            try desk.start()
            return Side(name: name, desk: desk, bytes: size as? Int ?? 0)
        } catch {
            desk.end()
            throw error
        }
    }

    /// - Returns: rows with a time for each side, in milliseconds.
    private func startAgents(_ sides: [Side]) throws -> [(String, [Double?])] {
        let rows = try ["insert-agent", "host-agent"].map { agent in
            (
                "\(agent) ready",
                try sides.map { side -> Double? in
                    let begin = ContinuousClock.now
                    try side.desk.startAgent(agent)
                    return begin.duration(to: .now) / .milliseconds(1)
                }
            )
        }
        for side in sides { try side.desk.open(.xterm) }
        return rows
    }

    private func commands(_ sides: [Side]) throws -> [(String, [Double?])] {
        let text = folder.url.appendingPathComponent("text.txt")
        try Data("Twenty characters ok".utf8).write(to: text)
        var rows = try [
            Command(label: "insert of 20 characters", arguments: ["insert", "--file", text.path]),
            Command(label: "status", arguments: []),
        ].map { try medians($0, sides) }
        rows += try recordings(sides)
        rows += try [
            Command(label: "show ID", arguments: ["show", Self.newest]),
            Command(label: "history", arguments: ["history"]),
            Command(label: "search, common word", arguments: ["history", LongHistory.commonWord]),
            Command(label: "search, rare word", arguments: ["history", LongHistory.rareWord]),
            Command(label: "search, unknown word", arguments: ["history", LongHistory.unknownWord]),
            Command(label: "stats", arguments: ["stats"]),
            // It also checks the microphone and the model, which takes seconds.
            Command(label: "doctor", arguments: ["doctor"], count: 2, accepted: [0, 1]),
        ].map { try medians($0, sides) }
        return rows
    }

    /// A placeholder for the newest dictation of a store.
    private static let newest = "NEWEST"

    private func medians(_ command: Command, _ sides: [Side]) throws -> (String, [Double?]) {
        var times = sides.map { _ in [Double]() }
        for run in 0...(command.count ?? count) {
            for (index, side) in sides.enumerated() {
                let time = try time(command, side)
                // Not counted: the first run fills the caches.
                if run > 0 { times[index].append(time) }
            }
        }
        return (command.label, times.map { $0.nearest(toRank: 0.5) })
    }

    private func time(_ command: Command, _ side: Side) throws -> Double {
        progress("\(side.name) store: \(command.label)")
        let arguments = try command.arguments.map { argument in
            argument == Self.newest
                ? String(try side.desk.store.history(limit: 1).first?.id.description.suffix(8) ?? "")
                : argument
        }
        return Double(
            try ProgramTime.of(
                [StartCommand.dictstate()] + arguments, environment: side.desk.environment,
                accepted: command.accepted, interruption)) / 1e6
    }

    private func recordings(_ sides: [Side]) throws -> [(String, [Double?])] {
        var (starts, stops) = (sides.map { _ in [Double]() }, sides.map { _ in [Double]() })
        for run in 0...count {
            for (index, side) in sides.enumerated() {
                let start = try time(Command(label: "start", arguments: ["start"]), side)
                let stop = try time(Command(label: "stop", arguments: ["stop"]), side)
                try awaitRest(side.desk.store)
                if run > 0 {
                    starts[index].append(start)
                    stops[index].append(stop)
                }
            }
        }
        return [
            ("start", starts.map { $0.nearest(toRank: 0.5) }),
            ("stop", stops.map { $0.nearest(toRank: 0.5) }),
        ]
    }

    /// Waits until nothing is recorded, recognized or typed.
    private func awaitRest(_ store: StateStore) throws {
        let rung = try WakeUp()
        let watcher = try StateWatcher(store: store, since: try store.revision()) { _ in rung.signal() }
        defer { watcher.stop() }
        while try !store.unfinished().isEmpty {
            rung.clear()
            if try !store.unfinished().isEmpty,
                try interruption.wait(for: [rung.raw], until: .now + VirtualDesk.patience).isEmpty
            {
                throw CommandProblem(status: .failed, message: "A dictation does not end.")
            }
        }
    }

    /// Trims the history, while another process's part is taken by a thread that dictates. It dictates as long into the
    /// empty store, which shows how long the machine itself lets it wait.
    private func trim(_ full: Side, beside empty: Side) throws -> [(String, [Double?])] {
        progress("trimming to \(Self.kept)")
        let speaker = try ScaleSpeaker(group: full.desk.store.group)
        let begin = MonotonicTime.now()
        let removed = try full.desk.store.applyRetention(Retention(count: Self.kept, days: nil))
        let elapsed = MonotonicTime.now() - begin
        let waits = try speaker.stop()
        guard removed.count >= dictations - Self.kept else {
            throw CommandProblem(status: .failed, message: "Only \(removed.count) dictations were trimmed.")
        }
        let undisturbed = try ScaleSpeaker(group: empty.desk.store.group)
        MonotonicTime.pause(nanoseconds: Int(elapsed))
        let others = try undisturbed.stop()
        return [
            ("trimming to \(Self.kept)", [nil, Double(elapsed) / 1e6]),
            (Self.longestWait, [others.max(), waits.max() ?? 0]),
        ]
    }
}
