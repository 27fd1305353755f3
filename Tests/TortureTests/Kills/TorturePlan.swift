import DictationShared
import TestSupport

@testable import StoreTorture

/// The steps of one cycle: work, and kills in the middle of it. A pure value that its seed repeats.
struct TorturePlan: Equatable, Sendable {
    let seed: UInt64
    let window: TextWindow.Kind
    /// Whether the texts are pasted there, and not typed.
    let isPasted: Bool
    /// Whether Caps Lock is on during the cycle: the typed text must not show it, and it must be on again in
    /// the end.
    let hasCapsLock: Bool
    /// While the first step is carried out, the window hangs for a while; nil for never.
    private(set) var standstill: Standstill?
    let steps: [Step]

    /// An application that reads nothing: it is stopped by SIGSTOP, and continued by SIGCONT.
    struct Standstill: Equatable, Sendable {
        /// From the beginning of the step on, in milliseconds.
        let delay: Int
        /// In milliseconds.
        let length: Int
        /// Whether the user asks for the rest as soon as it is held, without waiting for the window.
        var isAskedMeanwhile = false
    }

    /// Some work during which agents are killed; then they are started again.
    struct Step: Equatable, Sendable {
        let work: Work
        /// Nil if no agent is killed: a stalled window is tested alone.
        let kill: Kill?
    }

    enum Work: Equatable, Sendable {
        /// Texts that are ready, one after the other.
        case texts([String])
        /// The user speaks for this long, in milliseconds; if live, it is typed at the same time.
        case speech(Int, isLive: Bool)
        /// A text that is typed while it grows, as a host releases it.
        case growing(Growth)
        /// A text, and what the user has edited of it when it is typed.
        case edited(String, by: String)
        /// The user asks for the rest of a held text.
        case insertHeld
    }

    /// How a text grows.
    struct Growth: Equatable, Sendable {
        let text: String
        /// How many characters are settled, again and again.
        let settled: [Int]
        /// Between two of these, in microseconds.
        let pause: Int
        let end: End
        /// How many characters at the end of each are heard otherwise at first, so that they have to be mended; empty if
        /// nothing is.
        var misheard: [Int] = []

        enum End: Equatable, Sendable, CaseIterable {
            /// The whole text is what was settled and more.
            case same
            /// The settled words are different in it.
            case otherwise
            /// A command has asked for it.
            case held
            case cancelled
        }

        /// The words that are heard so far, one look after the other.
        var heard: [String] {
            settled.enumerated().flatMap { place, count in
                let words = String(text.prefix(count))
                guard misheard.indices.contains(place) else { return [words] }
                let wrong = words.suffix(misheard[place]).map { $0.isLetter ? "z" : $0 }
                return [words.dropLast(wrong.count) + String(wrong), words]
            }
        }

        var isMended: Bool { !misheard.isEmpty }

        /// The recognizer's text of the whole.
        var whole: String {
            end == .otherwise ? text.split(separator: " ").map { "\($0)e" }.joined(separator: " ") : text
        }
    }

    struct Kill: Equatable, Sendable {
        let victims: Victims
        let moment: Moment
        /// From the moment to the kill, in microseconds.
        let delay: Int
        /// How long after the new start, in microseconds, the same ones are killed again: in the middle of
        /// restoring the state.
        let again: Int?
    }

    enum Victims: String, Sendable, CaseIterable {
        case inserter, host, both

        var includesHost: Bool { self != .inserter }
        var includesInserter: Bool { self != .host }
    }

    /// Where in the life of a dictation the delay begins.
    enum Moment: Equatable, Sendable {
        /// The user has asked, or the text is in the store.
        case given
        /// The newest dictation has come so far, or farther.
        case reached(Stage)
        /// This many characters of the work have arrived in the window.
        case arrived(Int)
        /// This many parts of a growing text were heard.
        case heard(Int)
        /// The user has asked for an edit.
        case asked
        /// Nothing more happens to any dictation.
        case settled
    }

    /// How far a dictation is.
    enum Stage: Int, Sendable, CaseIterable, Comparable {
        case starting, recording, processing, pending, claimed, settled

        static func < (left: Stage, right: Stage) -> Bool { left.rawValue < right.rawValue }
    }

    var isSpeech: Bool {
        steps.contains { if case .speech = $0.work { true } else { false } }
    }
}

extension TorturePlan {
    /// Whether BackSpaces are pressed in it.
    var removesText: Bool {
        steps.contains {
            switch $0.work {
            case .growing(let growth): growth.isMended
            case .edited: true
            case .texts, .speech, .insertHeld: false
            }
        }
    }
}

extension TorturePlan.Stage {
    init(of state: DictationState) {
        switch state.phase {
        case .starting: self = .starting
        case .recording: self = .recording
        case .processing: self = .processing
        case .ready(.pending): self = .pending
        case .ready(.claimed): self = .claimed
        case .ready, .failed, .cancelled: self = .settled
        }
    }
}

// MARK: - From a seed

