import DictationShared
import Foundation
import TestSupport
import Testing

@testable import StoreTorture

/// Both agents are killed at random instants, over the whole life of a dictation, and started again.
@Suite("Kills", .serialized)
struct KillTests {
    /// A defect shows itself soon; what follows would be the same again.
    private static let enoughFailures = 5

    @Test(
        "no matter who is killed, and when: nothing is lost, nothing comes twice, nothing sticks",
        .timeLimit(.minutes(1_440)))
    func kills() async throws {
        let (seed, cycles) = (TortureSettings.seed, TortureSettings.cycles)
        report("kills: \(cycles) cycles from seed \(seed); again: make torture N=\(cycles) SEED=\(seed)")
        if !Chromium.isInstalled {
            report("kills: Chromium is not installed; GTK takes its turns")
        }
        var summary = Summary()
        var failures = 0
        let began = ContinuousClock.now
        var workshop = try await Workshop.open()
        for seed in seed..<seed + UInt64(cycles) where failures < Self.enoughFailures {
            let plan = TorturePlan(seed: seed)
            let start = ContinuousClock.now
            do {
                summary.add(try await workshop.carryOut(plan))
            } catch {
                failures += 1
                let account = await workshop.account(of: plan, since: start)
                Issue.record("seed \(seed): \(error)\nagain: make torture N=1 SEED=\(seed)\n\(account)")
                // The next cycle must not start with the rest of this failure.
                await workshop.close()
                workshop = try await Workshop.open()
            }
        }
        await workshop.close()
        let seconds = began.duration(to: .now) / .seconds(1)
        report("kills: \(summary.cycles) cycles good, \(failures) not, in \(rounded(seconds)) s; \(summary)")
    }

    /// The figures of all cycles.
    private struct Summary: CustomStringConvertible {
        var cycles = 0
        private var killedIn: [TorturePlan.Stage: Int] = [:]
        private var textRecovery: [Double] = []
        private var speechRecovery: [Double] = []
        private var characters = 0
        private var stoodStill: [TextWindow.Kind: Int] = [:]
        private var brokenOffMends = 0

        mutating func add(_ figures: Workshop.Figures) {
            cycles += 1
            killedIn.merge(figures.killedIn, uniquingKeysWith: +)
            textRecovery += figures.textRecovery
            speechRecovery += figures.speechRecovery
            characters += figures.characters
            brokenOffMends += figures.brokenOffMends
            if let window = figures.stoodStill { stoodStill[window, default: 0] += 1 }
        }

        var description: String {
            let windows = stoodStill.map { "\($0.key) \($0.value)" }.sorted()
            let stages = TorturePlan.Stage.allCases.map { "\($0) \(killedIn[$0] ?? 0)" }
            return """
                \(characters) characters; killed while \(stages.joined(separator: ", ")), \(brokenOffMends) times \
                between BackSpaces that mended; stood still: \
                \(windows.joined(separator: ", ")); from the new start to everything settled \
                \(Self.spread(textRecovery)) for texts, \(Self.spread(speechRecovery)) with sound to recognize
                """
        }

        private static func spread(_ times: [Double]) -> String {
            let sorted = times.sorted()
            guard let last = sorted.last else { return "none" }
            return "p50 \(Int(sorted[sorted.count / 2])) ms, max \(Int(last)) ms"
        }
    }
}

