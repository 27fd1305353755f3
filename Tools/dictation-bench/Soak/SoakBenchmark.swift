import DictationService
import DictationShared
import DictationSystem
import Foundation
import Glibc

/// Dictates once a second, and checks the agents from time to time while they are idle.
struct SoakBenchmark {
    struct Report: Encodable {
        struct Agent: Encodable {
            let name: String
            let residentKiB: Int
            /// Without the pages of files, which the kernel takes back when it needs them.
            let privateKiB: Int
            let descriptors: Int
            let threads: Int
            /// The fewest of all windows of ``SoakBenchmark/window`` at this look.
            let wakeUps: Int
        }
        struct Look: Encodable {
            let minutes: Double
            /// Until then.
            let dictations: Int
            let agents: [Agent]
        }
        let seconds: Double
        let dictations: Int
        let inserted: Int
        /// No speech was found in the recording.
        let withoutWords: Int
        let held: Int
        /// While there was dictation, without the looks.
        let perSecond: Double
        let looks: [Look]
        /// The problems that were found, in words.
        let findings: [String]
    }

    let length: Duration
    let desk: InsertDesk
    /// host-agent first.
    let agents: [Int32]
    let looked: (Report.Look) -> Void

    /// The most that memory may grow after the first look at agents that have dictated, in per cent.
    static let growthLimit = 5.0
    /// From one dictation's begin to the next.
    private static let interval = Duration.seconds(1)
    /// How long each recording is: a second with what follows it, on a machine that is not busy.
    private static let speech: Duration = .milliseconds(500)
    /// The most from one look to the next, and the fewest looks after the first: a figure that is flat over four is flat.
    private static let longestPart = Duration.seconds(300)
    private static let fewestParts = 4.0
    /// The fewest dictations between two looks. The first few let memory grow and open files that stay: a busy machine needs more
    /// time for them.
    private static let fewestDictations = 8
    /// How long no process may wake. A worker thread of libdispatch ends when it has had nothing to do for 5 s: in a shorter
    /// time it would be counted or not by chance. The work after a dictation may take a busy machine a while, so there are more
    /// tries. With a timer, or with polling, such a quiet time would never come.
    private static let window: Duration = .seconds(6)
    private static let mostWindows = 20

    /// The outcomes of the dictations.
    private struct Tally {
        var dictations = 0
        var inserted = 0
        var withoutWords = 0
        var held = 0
        /// The text that the window must have got since the last look.
        var typed = ""
        var findings: [String] = []
        /// While there was dictation.
        var time = Duration.zero
    }

    /// - Parameter titled: given the agents' names before the first look.
    func run(titled: ([String]) -> Void) throws -> Report {
        let begin = ContinuousClock.now
        let parts = max(Self.fewestParts, (length / Self.longestPart).rounded(.up))
        var tally = Tally()
        var looks: [Report.Look] = []
        let follower = try SoakFollower(store: desk.store)
        titled(try agents.map { try usage($0).name })
        for _ in 0..<Int(parts) {
            try look(&looks, &tally, since: begin)
            try dictate(atLeast: length / parts, follower, &tally)
        }
        try look(&looks, &tally, since: begin)
        return Report(
            seconds: begin.duration(to: .now) / .seconds(1), dictations: tally.dictations,
            inserted: tally.inserted, withoutWords: tally.withoutWords, held: tally.held,
            perSecond: Double(tally.dictations) / (tally.time / .seconds(1)), looks: looks,
            findings: tally.findings + Self.findings(in: looks))
    }

    // MARK: - Dictating

    private func dictate(atLeast time: Duration, _ follower: SoakFollower, _ tally: inout Tally) throws {
        let begin = ContinuousClock.now
        let before = tally.dictations
        var next = begin
        while begin.duration(to: .now) < time || tally.dictations - before < Self.fewestDictations {
            let state = try dictate(follower)
            tally.dictations += 1
            tally.typed += state.cleanedText.prefix(state.insertedCount)
            switch (state.phase, state.error.flatMap { FailureCode(rawValue: $0.code) }) {
            case (.ready(.inserted), _): tally.inserted += 1
            case (.failed, .noSpeech), (.failed, .noWords), (.failed, .noVoice): tally.withoutWords += 1
            case (.ready(.held), _): tally.held += 1
            default:
                tally.findings.append(
                    "dictation \(state.id) ended as \(state.status): \(state.error?.message ?? "")")
            }
            // One that took longer delays those that follow.
            next = max(next + Self.interval, .now)
            _ = try desk.interruption.wait(for: [], until: next)
        }
        tally.time += begin.duration(to: .now)
    }