extension TorturePlan {
    /// One cycle in this many is spoken: it takes as long as speech does.
    private static let speechEvery: UInt64 = 8
    /// One in this many has a text that is typed while it grows, besides those that are spoken live.
    private static let growingEvery: UInt64 = 4
    /// One in this many has a text that is edited.
    private static let editedEvery: UInt64 = 8
    /// One cycle in this many has a window that stalls.
    private static let standstillEvery: UInt64 = 33
    /// Windows change after this many cycles: starting one takes time.
    private static let cyclesPerWindow: UInt64 = 10
    /// One of each toolkit. If Chromium is missing, another one takes its turns: the other turns stay the same.
    static let windows: [TextWindow.Kind] = [
        .xterm, .gtkText, .qtText, Chromium.isInstalled ? .chromium : .gtkText,
    ]

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        self.seed = seed
        let windows = seed / Self.cyclesPerWindow
        let kinds = UInt64(Self.windows.count)
        // A third of the windows: a paste has fewer moments at which it can be hit.
        isPasted = windows / kinds % 3 == 2
        window = Self.windows[Int(windows % kinds)]
        hasCapsLock = Int.random(in: 0..<12, using: &random) == 0
        if seed % Self.speechEvery == 0, !TortureSettings.removes {
            // In turn, so that 80 cycles certainly have them all.
            let part = Int(seed / Self.speechEvery % UInt64(Self.partsOfSpeech))
            steps = [Self.speech(part: part, &random)]
            standstill = nil
        } else {
            standstill =
                !isPasted && (seed % Self.standstillEvery == 1 || TortureSettings.standsStill)
                ? Self.standstill(&random) : nil
            var first = Self.texts(&random)
            if standstill != nil, Int.random(in: 0..<3, using: &random) == 0 {
                first = Step(work: first.work, kill: nil)
            }
            // Of several texts, the rest of one could come after the next one.
            if case .texts(let texts) = first.work, texts.count == 1 {
                standstill?.isAskedMeanwhile = Bool.random(using: &random)
            }
            let turn = TortureSettings.removes ? (seed.isMultiple(of: 2) ? 2 : 5) : seed % Self.editedEvery
            if standstill == nil || TortureSettings.removes {
                if turn % Self.growingEvery == 2 { first = Self.growing(&random) }
                if turn == 5 { first = Self.edited(&random) }
            }
            let more = (0..<Int.random(in: 0...2, using: &random)).map { _ in
                Bool.random(using: &random)
                    ? Step(work: .insertHeld, kill: Self.kill(typing: 200, &random)) : Self.texts(&random)
            }
            steps = [first.mended(by: seed)] + more
        }
    }

    /// From unnoticeable to three times as long as the inserter waits for an application, and longer.
    private static func standstill(_ random: inout SeededGenerator) -> Standstill {
        let lengths = [100...1_000, 1_000...4_500, 5_500...9_000, 12_000...30_000]
        // The longest ones are the rarest: they are waited for.
        let length = lengths[[0, 0, 1, 1, 2, 2, 2, 3].randomElement(using: &random) ?? 0]
        return Standstill(
            delay: .random(in: 0...150, using: &random), length: .random(in: length, using: &random))
    }

    private static func texts(_ random: inout SeededGenerator) -> Step {
        let count = [1, 1, 1, 2, 3].randomElement(using: &random) ?? 1
        let texts = (0..<count).map { _ in TortureText.random(&random) }
        return Step(
            work: .texts(texts), kill: kill(typing: texts.reduce(0) { $0 + $1.count }, &random))
    }

    private static func growing(_ random: inout SeededGenerator) -> Step {
        let text = TortureText.random(&random)
        var settled: [Int] = []
        var next = 0
        while next < text.count {
            next += Int.random(in: 1...80, using: &random)
            settled.append(min(next, text.count))
        }
        let growth = Growth(
            text: text, settled: settled, pause: .random(in: 0...20_000, using: &random),
            end: Growth.End.allCases.randomElement(using: &random) ?? .same)
        let (moment, delay): (Moment, ClosedRange<Int>) =
            switch Int.random(in: 0..<6, using: &random) {
            case 0: (.given, 0...20_000)
            case 1: (.reached(.recording), 0...3_000 + growth.pause * settled.count)
            case 2...4: (.arrived(.random(in: 1...max(1, text.count * 2 / 3), using: &random)), 0...3_000)
            default: (.reached(.processing), 0...5_000)
            }
        let victims: Victims = [.inserter, .inserter, .host, .both].randomElement(using: &random) ?? .both
        return Step(
            work: .growing(growth),
            kill: Kill(
                victims: victims, moment: moment, delay: .random(in: delay, using: &random),
                again: again(&random)))
    }

    private static let edits = [
        "delete the last word", "delete the last three words", "all caps that", "scratch that",
        "replace the with a longer one",
    ]

    private static func edited(_ random: inout SeededGenerator) -> Step {
        let text = TortureText.random(&random)
        let (moment, delay): (Moment, ClosedRange<Int>) =
            switch Int.random(in: 0..<8, using: &random) {
            case 0: (.reached(.claimed), 0...3_000 + text.count * 90)
            case 1: (.reached(.settled), 0...4_000)
            // From the request to a little beyond the last key.
            default: (.asked, 0...4_000 + text.count * 60)
            }
        return Step(
            work: .edited(text, by: edits.randomElement(using: &random) ?? edits[0]),
            kill: Kill(
                victims: Int.random(in: 0..<8, using: &random) == 0 ? .both : .inserter, moment: moment,
                delay: .random(in: delay, using: &random), again: again(&random)))
    }

    private static let partsOfSpeech = 10

    private static func speech(part: Int, _ random: inout SeededGenerator) -> Step {
        let length = Int.random(in: 300...2_500, using: &random)
        let (moment, delay): (Moment, ClosedRange<Int>) =
            switch part {
            case 0: (.given, 0...20_000)
            case 1: (.reached(.starting), 0...20_000)
            case 2...4: (.reached(.recording), 0...length * 1_000)
            case 5...7: (.reached(.processing), 0...400_000)
            case 8: (.reached(.pending), 0...3_000)
            default: (.reached(.claimed), 0...10_000)
            }
        let victims: Victims = [.host, .host, .both, .inserter].randomElement(using: &random) ?? .host
        return Step(
            work: .speech(length, isLive: Bool.random(using: &random)),
            kill: Kill(
                victims: victims, moment: moment, delay: .random(in: delay, using: &random),
                again: again(&random)))
    }

    private static func kill(typing count: Int, _ random: inout SeededGenerator) -> Kill {
        let (moment, delay): (Moment, ClosedRange<Int>) =
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<3: (.given, 0...20_000)
            // From the claim to a little beyond the last key, on a machine that types 16 characters a millisecond.
            case 3..<11: (.reached(.claimed), 0...3_000 + count * 90)
            case 11..<16: (.arrived(.random(in: 1...max(1, count * 2 / 3), using: &random)), 0...1_000)
            // The last key has been typed; its commit may be under way.
            case 16, 17: (.arrived(count), 0...1_500)
            case 18: (.reached(.settled), 0...2_000)
            default: (.settled, 0...5_000)
            }
        // The host has no part in it: it is there to be alive, and comes back with its model in a third of a second.
        let victims: Victims =
            switch Int.random(in: 0..<12, using: &random) {
            case 0: .both
            case 1: .host
            default: .inserter
            }
        return Kill(
            victims: victims, moment: moment, delay: .random(in: delay, using: &random), again: again(&random)
        )
    }

    private static func again(_ random: inout SeededGenerator) -> Int? {
        Int.random(in: 0..<5, using: &random) == 0 ? .random(in: 0...150_000, using: &random) : nil
    }
}