@Suite("Plans of torture")
struct TorturePlanTests {
    @Test("a seed says everything")
    func repeats() {
        for seed in 0..<50 as Range<UInt64> { #expect(TorturePlan(seed: seed) == TorturePlan(seed: seed)) }
        #expect(TorturePlan(seed: 1) != TorturePlan(seed: 2))
    }

    @Test("200 seeds hit every part of a dictation's life, both agents, and every toolkit")
    func coverage() {
        let plans = (1_000..<1_200 as Range<UInt64>).map(TorturePlan.init)
        let kills = plans.flatMap(\.steps).compactMap(\.kill)
        for stage in [.starting, .recording, .processing, .claimed] as [TorturePlan.Stage] {
            #expect(kills.contains { $0.moment == .reached(stage) }, "\(stage)")
        }
        for victims in TorturePlan.Victims.allCases {
            #expect(kills.contains { $0.victims == victims }, "\(victims)")
        }
        #expect(kills.contains { $0.moment == .given } && kills.contains { $0.again != nil })
        for end in TorturePlan.Growth.End.allCases {
            #expect(
                plans.flatMap(\.steps).contains {
                    if case .growing(let growth) = $0.work { growth.end == end } else { false }
                }, "\(end)")
        }
        #expect(kills.contains { $0.moment == .asked })
        #expect(
            plans.flatMap(\.steps).contains {
                if case .growing(let growth) = $0.work { growth.isMended } else { false }
            })
        #expect(plans.contains { $0.isSpeech } && plans.contains { $0.hasCapsLock })
        let typed = Set(plans.filter { !$0.isPasted }.map(\.window))
        let pasted = Set(plans.filter(\.isPasted).map(\.window))
        #expect(typed == Set(TorturePlan.windows) && pasted == typed)
    }

    private static let whole = "Dear patient, "

    @Test(
        "the text that a window must have follows from the typed counts of the store",
        arguments: [
            ("", nil), ("Dear", nil), ("Dear patient, Yours", nil),
            ("Dear patient, Dear", "came “Dear” in place of “Yours”"),
            ("Dear patient, Yourspt", "came more than was typed by the store's word: “pt”"),
            ("DEAR", "came “EAR” in place of “ear patient, Yours”"),
        ] as [(String, String?)])
    func expectation(seen: String, fault: String?) throws {
        let folder = try TemporaryFolder("expectation", isInMemory: true)
        let group = try AppGroup(folder: URL(fileURLWithPath: folder.file("group"), isDirectory: true))
        let store = try StateStore(group: group)
        let first = try store.add(text: Self.whole, locale: "und")
        let second = try store.add(text: "Yours sincerely", locale: "und")
        for id in [first.id, second.id] {
            try store.apply(.claimed(by: .current), to: id)
            if id == first.id { try store.apply(.inserted(milliseconds: 1), to: id) }
        }
        try store.apply(.progress(5), to: second.id)
        let possible = Expectation().adding(try store.history(limit: 2).reversed())
        let expectation = try #require(possible.count == 1 ? possible.first : nil)
        #expect(expectation.text == "Dear patient, Yours")
        #expect(expectation.fault(in: seen).map { $0.contains(fault ?? "nothing") } ?? (fault == nil))
    }

    @Test("removed and replaced text is at the end of the text that a window must have")
    func removed() throws {
        let folder = try TemporaryFolder("expectation", isInMemory: true)
        let group = try AppGroup(folder: URL(fileURLWithPath: folder.file("group"), isDirectory: true))
        let store = try StateStore(group: group)
        let id = try store.add(text: Self.whole, locale: "und").id
        try store.apply(.claimed(by: .current), to: id)
        try store.apply(.inserted(milliseconds: 1), to: id)
        let typed = Expectation().adding(try store.history(limit: 1))[0]
        try store.apply(.undone(5), to: id)
        try store.apply(.revised("Dear friend", typed: 5, by: .current), to: id)
        #expect(typed.adding(try store.history(limit: 1)).map(\.text) == ["Dear "])
        try store.apply(.inserted(milliseconds: 1), to: id)
        #expect(typed.adding(try store.history(limit: 1)).map(\.text) == ["Dear friend"])
    }

    @Test("a paste that may have arrived is judged by what the window has, once")
    func unsurePaste() throws {
        let folder = try TemporaryFolder("expectation", isInMemory: true)
        let group = try AppGroup(folder: URL(fileURLWithPath: folder.file("group"), isDirectory: true))
        let store = try StateStore(group: group)
        let id = try store.add(text: Self.whole, locale: "und").id
        func hold() throws {
            try store.apply(.claimed(by: .current), to: id)
            try store.apply(.held(.pasteUnsure), to: id)
        }
        try hold()
        var states = try store.history(limit: 1)
        let possible = Expectation().adding(states)
        #expect(possible.map(\.text) == ["", Self.whole])
        #expect(possible.map { $0.isThere(states[0]) } == [false, true])
        #expect(possible.flatMap { $0.adding(states) } == possible)
        // The user asks for it, and the result is unknown again.
        try store.apply(.requeued, to: id)
        try hold()
        states = try store.history(limit: 1)
        #expect(possible[0].adding(states).map(\.text) == ["", Self.whole])
    }
}
