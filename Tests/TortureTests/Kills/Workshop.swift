import DictationShared
import DictationSystem
import Foundation
import TestSupport

@testable import StoreTorture

/// A desktop with both agents, on which plans are carried out one after the other.
actor Workshop {
    /// How long anything may take before it counts as stuck. It is generous, for machines that are slow or busy; how
    /// long it really took is reported.
    static let limit: Duration = .seconds(60)

    let display: VirtualDisplay
    let store: StateStore
    let log: StoreLog
    private let folder: TemporaryFolder
    let environment: [String: String]
    let keyboardMap: String
    private var host: Program?
    private var inserter: Program?
    var window: TextWindow?
    var expectation = Expectation()
    /// Whether some of the text is removed again in this cycle.
    private(set) var removesText = false
    /// Whether the user has it on.
    private(set) var hasCapsLock = false
    private var figures = Figures()
    /// The program that owns the user's clipboard, until another program takes it.
    var clipboard: Program?
    /// The number of copies: each has different content.
    var copies = 0
    /// The output of ended agents.
    private var words: [String] = []

    /// The measurements of a cycle.
    struct Figures: Sendable {
        /// How far the newest dictation was when something was killed.
        var killedIn: [TorturePlan.Stage: Int] = [:]
        /// From the start of the agents until all texts were settled, in milliseconds.
        var textRecovery: [Double] = []
        /// The same if sound was left to be recognized.
        var speechRecovery: [Double] = []
        /// Characters that were typed, held and typed at the user's word.
        var characters = 0
        /// Inserters that died between the BackSpaces of a text that was being mended.
        var brokenOffMends = 0
        /// The window that stood still, if one did.
        var stoodStill: TextWindow.Kind?
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    // MARK: - Opening and closing

    static func open() async throws -> Workshop {
        let display = try await VirtualDisplay.start()
        let map = try await Program.run("xmodmap", ["-pke"], environment: display.environment)
        let workshop = try Workshop(display: display, keyboardMap: map)
        try await workshop.start(.both)
        return workshop
    }

    private init(display: VirtualDisplay, keyboardMap: String) throws {
        self.display = display
        self.keyboardMap = keyboardMap
        folder = try TemporaryFolder("torture")
        let group = try AppGroup(folder: URL(fileURLWithPath: folder.file("group"), isDirectory: true))
        store = try StateStore(group: group)
        log = try StoreLog(of: store)
        let microphone = try ALSAConfiguration(
            playing: repositoryFile("Tests/Recordings/demo.wav"), in: folder, isLooping: true)
        environment = display.environment.merging(microphone.environment) { $1 }
            .merging([
                "VOICEDICTATION_GROUP": group.folder.path,
                "VOICEDICTATION_SETTINGS": try folder.write(Self.settings, to: "settings.toml"),
            ]) { $1 }
    }

    /// Every character is a key and no other key is pressed, so that what arrives can be counted: no text is pasted but
    /// into windows that are there for it, no space is put between two texts, and a newline is one in a terminal, too.
    private static let settings = """
        [insert]
        paste-from = 0
        spacing = 0

        [[profile]]
        title = "Pasted*"
        method = "paste"
        newline = "return"

        [[profile]]
        class = "*"
        newline = "return"
        live-revise = true

        """

    func close() async {
        log.stop()
        await host?.end()
        await inserter?.end()
        await clipboard?.end()
        await window?.end()
        await display.end()
    }

    /// Everything that explains a failure.
    func account(of plan: TorturePlan, since instant: ContinuousClock.Instant) -> String {
        let history = log.now.history.drop { $0.instant < instant }.map {
            "\(rounded(instant.duration(to: $0.instant) / .milliseconds(1))) ms  \($0.text)"
        }
        return """
            --- the plan, seed \(plan.seed) ---
            \(plan)
            --- the history ---
            \(history.joined(separator: "\n"))
            --- the window must have ---
            \(expectation.text)
            --- it has ---
            \(window?.text ?? "")
            --- \(window?.state ?? "there is no window")
            --- host-agent, insert-agent ---
            \(([host, inserter].compactMap { $0?.errors } + words).joined(separator: "\n--- earlier ---\n"))
            ---
            """
    }

    // MARK: - A cycle

    /// - Returns: the figures.
    /// - Throws: ``Failure`` if something is lost, typed twice, stuck or left over.
    func carryOut(_ plan: TorturePlan) async throws -> Figures {
        figures = Figures()
        words = []
        let before = log.now.brokenOffMends
        try await openWindow(plan.window, isPasted: plan.isPasted)
        if plan.isPasted { try await copyOwnWords() }
        removesText = plan.removesText
        hasCapsLock = plan.hasCapsLock
        if hasCapsLock { try await display.xdotool("key", "Caps_Lock") }
        for (index, step) in plan.steps.enumerated() {
            log.note("step: \(step.work)")
            try await carryOut(step, index == 0 ? plan.standstill : nil)
            try await checkWindow()
        }
        for state in try inOrder() {
            try await insertRest(of: state)
            if expectation.isThere(state) {
                // The user sees that it is there, and discards it with its sound.
                try await Program.run(
                    BuildFolder.program("dictstate"), ["discard", state.id.description],
                    environment: environment)
            }
        }
        figures.brokenOffMends = log.now.brokenOffMends - before
        try await checkKeyboard(hasCapsLock: plan.hasCapsLock)
        if plan.isPasted { try await checkClipboard() }
        try await checkAudio()
        return figures
    }

    private func openWindow(_ kind: TextWindow.Kind, isPasted: Bool) async throws {
        let title = isPasted ? "Pasted letter" : "Letter"
        // For some seconds after a kill in the middle of a paste, the same window gets its texts typed.
        let isFresh = isPasted
        if !isFresh, window?.kind == kind, window?.title == title { return }
        await window?.end()
        window = try await TextWindow.start(kind, on: display, title: title)
        expectation.beginWindow()
        // The window manager says that a window has the focus a little before it has: an arriving key proves
        // it.
        try await pressSentinel()
    }

    private func carryOut(_ step: TorturePlan.Step, _ standstill: TorturePlan.Standstill?) async throws {
        let still = standstill.map(stopWindow)
        let before = window?.text.count ?? 0
        let (known, asked) = (Set(log.now.dictations.keys), Set(log.now.intents.keys))
        let asking = standstill?.isAskedMeanwhile == true ? askForRest(notOf: known) : nil
        if standstill != nil { figures.stoodStill = window?.kind }
        let speech = try begin(step.work)
        let growing = grow(step.work)
        var sound: [String: Int] = [:]
        var restart = ContinuousClock.now
        if let kill = step.kill {
            await wait(for: kill.moment, among: known, asked: asked, charactersBefore: before)
            sound = try await carryOut(kill, stopping: speech)
            restart = .now
            try await start(kill.victims)
        }
        try await growing?.value
        if case .speech = step.work {
            // The host may have found a pending request to start.
            _ = try store.submit(.record(.stop()))
        }
        try await waitUntilHeard(sound)
        try await waitUntilSettled()
        if let still {
            try await still.value
            asking?.cancel()
            await asking?.value
            try await waitUntilRead()
        }
        let elapsed = restart.duration(to: .now) / .milliseconds(1)
        if !sound.isEmpty {
            figures.speechRecovery.append(elapsed)
        } else if step.kill != nil {
            figures.textRecovery.append(elapsed)
        }
        try checkSound(sound)
        let states = try inOrder()
        figures.characters += states.filter { !known.contains($0.id) }.reduce(0) { $0 + $1.cleanedText.count }
        try await takeIn(states)
    }

    /// Kills the agents of the plan, and leaves them dead.
    ///
    /// - Returns: the sound that was on the disk then.
    private func carryOut(
        _ kill: TorturePlan.Kill, stopping speech: Task<Void, any Error>?
    ) async throws -> [String: Int] {
        // The test varies the instant of the kill.
        try await Task.sleep(for: .microseconds(kill.delay), tolerance: .zero)
        try await self.kill(kill.victims)
        speech?.cancel()
        let stage = try inOrder().last.map(TorturePlan.Stage.init) ?? .settled
        figures.killedIn[stage, default: 0] += 1
        let sound = try soundOnDisk()
        if let again = kill.again {
            try startWithoutWaiting(kill.victims)
            // The instant of the second kill is tried out as the first one's is.
            try await Task.sleep(for: .microseconds(again), tolerance: .zero)
            try await self.kill(kill.victims)
            log.note("killed again")
        }
        return sound
    }

    /// - Returns: what still speaks.
    private func begin(_ work: TorturePlan.Work) throws -> Task<Void, any Error>? {
        switch work {
        case .texts(let texts):
            for text in texts { _ = try store.add(text: text, locale: "und") }
            return nil
        case .insertHeld:
            let held = try inOrder().last { isMissing($0) }
            if let held {
                _ = try store.submit(.insert(held.id))
            } else {
                _ = try store.add(text: "Nothing was held. ", locale: "und")
            }
            return nil
        case .growing: return nil
        case .edited(let text, let command):
            let id = try store.add(text: text, locale: "und").id
            return Task { [store, log] in
                let typed = await log.wait(within: Self.limit) { contents -> DictationState? in
                    contents.dictations[id].flatMap { $0.isUnfinished ? nil : $0 }
                }
                guard typed?.delivery == .inserted, !Task.isCancelled else { return }
                _ = try store.submit(.edit(.init(words: command, locale: "en-US"), spokenIn: nil))
            }
        case .speech(let length, let isLive):
            let start = try store.submit(.record(.start(StartOptions(isLive: isLive))))
            return Task { [store, log] in
                let hasBegun = await log.wait(within: Self.limit) { contents -> Bool? in
                    guard case .done(_, let id?) = contents.intents[start.id]?.phase else { return nil }
                    return contents.dictations[id].map { TorturePlan.Stage(of: $0) >= .recording } == true
                        ? true : nil
                }
                guard hasBegun == true else { return }
                // As long as a person speaks.
                try await Task.sleep(for: .milliseconds(length))
                _ = try store.submit(.record(.stop()))
            }
        }
    }

    /// Lets a text grow, in the background, as its host would.
    private func grow(_ work: TorturePlan.Work) -> Task<Void, any Error>? {
        guard case .growing(let growth) = work else { return nil }
        log.beginHearing()
        return Task { [store, log] in
            let id = try store.begin(target: nil, engine: "torture", locale: "und").id
            let whole = growth.whole
            func recognized(_ held: HoldReason?) -> DictationTransition {
                .recognized(
                    .init(rawText: whole, cleanedText: whole, held: held, mayBeMended: growth.isMended))
            }
            do {
                try store.apply(.recordingStarted, to: id)
                for heard in growth.heard {
                    try store.apply(growth.isMended ? .regrown(heard) : .grown(heard), to: id)
                    log.noteHeard()
                    // The test varies the instants of the words.
                    try await Task.sleep(for: .microseconds(growth.pause), tolerance: .zero)
                }
                switch growth.end {
                case .same, .otherwise:
                    try store.apply(.processingStarted(recording: 1), to: id)
                    try store.apply(recognized(nil), to: id)
                case .held: try store.apply(recognized(.interrupted), to: id)
                case .cancelled: try store.apply(.cancelled, to: id)
                }
            } catch is TransitionRefused {
                // The host counts as dead: then all of it is recognized again, and held.
                guard try store.dictation(id)?.status == .error else { return }
                try store.apply(recognized(.recovered), to: id)
            }
        }
    }

    /// Whether a user who looks at the window asks for the rest.
    private func isMissing(_ state: DictationState) -> Bool {
        if case .held = state.delivery { !expectation.isThere(state) } else { false }
    }

    /// At the user's request the rest follows, and nothing else.
    private func insertRest(of state: DictationState) async throws {
        guard isMissing(state) else { return }
        let id = state.id.description
        try await Program.run(BuildFolder.program("dictstate"), ["insert", id], environment: environment)
        let states = try inOrder()
        guard states.first(where: { $0.id == state.id })?.delivery == .inserted else {
            throw Failure(description: "the rest of \(id) was not inserted")
        }
        try await takeIn(states)
        try await checkWindow()
    }

    /// In the order in which they were spoken, which is the one in which they are typed.
    func inOrder() throws -> [DictationState] { try store.history(limit: 40).reversed() }

    // MARK: - Agents

    private func kill(_ victims: TorturePlan.Victims) async throws {
        let programs = [
            victims.includesInserter ? inserter : nil, victims.includesHost ? host : nil,
        ].compactMap(\.self)
        for program in programs { program.signal(SIGKILL) }
        log.note("SIGKILL to \(victims)")
        for program in programs {
            let status = try await program.waitForExit()
            words.append("\(program.name), \(status):\n\(program.errors)")
            // An agent that has ended by itself has a reason that must be seen.
            guard status == .killed(signal: SIGKILL) else {
                throw Failure(description: "\(program.name) ended by itself: \(status)")
            }
        }
    }

    private func startWithoutWaiting(_ victims: TorturePlan.Victims) throws {
        if victims.includesHost {
            host = try Program.start(
                BuildFolder.program("host-agent"), ["--no-hotkey"], environment: environment)
        }
        if victims.includesInserter {
            inserter = try Program.start(BuildFolder.program("insert-agent"), environment: environment)
        }
    }

    private func start(_ victims: TorturePlan.Victims) async throws {
        try startWithoutWaiting(victims)
        if victims.includesHost { try await host?.waitForLine(containing: "host-agent is ready") }
        if victims.includesInserter { try await inserter?.waitForLine(containing: "insert-agent is ready") }
    }
}
