import DictationShared
import Foundation
import TestSupport

@testable import StoreTorture

/// A desktop with both agents, on which plans are carried out one after the other.
actor Workshop {
    /// How long anything may take before it counts as stuck. It is generous, for machines that are slow or busy; how
    /// long it really took is reported.
    private static let limit: Duration = .seconds(60)

    let display: VirtualDisplay
    let store: StateStore
    let log: StoreLog
    private let folder: TemporaryFolder
    private let environment: [String: String]
    private let keyboardMap: String
    private var host: Program?
    private var inserter: Program?
    private var window: TextWindow?
    private var expectation = Expectation()
    private var figures = Figures()
    /// What ended agents have said.
    private var words: [String] = []

    /// What was measured in a cycle.
    struct Figures: Sendable {
        /// How far the newest dictation was when something was killed.
        var killedIn: [TorturePlan.Stage: Int] = [:]
        /// From the start of the agents until nothing was left to be done for any text, in milliseconds.
        var textRecovery: [Double] = []
        /// The same where sound was left to be recognised.
        var speechRecovery: [Double] = []
        /// Characters that were typed, held and typed at the user's word.
        var characters = 0
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

    /// Every character is a key and no other key is pressed, so that what arrives can be counted: no long text is
    /// pasted, no space is put between two texts, and a newline is one in a terminal, too.
    private static let settings = """
        [insert]
        paste-from = 0
        spacing = 0

        [[profile]]
        class = "*"
        newline = "return"

        """

    func close() async {
        log.stop()
        await host?.end()
        await inserter?.end()
        await window?.end()
        await display.end()
    }

    /// Everything that tells how it came to a failure.
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
            --- host-agent, insert-agent ---
            \(([host, inserter].compactMap { $0?.errors } + words).joined(separator: "\n--- earlier ---\n"))
            ---
            """
    }

    // MARK: - A cycle

    /// - Returns: what was measured.
    /// - Throws: ``Failure`` when something is lost, typed twice, stuck or left behind.
    func carryOut(_ plan: TorturePlan) async throws -> Figures {
        figures = Figures()
        words = []
        try await openWindow(plan.window)
        if plan.hasCapsLock { try await display.xdotool("key", "Caps_Lock") }
        for step in plan.steps {
            log.note("step: \(step.work)")
            try await carryOut(step)
            try await checkWindow()
        }
        for state in try inOrder() { try await insertRest(of: state) }
        try await checkKeyboard(hasCapsLock: plan.hasCapsLock)
        try await checkAudio()
        return figures
    }

    private func openWindow(_ kind: TextWindow.Kind) async throws {
        if window?.kind == kind { return }
        await window?.end()
        window = try await TextWindow.start(kind, on: display, title: "Letter")
        expectation.beginWindow()
        // The window manager says that a window has the focus a little before it has: a key that arrives tells.
        try await pressSentinel()
    }

    private func carryOut(_ step: TorturePlan.Step) async throws {
        let before = window?.text.count ?? 0
        let known = Set(log.now.dictations.keys)
        let speech = try begin(step.work)
        await wait(for: step.kill.moment, among: known, charactersBefore: before)
        // The instant of the kill is what is tried out.
        try await Task.sleep(for: .microseconds(step.kill.delay), tolerance: .zero)
        try await kill(step.kill.victims)
        speech?.cancel()
        let stage = try inOrder().last.map(TorturePlan.Stage.init) ?? .settled
        figures.killedIn[stage, default: 0] += 1
        let sound = try soundOnDisk()
        if let again = step.kill.again {
            try startWithoutWaiting(step.kill.victims)
            // Here too.
            try await Task.sleep(for: .microseconds(again), tolerance: .zero)
            try await kill(step.kill.victims)
            log.note("killed again")
        }
        let restart = ContinuousClock.now
        try await start(step.kill.victims)
        if case .speech = step.work {
            // The host may have found a request to start that nobody had taken.
            _ = try store.submit(.stop)
        }
        try await waitUntilHeard(sound)
        try await waitUntilSettled()
        let elapsed = restart.duration(to: .now) / .milliseconds(1)
        if sound.isEmpty {
            figures.textRecovery.append(elapsed)
        } else {
            figures.speechRecovery.append(elapsed)
        }
        try checkSound(sound)
        let states = try inOrder()
        figures.characters += states.filter { !known.contains($0.id) }.reduce(0) { $0 + $1.cleanedText.count }
        expectation.add(states)
    }

    /// - Returns: what still speaks.
    private func begin(_ work: TorturePlan.Work) throws -> Task<Void, any Error>? {
        switch work {
        case .texts(let texts):
            for text in texts { _ = try store.add(text: text, locale: "und") }
            return nil
        case .insertHeld:
            let held = try inOrder().last { if case .held = $0.delivery { true } else { false } }
            if let held {
                _ = try store.submit(.insert(held.id))
            } else {
                _ = try store.add(text: "Nothing was held. ", locale: "und")
            }
            return nil
        case .speech(let length):
            let start = try store.submit(.start)
            return Task { [store, log] in
                let hasBegun = await log.wait(within: Self.limit) { contents -> Bool? in
                    guard case .done(_, let id?) = contents.intents[start.id]?.phase else { return nil }
                    return contents.dictations[id].map { TorturePlan.Stage(of: $0) >= .recording } == true
                        ? true : nil
                }
                guard hasBegun == true else { return }
                // As long as a person speaks.
                try await Task.sleep(for: .milliseconds(length))
                _ = try store.submit(.stop)
            }
        }
    }

    /// Waits for a moment of the work; where it never comes, until the work is over.
    private func wait(
        for moment: TorturePlan.Moment, among known: Set<DictationID>, charactersBefore before: Int
    ) async {
        let started = log.now.history.count
        @Sendable func isOver(_ contents: StoreLog.Contents) -> Bool {
            contents.history.count > started && contents.isSettled
                && contents.intents.values.allSatisfy { $0.phase != .pending && $0.phase != .taken }
        }
        switch moment {
        case .given: break
        case .reached(let stage):
            _ = await log.wait(within: Self.limit) { contents -> Bool? in
                let isReached = contents.dictations.values.contains { state in
                    !known.contains(state.id) && TorturePlan.Stage(of: state) >= stage
                }
                return isReached || isOver(contents) ? true : nil
            }
        case .arrived(let count):
            guard let window else { return }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { _ = try? await window.waitForText { $0.count >= before + count } }
                group.addTask { [log] in
                    _ = await log.wait(within: Self.limit) { isOver($0) ? true : nil }
                }
                await group.next()
                group.cancelAll()
            }
        case .settled:
            _ = await log.wait(within: Self.limit) { isOver($0) ? true : nil }
        }
    }

    /// What had been recorded when the host died is recognised, or has failed with a reason of its own.
    private func waitUntilHeard(_ sound: [String: Int]) async throws {
        let ids = sound.keys.compactMap { DictationID(String($0.dropLast(4))) }
        let areHeard = await log.wait(within: Self.limit) { contents -> Bool? in
            ids.allSatisfy { id in
                guard let state = contents.dictations[id], !state.isUnfinished else { return false }
                // The host has ended the row, and has yet to listen to the sound.
                return state.error?.code != "host-died"
            } ? true : nil
        }
        guard areHeard == true else {
            throw Failure(description: "within \(Self.limit) nobody has listened to \(sound)")
        }
    }

    private func waitUntilSettled() async throws {
        let isSettled = await log.wait(within: Self.limit) { contents -> Bool? in
            contents.failure != nil
                || contents.isSettled
                    && contents.intents.values.allSatisfy { $0.phase != .pending && $0.phase != .taken }
                ? true : nil
        }
        if let failure = log.now.failure { throw Failure(description: failure) }
        guard isSettled == true else {
            throw Failure(description: "after \(Self.limit) something is still stuck after the new start")
        }
    }

    /// At the user's word the rest follows, and no more.
    private func insertRest(of state: DictationState) async throws {
        guard case .held = state.delivery else { return }
        let id = state.id.description
        try await Program.run(BuildFolder.program("dictstate"), ["insert", id], environment: environment)
        let states = try inOrder()
        guard states.first(where: { $0.id == state.id })?.delivery == .inserted else {
            throw Failure(description: "the rest of \(id) was not inserted")
        }
        expectation.add(states)
        try await checkWindow()
    }

    /// In the order in which they were spoken, which is the one in which they are typed.
    private func inOrder() throws -> [DictationState] { try store.history(limit: 40).reversed() }

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

    // MARK: - Sound

    /// The bytes of sound of each recording that is there.
    private func soundOnDisk() throws -> [String: Int] {
        let header = 44
        var sizes: [String: Int] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: store.group.audioFolder.path) {
            let path = store.group.audioFolder.appendingPathComponent(file).path
            // The host may remove it just now.
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { continue }
            sizes[file] = max(0, (attributes[.size] as? Int ?? 0) - header)
        }
        return sizes.filter { $0.value > 0 }
    }

    /// All sound that was on the disk when somebody died is now a text, or still sound, or nobody had said a word.
    private func checkSound(_ before: [String: Int]) throws {
        let now = try soundOnDisk()
        for (file, size) in before {
            guard let id = DictationID(String(file.dropLast(4))), let state = try store.dictation(id) else {
                throw Failure(description: "\(size) bytes of sound in \(file) belong to no dictation")
            }
            let isHeard = state.status == .ready || state.error?.code == DictationFailure.noSpeech.code
            guard isHeard || now[file] ?? 0 >= size else {
                throw Failure(description: "the sound of \(id) is gone, and there is no text")
            }
        }
    }

    /// When all is delivered, no sound is left but that of failures, which keep it for the user.
    private func checkAudio() async throws {
        // The host answers requests after it has handled what changed before them, and is asked for that reason.
        let request = try store.submit(.stop)
        let answer = await log.wait(within: Self.limit) { contents -> Bool? in
            switch contents.intents[request.id]?.phase {
            case .done, .refused: true
            case .pending, .taken, nil: nil
            }
        }
        guard answer == true else { throw Failure(description: "host-agent does not answer") }
        for file in try FileManager.default.contentsOfDirectory(atPath: store.group.audioFolder.path) {
            let state = try DictationID(String(file.dropLast(4))).flatMap { try store.dictation($0) }
            guard case .failed? = state?.phase else {
                throw Failure(
                    description: "the sound \(file) is left behind (\(state?.status.rawValue ?? "no row"))")
            }
        }
    }

    // MARK: - The window and the keyboard

    private func checkWindow() async throws {
        guard let window else { return }
        let expected = expectation
        let seen: String
        do {
            seen = try await window.waitForText(within: Self.limit) {
                $0 == expected.text || expected.fault(in: $0) != nil
            }
        } catch let error as TextWindowError {
            throw Failure(
                description: "lost: the window has \(error.text.count) of \(expected.text.count) characters")
        }
        if let fault = expected.fault(in: seen) { throw Failure(description: fault) }
    }

    /// A key of a person's comes after all that was typed before it, and shows whether a modifier is held.
    private func pressSentinel() async throws {
        try await display.xdotool("key", "q")
        expectation.add(key: "q")
        try await checkWindow()
    }

    private func checkKeyboard(hasCapsLock: Bool) async throws {
        if hasCapsLock {
            try await display.xdotool("key", "q")
            expectation.add(key: "Q")
            try await checkWindow()
            try await display.xdotool("key", "Caps_Lock")
        }
        try await pressSentinel()
        let map = try await Program.run("xmodmap", ["-pke"], environment: display.environment)
        guard map == keyboardMap else { throw Failure(description: "the keyboard map is changed:\n\(map)") }
    }
}
