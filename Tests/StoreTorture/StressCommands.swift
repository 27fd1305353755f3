import ArgumentParser
import DictationShared
import Foundation

/// A reader of the stress test.
struct ReadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read", abstract: "Follow the store to its end, and report the state that it ended with."
    )

    @OptionGroup var options: StoreOptions

    func run() throws {
        let mirror = try Mirror(of: try options.open())
        say("ready")
        try options.write(mirror.waitForEnd())
    }
}

/// A writer of the stress test.
struct WriteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "write",
        abstract: "Commit as fast as possible until the store has had so many commits; report each of ours.")

    @OptionGroup var options: StoreOptions
    @Option(help: "The revision at which all writers stop.")
    var until: Revision
    @Option(help: "Follow the store as well, as a reader in the same process, and report what it saw here.")
    var mirror: String?

    struct Report: Codable {
        /// Of each commit, in their order.
        var revisions: [Revision] = []
        /// The longest that one commit took, from the call to its return, in milliseconds.
        var longest = 0.0
    }

    /// The number of partial results of a dictation, as in about ten seconds of speech.
    private static let partialResults = 80
    /// As many batches as a sentence or two.
    private static let batches = 10

    func run() throws {
        let store = try options.open()
        let gate = try Mirror(of: store)
        say("ready")
        gate.waitForStart()
        var report = Report()
        while report.revisions.last ?? 0 < until { try dictate(store, &report) }
        try options.write(report)
        say("written")
        if let mirror {
            try JSONEncoder().encode(gate.waitForEnd()).write(to: URL(fileURLWithPath: mirror))
        }
    }

    /// One dictation from the first frame to the last key, with the commits of both agents and of `dictstate`.
    private func dictate(_ store: StateStore, _ report: inout Report) throws {
        let id = DictationID()
        let text = String(repeating: "So it goes. ", count: Self.batches)
        let partials = (1...Self.partialResults).map {
            "word " + String(repeating: "and word ", count: $0 % 12)
        }
        let batches = (1...Self.batches).map { DictationTransition.progress($0 * 12) }
        let transitions: [DictationTransition] =
            [.recordingStarted] + partials.map(DictationTransition.partial)
            + [
                .processingStarted(recording: 8_000), .recognized(.init(rawText: text, cleanedText: text)),
                .claimed(by: .current),
            ] + batches + [.inserted(milliseconds: 20)]
        try commit(&report) { try store.begin(id, target: nil, engine: "torture", locale: "en-US").revision }
        for transition in transitions where report.revisions.last ?? 0 < until {
            try commit(&report) { try store.apply(transition, to: id).revision }
        }
        guard report.revisions.last ?? 0 < until else { return }
        let intent = try store.submit(.insert(id))
        report.revisions.append(intent.revision)
        try commit(&report) {
            try store.answer(intent.id, .done("inserted", dictation: id))
            // No other process touches it.
            return try store.intent(intent.id)?.revision ?? 0
        }
        try store.checkpoint()
    }

    private func commit(_ report: inout Report, _ body: () throws -> Revision) rethrows {
        let began = ContinuousClock.now
        report.revisions.append(try body())
        report.longest = max(report.longest, began.duration(to: .now) / .milliseconds(1))
    }
}
