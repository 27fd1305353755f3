import DictationShared
import DictationSystem
import Foundation

/// Measures all mechanisms in turn, in rounds, so that a machine that gets slower or faster does so for all of them.
struct SyncBenchmark {
    struct Report: Encodable {
        let wake: Figures
        let floor: Figures
        let poll1ms: Figures
        let jsonRename: Figures
        let commitNormal: Figures
        let commitFull: Figures
    }

    /// Measured commits of each kind.
    let count: Int
    let folder: WorkFolder
    let interruption: Interruption
    /// Gets the name of the current measurement.
    let progress: (String) -> Void

    /// Measured commits in a round.
    private static let roundSize = 1_000
    /// Commits at the beginning of a round whose times are not counted: the processes have only just begun, and
    /// prepare their statements.
    private static let warmUp = 20
    /// Nanoseconds between a commit that was seen and the next one. They vary, so that no two clocks stay in
    /// step; both processes fall asleep in between, as they do on a desktop.
    private static let pause = 100_000...900_000

    func run() throws -> Report {
        let store = try StateStore(group: AppGroup(folder: folder.url.appendingPathComponent("group")))
        let files = try folder.makeFolder("json")
        var seen: [Mechanism: HopSamples] = [:]
        var normal: [Int64] = []
        var full: [Int64] = []
        var left = count
        while left > 0 {
            let size = min(left, Self.roundSize)
            for mechanism in Mechanism.allCases {
                progress("\(mechanism.rawValue), \(count - left) of \(count)")
                try round(
                    mechanism, size, store: store, files: files, &seen[mechanism, default: HopSamples()]
                ) {
                    if mechanism == .wake { normal.append($0) }
                }
            }
            progress("commitFull, \(count - left) of \(count)")
            try commitFull(size, store: store, &full)
            left -= size
        }
        progress("")
        func figures(_ mechanism: Mechanism) -> Figures {
            seen[mechanism, default: HopSamples()].figures
        }
        return Report(
            wake: figures(.wake), floor: figures(.floor), poll1ms: figures(.poll1ms),
            jsonRename: figures(.jsonRename), commitNormal: Figures(nanoseconds: normal),
            commitFull: Figures(nanoseconds: full))
    }

    /// One commit at a time: the next one waits until the reader has seen this one.
    ///
    /// - Parameter wrote: gets the duration of each of the writer's own steps, in nanoseconds.
    private func round(
        _ mechanism: Mechanism, _ size: Int, store: StateStore, files: URL, _ samples: inout HopSamples,
        wrote: (Int64) -> Void
    ) throws {
        let isFile = mechanism == .jsonRename
        let reader = try ReaderProcess(
            mechanism, folder: isFile ? files : store.group.folder, interruption: interruption)
        defer { reader.end() }
        var publisher = try publisher(mechanism, store: store, files: files, socket: reader.socket)
        for index in 0..<Self.warmUp + size {
            if let revision = try publisher.prepare(index) { _ = try reader.seen(revision) }
            MonotonicTime.pause(nanoseconds: .random(in: Self.pause))
            let text = SpokenText.partial(index)
            let begin = MonotonicTime.now()
            let published = try publisher.publish(text)
            let seen = try reader.seen(published.revision)
            if seen == nil { samples.addMissed() }
            guard index >= Self.warmUp else { continue }
            wrote(published.time - begin)
            if let seen { samples.add(begin: begin, published: published.time, seen: seen) }
        }
        try publisher.finish()
    }

    private func publisher(
        _ mechanism: Mechanism, store: StateStore, files: URL, socket: Int32
    ) throws -> any Publisher {
        switch mechanism {
        case .wake, .poll1ms: return StorePublisher(store: store)
        case .floor: return DatagramPublisher(socket: socket)
        case .jsonRename:
            let state = try store.begin(target: nil, engine: "benchmark", locale: "en-US")
            let recording = try store.apply(.recordingStarted, to: state.id)
            try store.apply(.cancelled, to: state.id)
            return JSONPublisher(folder: files, state: recording)
        }
    }

    /// The two commits of a dictation that wait for the disk: its text is ready, and its text is typed.
    private func commitFull(_ size: Int, store: StateStore, _ times: inout [Int64]) throws {
        let text = DictationTransition.Recognized(rawText: SpokenText.whole, cleanedText: SpokenText.whole)
        var measured = 0
        while measured < size {
            // Checks whether the program should end.
            _ = try interruption.wait(for: [], until: .now)
            let id = try store.begin(target: nil, engine: "benchmark", locale: "en-US").id
            for transition in [.recognized(text), .inserted(milliseconds: 1)] as [DictationTransition] {
                if case .inserted = transition { try store.apply(.claimed(by: .current), to: id) }
                MonotonicTime.pause(nanoseconds: .random(in: Self.pause))
                let begin = MonotonicTime.now()
                try store.apply(transition, to: id)
                let returned = MonotonicTime.now()
                if measured < size { times.append(returned - begin) }
                measured += 1
            }
            try store.checkpoint()
        }
    }
}