extension TorturePlan.Step {
    /// Every other text that grows is misheard at first. Independent of everything else in the seed.
    fileprivate func mended(by seed: UInt64) -> TorturePlan.Step {
        guard case .growing(var growth) = work, seed % 8 == 2 || TortureSettings.removes else { return self }
        var random = SeededGenerator(seed: ~seed)
        growth.misheard = growth.settled.map { .random(in: 0...min($0, 70), using: &random) }
        guard let kill, Int.random(in: 0..<4, using: &random) > 0 else {
            return TorturePlan.Step(work: .growing(growth), kill: kill)
        }
        // When the right words come: then those that were misheard are removed.
        let heard = 2 * Int.random(in: 1...growth.settled.count, using: &random)
        return TorturePlan.Step(
            work: .growing(growth),
            kill: TorturePlan.Kill(
                victims: kill.victims == .host ? .both : kill.victims, moment: .heard(heard),
                delay: .random(in: 0...12_000, using: &random), again: kill.again))
    }
}

extension TorturePlan: CustomStringConvertible {
    var description: String {
        let lines = steps.map { step in
            let work =
                switch step.work {
                case .texts(let texts): "texts of \(texts.map(\.count)) characters"
                case .speech(let length, let isLive):
                    "\(length) ms of speech\(isLive ? ", typed meanwhile" : "")"
                case .growing(let growth):
                    "a text of \(growth.text.count) characters that grows to \(growth.settled), \(growth.pause) µs apart; \(growth.end)\(growth.isMended ? ", misheard \(growth.misheard)" : "")"
                case .edited(let text, let command): "a text of \(text.count) characters, then “\(command)”"
                case .insertHeld: "the rest of what is held"
                }
            guard let kill = step.kill else { return "\(work); nobody is killed" }
            let again = kill.again.map { ", and again \($0) µs after the new start" } ?? ""
            return "\(work); \(kill.victims) killed \(kill.delay) µs after \(kill.moment)\(again)"
        }
        let still =
            standstill.map { still in
                " that stands still for \(still.length) ms, \(still.delay) ms after the start"
                    + (still.isAskedMeanwhile ? ", and whose rest is asked for meanwhile" : "")
            } ?? ""
        let window = "\(isPasted ? "paste into " : "")\(window)\(still)"
        return "\(window)\(hasCapsLock ? " with Caps Lock" : ""): " + lines.joined(separator: " | ")
    }
}
