import DictationShared
import TestSupport
import Testing

@testable import StoreTorture

/// Both agents are killed at random instants while a text in a native window is edited, and started again.
@Suite("Kills while a text is edited in a Wayland session", .serialized)
struct NativeEditKillTests {
    /// Those that show the text before their caret: in others an edit is refused.
    private static let kinds: [WaylandWindow.Kind] = [.gtk3, .gtk4]

    @Test(
        "the window has the old text or the new one, as far as it counts, and what is missing is held",
        .timeLimit(.minutes(60)), arguments: kinds)
    func kills(kind: WaylandWindow.Kind) async throws {
        let bench = try await NativeBench(kind)
        await TortureCycles.run(
            of: "native kills of edits in \(kind)", from: Figures(), plan: Plan.init,
            account: { await bench.account },
            carryOut: { plan, figures in figures.add(try await bench.carryOut(plan)) })
        await bench.close()
    }

    /// The steps of one cycle.
    struct Plan: CustomStringConvertible {
        let cycle: Int
        let text: String
        /// The edits: the agents are killed during the last one.
        let commands: [String]
        let moment: Moment
        /// From the moment to the kill, in microseconds.
        let delay: Int
        let killsHost: Bool

        enum Moment: CaseIterable {
            case asked
            /// Some of the old text is gone.
            case removing
            /// The new text is about to be typed.
            case typing
            case answered
        }

        private static let commands = [
            ["delete the last word"], ["delete the last three words"], ["all caps that"], ["scratch that"],
            ["replace the with a longer one"], ["all caps that", "undo that"],
            ["delete the last three words", "undo that"],
        ]

        init(_ cycle: Int, _ random: inout SeededGenerator) {
            self.cycle = cycle
            text = "<\(cycle) the " + TortureText.random(&random).filter { !$0.isNewline } + ">"
            commands = Self.commands.randomElement(using: &random) ?? []
            // Most of the time goes into the removal: a key for each character.
            let moments: [Moment] = [.asked, .removing, .removing, .typing, .answered]
            moment = moments.randomElement(using: &random) ?? .asked
            let delays =
                switch moment {
                case .asked: 0...30_000
                case .removing: 0...text.count * 300
                case .typing: 0...20_000
                case .answered: 0...3_000
                }
            delay = .random(in: delays, using: &random)
            killsHost = .random(using: &random)
        }

        var description: String {
            "\(text.count) characters, \(commands), \(moment), \(delay) µs, host \(killsHost)"
        }
    }

    /// How an edit ended that a kill may have hit.
    enum Ending: String, CaseIterable {
        /// The window has the old text.
        case asBefore = "as before"
        case edited
        case removedInPart = "removed in part"
        case typedInPart = "typed in part"
    }

    private struct Figures: CustomStringConvertible {
        private var endings: [Ending: Int] = [:]

        mutating func add(_ ending: Ending) { endings[ending, default: 0] += 1 }

        var description: String {
            Ending.allCases.map { "\($0.rawValue) \(endings[$0] ?? 0)" }.joined(separator: ", ")
        }
    }
}

extension NativeBench {
    fileprivate func carryOut(_ plan: NativeEditKillTests.Plan) async throws -> NativeEditKillTests.Ending {
        try await start()
        let id = try store.add(text: plan.text, locale: "en-US", isExact: true).id
        guard try await settled(id).delivery == .inserted else {
            throw Failure(description: "the text to edit was not inserted")
        }
        for command in plan.commands.dropLast() { _ = try await answer(to: try ask(for: command)) }
        let before = try await settled(id)
        let edit = try ask(for: plan.commands.last ?? "")
        try await reach(plan.moment, of: edit, editing: before)
        try await kill(after: plan.delay, killsHost: plan.killsHost)
        try await start()
        let outcome = try await answer(to: edit)
        let state = try await settled(id)
        let mark = "|\(plan.cycle)|"
        let came = try await window(after: mark)
        try check(came, state)
        expected = came + mark
        if case .held = state.delivery { try await insertRest(of: state) }
        if case .done = outcome { return .edited }
        if state.revision == before.revision { return .asBefore }
        if state.delivery == .inserted {
            return state.cleanedText == before.cleanedText ? .asBefore : .edited
        }
        return state.cleanedText == before.cleanedText ? .removedInPart : .typedInPart
    }

    private func ask(for command: String) throws -> Int64 {
        try store.submit(.edit(.init(words: command, locale: "en-US"), spokenIn: nil)).id
    }

    private func answer(to edit: Int64) async throws -> Intent.Phase {
        let answer = await log.wait(within: Self.limit) { contents -> Intent.Phase? in
            switch contents.intents[edit]?.phase {
            case .done, .refused: contents.intents[edit]?.phase
            case .pending, .taken, nil: nil
            }
        }
        guard let answer else { throw Failure(description: "the edit has no answer") }
        return answer
    }

    private func reach(
        _ moment: NativeEditKillTests.Plan.Moment, of edit: Int64, editing before: DictationState
    ) async throws {
        let isReached = await log.wait(within: Self.limit) { contents -> Bool? in
            guard let phase = contents.intents[edit]?.phase, let state = contents.dictations[before.id] else {
                return nil
            }
            switch phase {
            case .done, .refused: return true
            case .pending, .taken: break
            }
            switch moment {
            case .asked: return true
            case .removing: return state.insertedCount < before.insertedCount ? true : nil
            case .typing: return state.cleanedText != before.cleanedText ? true : nil
            case .answered: return nil
            }
        }
        guard isReached == true else { throw Failure(description: "\(moment) was never reached") }
    }

    /// The counted text is in the window, and at most a piece more of the same text.
    private func check(_ came: String, _ state: DictationState) throws {
        // By scalars: a family of emoji is removed in several steps.
        let (scalars, known) = (Array(came.unicodeScalars), Array(expected.unicodeScalars))
        guard scalars.starts(with: known) else {
            throw Failure(description: "the window has “\(came.suffix(200))”, which begins otherwise")
        }
        let there = scalars.dropFirst(known.count)
        guard state.cleanedText.unicodeScalars.starts(with: there) else {
            throw Failure(description: "the window has “\(came.suffix(200))” in place of the text")
        }
        let count = came.count - expected.count
        guard (state.insertedCount...state.insertedCount + Self.uncounted).contains(count) else {
            throw Failure(description: "\(state.insertedCount) count, \(count) are there")
        }
        if state.delivery == .inserted, count != state.cleanedText.count {
            throw Failure(description: "\(count) are there, and all count")
        }
    }
}
