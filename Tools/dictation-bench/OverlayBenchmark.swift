import DesktopX11
import DictationService
import Foundation

/// Taps the hotkey, as a user would, and measures the drawing requests to the X server.
struct OverlayBenchmark {
    struct Report: Encodable {
        struct Milliseconds: Encodable {
            let p50: Double
            let p95: Double
            let max: Double

            init(_ times: [Double]) {
                p50 = times.nearest(toRank: 0.5) ?? 0
                p95 = times.nearest(toRank: 0.95) ?? 0
                max = times.nearest(toRank: 1) ?? 0
            }
        }
        struct Agent: Encodable {
            let name: String
            let idleKiB: Int
            let recordingKiB: Int
            /// Of one core, of the whole process.
            let idlePercent: Double
            let recordingPercent: Double
        }
        /// From the press of the key to the picture.
        let visible: Milliseconds
        let trials: Int
        let framesPerSecond: Double
        /// From one picture to the next.
        let interval: Milliseconds
        /// Of one core, of the thread that draws.
        let idlePercent: Double
        let recordingPercent: Double
        let seconds: Double
        let agents: [Agent]
    }

    let trials: Int
    let seconds: Double
    let desk: VirtualDesk
    /// host-agent first.
    let agents: [Int32]
    let watch: DrawingWatch

    /// Not counted: a program's first time is slower than all others, and comes once a day.
    private static let warmUp = 2
    /// Changes within so short a time are seen as one picture: the ring, the time and the words are sent one by one.
    private static let together = Duration.milliseconds(5)
    /// The name of the thread that draws.
    private static let thread = "overlay"
    private static let patience = Duration.seconds(30)

    func run() throws -> Report {
        var times: [Double] = []
        for trial in 0..<Self.warmUp + trials {
            let time = try begin()
            if trial >= Self.warmUp { times.append(time) }
            try follow(for: .milliseconds(300))
            try finish()
        }
        let before = try usage()
        try follow(for: .seconds(seconds))
        let rested = try usage()
        _ = try begin()
        // The first words, and the window's first pictures, are past.
        try follow(for: .seconds(1))
        let started = try usage()
        let frames = try follow(for: .seconds(seconds))
        let ended = try usage()
        try finish()
        let intervals = zip(frames, frames.dropFirst()).map { $0.duration(to: $1) / .milliseconds(1) }
        return Report(
            visible: .init(times), trials: times.count,
            framesPerSecond: Double(frames.count) / ended.since(started),
            interval: .init(intervals), idlePercent: rested.threadPercent(since: before),
            recordingPercent: ended.threadPercent(since: started), seconds: seconds,
            agents: agents.indices.map { index in
                Report.Agent(
                    name: rested.all[index].name, idleKiB: rested.all[index].resident,
                    recordingKiB: ended.all[index].resident,
                    idlePercent: rested.percent(of: index, since: before),
                    recordingPercent: ended.percent(of: index, since: started))
            })
    }

    /// - Returns: milliseconds from the press to the picture.
    private func begin() throws -> Double {
        let pressed = try watch.tap("F9")
        try wait(for: .shown)
        return pressed.duration(to: try wait(for: .drawn)) / .milliseconds(1)
    }

    private func finish() throws {
        _ = try watch.tap("Escape")
        try wait(for: .hidden)
        // The recording is canceled, and the machine becomes idle.
        try follow(for: .milliseconds(500))
    }

    @discardableResult
    private func wait(for kind: DrawingWatch.Kind) throws -> ContinuousClock.Instant {
        let deadline = ContinuousClock.now + Self.patience
        while let event = try next(before: deadline) { if event.kind == kind { return event.time } }
        throw CommandProblem(
            status: .failed,
            message: "The overlay was not \(kind) within \(Self.patience): is its setting off?")
    }

    /// - Returns: the times of pictures during that time.
    @discardableResult
    private func follow(for duration: Duration) throws -> [ContinuousClock.Instant] {
        let deadline = ContinuousClock.now + duration
        var frames: [ContinuousClock.Instant] = []
        while let event = try next(before: deadline) {
            let isPart = frames.last.map { $0.duration(to: event.time) < Self.together } ?? false
            if event.kind == .drawn, !isPart { frames.append(event.time) }
        }
        return frames
    }

    private func next(before deadline: ContinuousClock.Instant) throws -> DrawingWatch.Event? {
        try watch.next(before: deadline) { descriptor in
            _ = try desk.interruption.wait(for: [descriptor], until: deadline)
        }
    }

    // MARK: - Cost

    private struct Usage {
        let time: Int64
        let all: [ProcessUsage]
        /// Nanoseconds of a core that the drawing thread has had.
        let thread: Int64

        /// - Returns: seconds.
        func since(_ before: Usage) -> Double { Double(time - before.time) / 1e9 }

        func threadPercent(since before: Usage) -> Double { share(thread - before.thread, before) }

        func percent(of index: Int, since before: Usage) -> Double {
            share(all[index].processorTime - before.all[index].processorTime, before)
        }

        /// With two decimal places.
        private func share(_ nanoseconds: Int64, _ before: Usage) -> Double {
            (Double(nanoseconds) / Double(time - before.time) * 10_000).rounded() / 100
        }
    }

    private func usage() throws -> Usage {
        let all = agents.compactMap(ProcessUsage.init)
        guard all.count == agents.count, let host = agents.first,
            let thread = ProcessUsage.time(ofThread: Self.thread, in: host)
        else { throw CommandProblem(status: .failed, message: "An agent has ended, or draws nothing.") }
        return Usage(time: MonotonicTime.now(), all: all, thread: thread)
    }
}