    /// - Returns: a dictation that nothing more happens to.
    private func dictate(_ follower: SoakFollower) throws -> DictationState {
        let before = follower.newest?.id
        _ = try desk.store.submit(.record(.start()))
        let begun = try state(of: follower, "begins") { state in
            state.id != before && (state.status == .recording || !state.isUnfinished)
        }
        if begun.isUnfinished {
            _ = try desk.interruption.wait(for: [], until: .now + Self.speech)
            _ = try desk.store.submit(.record(.stop()))
        }
        return try state(of: follower, "ends") { $0.id != before && !$0.isUnfinished }
    }

    /// Waits until the newest dictation is as it should be.
    private func state(
        of follower: SoakFollower, _ event: String, where isThere: (DictationState) -> Bool
    ) throws -> DictationState {
        while true {
            follower.news.clear()
            if let state = follower.newest, isThere(state) { return state }
            if try desk.interruption.wait(for: [follower.news.raw], until: .now + VirtualDesk.patience)
                .isEmpty
            {
                throw CommandProblem(
                    status: .failed, message: "No dictation \(event): see the logs of the agents.")
            }
        }
    }

    // MARK: - Looking

    private func look(
        _ looks: inout [Report.Look], _ tally: inout Tally, since begin: ContinuousClock.Instant
    ) throws {
        let text = try desk.content(awaiting: tally.typed).text
        if text != tally.typed {
            tally.findings.append(
                "the window has \(text.count) characters and not the \(tally.typed.count) that count as typed"
            )
        }
        tally.typed = ""
        try desk.clear()
        let minutes = begin.duration(to: .now) / .seconds(60)
        let look = Report.Look(
            minutes: minutes, dictations: tally.dictations, agents: try rest())
        looks.append(look)
        looked(look)
    }

    /// Waits for a time in which neither agent wakes.
    private func rest() throws -> [Report.Agent] {
        var fewest = agents.map { _ in Int.max }
        for _ in 0..<Self.mostWindows {
            let before = try agents.map(usage)
            _ = try desk.interruption.wait(for: [], until: .now + Self.window)
            let after = try agents.map(usage)
            let wakeUps = zip(after, before).map { $0.switches(since: $1).voluntary }
            fewest = zip(fewest, wakeUps).map(min)
            if wakeUps.allSatisfy({ $0 == 0 }) { break }
        }
        return try zip(agents.map(usage), fewest).map { usage, wakeUps in
            Report.Agent(
                name: usage.name, residentKiB: usage.resident, privateKiB: usage.privateMemory,
                descriptors: usage.descriptors, threads: usage.switches.count, wakeUps: wakeUps)
        }
    }

    private func usage(_ agent: Int32) throws -> ProcessUsage {
        guard let usage = ProcessUsage(of: agent) else {
            throw CommandProblem(status: .failed, message: "An agent has ended: see its log.")
        }
        return usage
    }

    /// The first look is at agents that have not dictated yet, so the later ones are compared with the
    /// second.
    private static func findings(in looks: [Report.Look]) -> [String] {
        guard looks.count > 2 else { return ["there was no time to compare"] }
        return looks[1].agents.indices.flatMap { index in
            let agents = looks.map { $0.agents[index] }
            return growth(of: agents) + rises(of: "files open", \.descriptors, in: agents)
                + rises(of: "threads", \.threads, in: agents) + wakeUps(of: agents)
        }
    }

    private static func growth(of agent: [Report.Agent]) -> [String] {
        let first = agent[1].residentKiB
        let most = agent.dropFirst(2).map(\.residentKiB).max() ?? 0
        let growth = 100 * Double(most - first) / Double(max(1, first))
        guard growth > growthLimit else { return [] }
        return ["\(agent[1].name) grew from \(first) to \(most) KiB, by \(Columns.number(growth)) %"]
    }

    /// A resource that is made only when it is needed, such as the thread that waits for a lock that another
    /// process holds, may come late, once. A leak comes in every part.
    private static func rises(
        of what: String, _ value: (Report.Agent) -> Int, in agent: [Report.Agent]
    ) -> [String] {
        let counts = agent.dropFirst().map(value)
        let rises = zip(counts, counts.dropFirst()).count { $1 > $0 }
        guard rises > max(1, counts.count / 4) else { return [] }
        let list = counts.map(String.init).joined(separator: ", ")
        return ["\(agent[0].name) has more \(what) again and again: \(list)"]
    }

    private static func wakeUps(of agent: [Report.Agent]) -> [String] {
        let most = agent.map(\.wakeUps).max() ?? 0
        return most == 0
            ? []
            : [
                "\(agent[0].name) woke at least \(most) times in each \(Columns.number(window / .seconds(1))) s of a rest"
            ]
    }
}
