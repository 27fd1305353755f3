import DictationShared
import Foundation
import TestSupport
import Testing

@testable import StoreTorture

/// Both agents are killed at random instants while a selected text is changed by a language model, or
/// restored, and started again.
@Suite("Kills while a selected text is changed", .serialized)
struct TransformKillTests {
    private static let limit: Duration = .seconds(60)

    /// How the answer takes the place of the selected text.
    struct Way: CustomTestStringConvertible, Sendable {
        let kind: SelectingDesk.Kind
        /// By keys, a few at a time; else by the clipboard.
        let isTyped: Bool
        var testDescription: String { "\(isTyped ? "typed" : "pasted") in \(kind)" }
    }

    @Test(
        "the selected text is in its window, or held; what counts is there, and nothing comes twice",
        .timeLimit(.minutes(60)),
        arguments: [
            Way(kind: .x11(.gtkText), isTyped: true), Way(kind: .x11(.gtkText), isTyped: false),
            Way(kind: .x11(.qtText), isTyped: true), Way(kind: .x11(.chromium), isTyped: false),
            Way(kind: .native(.gtk3), isTyped: true), Way(kind: .native(.gtk4), isTyped: false),
            Way(kind: .native(.qt5), isTyped: true), Way(kind: .native(.chromium), isTyped: false),
        ].filter(\.kind.isInstalled))
    func kills(way: Way) async throws {
        let bench = try await Bench(way)
        await TortureCycles.run(
            of: "kills while a text is changed, \(way.testDescription)", from: [String: Int](),
            plan: { Plan($0, way, &$1) }, account: { await bench.account },
            carryOut: { plan, figures in figures[try await bench.carryOut(plan), default: 0] += 1 })
        await bench.close()
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The steps of one cycle.
    struct Plan {
        let original: String
        let answer: String
        /// Between the pieces in which the answer comes, in milliseconds.
        let pause: Int
        let moment: Moment
        /// From the moment to the kill, in microseconds.
        let delay: Int
        let victims: [String]

        enum Moment: CaseIterable {
            /// The model was asked.
            case asked
            /// The inserter has the answer.
            case claimed
            /// Some of it is in the window.
            case begun
            case inserted
            /// The user has asked to have the old text back.
            case undoing
        }

        init(_ cycle: Int, _ way: Way, _ random: inout SeededGenerator) {
            // Chromium ignores keys beyond the first plane, and a window's newline is a separate key.
            func text(_ mark: String) -> String {
                "<\(mark)\(cycle) "
                    + TortureText.random(&random).filter {
                        !$0.isNewline && $0.unicodeScalars.count == 1
                            && $0.unicodeScalars.allSatisfy { $0.value < 0x10000 }
                    } + ">"
            }
            (original, answer) = (text("o"), text("a"))
            pause = .random(in: 0...60, using: &random)
            moment = Moment.allCases.randomElement(using: &random) ?? .asked
            let length = way.isTyped ? answer.count * 400 : 30_000
            let delays: ClosedRange<Int> =
                switch moment {
                case .asked: 0...400_000
                case .claimed: 0...60_000
                case .begun, .undoing: 0...length
                case .inserted: 0...5_000
                }
            delay = .random(in: delays, using: &random)
            let all = [["insert-agent"], ["insert-agent"], ["insert-agent", "host-agent"], ["host-agent"]]
            victims = all.randomElement(using: &random) ?? []
        }
    }

    private actor Bench {
        private let desk: SelectingDesk
        /// The characters that a killed typist may have typed and not counted: one piece if no display notes
        /// keys.
        private let uncounted: Int
        private let folder: TemporaryFolder
        private let store: StateStore
        private let log: StoreLog
        private let model: LoopbackModel
        private let environment: [String: String]
        private var agents: [Program] = []
        private var words: [String] = []

        init(_ way: Way) async throws {
            desk = try await SelectingDesk.open(way.kind)
            uncounted = way.kind.isNative ? 32 : 0
            folder = try TemporaryFolder("torture")
            let group = try AppGroup(folder: URL(fileURLWithPath: folder.file("group"), isDirectory: true))
            store = try StateStore(group: group)
            log = try StoreLog(of: store)
            model = try LoopbackModel()
            let profile = "[[profile]]\nclass = \"*\"\npace = 2\n\(way.isTyped ? "method = \"type\"\n" : "")"
            let settings = try folder.write(
                model.settings + "[insert]\nspacing = 0\n" + profile, to: "settings.toml")
            environment = desk.environment.merging([
                "VOICEDICTATION_GROUP": group.folder.path, "VOICEDICTATION_SETTINGS": settings,
                "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus",
                "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus",
            ]) { $1 }
        }

        var account: String {
            """
            --- the history ---
            \(log.now.history.suffix(60).map(\.text).joined(separator: "\n"))
            --- the window has ---
            \(desk.text)
            --- the agents ---
            \((agents.map { "\($0.name):\n\($0.errors)" } + words.suffix(4)).joined(separator: "\n"))
            ---
            """
        }

        func close() async {
            log.stop()
            model.stop()
            for agent in agents { await agent.end() }
            await desk.close()
        }

        /// - Returns: how it ended, in a word.
        func carryOut(_ plan: Plan) async throws -> String {
            try await start()
            try await prepare(plan.original)
            let known = Set(log.now.dictations.keys)
            let half = plan.answer.index(plan.answer.startIndex, offsetBy: plan.answer.count / 2)
            model.does([
                .send(LoopbackModel.head), .silence(.milliseconds(plan.pause)),
                .send(LoopbackModel.event(String(plan.answer[..<half]))),
                .silence(.milliseconds(plan.pause)),
                .send(LoopbackModel.event(String(plan.answer[half...])) + LoopbackModel.event("", "stop")),
            ])
            let command = try Program.start(
                BuildFolder.program("dictstate"), ["transform", "change it"], environment: environment)
            try await reach(plan.moment, among: known)
            let undo =
                plan.moment == .undoing
                ? try Program.start(BuildFolder.program("dictstate"), ["undo"], environment: environment)
                : nil
            // The test varies the instant of the kill.
            try await Task.sleep(for: .microseconds(plan.delay), tolerance: .zero)
            try await kill(plan.victims)
            try await start()
            try await settle()
            await command.end()
            await undo?.end()
            return try await judge(plan, among: known)
        }

        /// A window with only a text, which is selected.
        private func prepare(_ text: String) async throws {
            try await desk.clear()
            let id = try store.add(text: text, locale: "und", isExact: true).id
            try await settle()
            guard try store.dictation(id)?.delivery == .inserted else {
                throw Failure(description: "the text to select was not inserted")
            }
            try await desk.waitForText(equal: text)
            try await desk.selectAll()
        }

        private func reach(_ moment: Plan.Moment, among known: Set<DictationID>) async throws {
            let isReached = await log.wait(within: TransformKillTests.limit) { contents -> Bool? in
                guard let state = contents.inOrder.last(where: { !known.contains($0.id) }) else { return nil }
                let isThere =
                    switch moment {
                    case .asked: state.status == .processing || state.status == .ready
                    case .claimed: if case .claimed? = state.delivery { true } else { false }
                    case .begun: state.isBegun
                    case .inserted, .undoing: state.delivery == .inserted
                    }
                return isThere || !state.isUnfinished ? true : nil
            }
            guard isReached == true else { throw Failure(description: "\(moment) was never reached") }
        }

        private func kill(_ victims: [String]) async throws {
            let dying = agents.filter { victims.contains($0.name) }
            for agent in dying { agent.signal(SIGKILL) }
            for agent in dying {
                try await agent.waitForExit()
                words.append("\(agent.name), killed:\n\(agent.errors)")
            }
            agents.removeAll { !$0.isRunning }
        }

        private func start() async throws {
            for (name, arguments) in [("insert-agent", []), ("host-agent", ["--no-hotkey"])]
            where !agents.contains(where: { $0.name == name }) {
                let agent = try Program.start(
                    BuildFolder.program(name), arguments, environment: environment)
                agents.append(agent)
                try await agent.waitForLine(containing: "\(name) is ready")
            }
        }

        private func settle() async throws {
            let ids = try store.history(limit: 40).map(\.id)
            let isSettled = await log.wait(within: TransformKillTests.limit) { contents -> Bool? in
                ids.allSatisfy { contents.dictations[$0] != nil } && contents.isSettled
                    && contents.intents.values.allSatisfy { $0.phase != .pending && $0.phase != .taken }
                    ? true : nil
            }
            guard isSettled == true else { throw Failure(description: "something is stuck") }
        }

        private func judge(_ plan: Plan, among known: Set<DictationID>) async throws -> String {
            let has = try await desk.markEnd()
            let new = try store.history(limit: 40).filter { !known.contains($0.id) }
            guard let state = new.last(where: { $0.options.transform != nil }) else {
                throw Failure(description: "the transform has no row")
            }
            let former = new.first { $0.delivery == .held(.formerText) }
            let isKept = former?.cleanedText == plan.original
            let isUndo = plan.moment == .undoing
            let ending: String
            if has == plan.original {
                guard state.delivery != .inserted else {
                    throw Failure(description: "it counts as replaced, and is not")
                }
                ending = isUndo ? "put back" : "as it was"
            } else if has == plan.answer {
                guard
                    state.delivery == .inserted || state.delivery == .held(.pasteUnsure) || isUndo
                        || state.insertedCount + uncounted >= has.count
                else {
                    throw Failure(description: "it is replaced, and does not count")
                }
                ending = "replaced"
            } else if plan.answer.hasPrefix(has) {
                guard (state.insertedCount...state.insertedCount + uncounted).contains(has.count) else {
                    throw Failure(description: "\(has.count) are there, \(state.insertedCount) count")
                }
                ending = "replaced in part"
            } else if isUndo, plan.original.hasPrefix(has) {
                ending = "put back in part"
            } else {
                throw Failure(description: "the window has “\(has)”")
            }
            // A change that came to its end is the user's; after a kill its result is unknown.
            let isLost = has != plan.original && !(has == plan.answer && state.delivery == .inserted)
            guard isKept || !isLost else { throw Failure(description: "the selected text is lost: “\(has)”") }
            if let former {
                try await Program.run(
                    BuildFolder.program("dictstate"), ["insert", former.id.description],
                    environment: environment)
                try await desk.waitForText(equal: has + "|" + plan.original)
            }
            for state in new where state.delivery?.heldReason != nil {
                _ = try? await Program.run(
                    BuildFolder.program("dictstate"), ["discard", state.id.description],
                    environment: environment)
            }
            return ending + (isKept ? ", and held" : "")
        }
    }
}
