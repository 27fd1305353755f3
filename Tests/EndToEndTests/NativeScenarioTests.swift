import Desktop
import DictationShared
import Foundation
import TestSupport
import Testing

/// Texts on their whole way into native Wayland windows, by the method that insert-agent chooses.
@Suite("Texts in native Wayland windows", .serialized, .timeLimit(.minutes(20)))
struct NativeScenarioTests {
    /// A desktop with an insert-agent.
    private final class Session {
        let desktop: WaylandDesktop
        let desk: Desk
        let environment: [String: String]
        private(set) var inserter: Program

        /// - Parameters:
        ///   - pasteFrom: `insert.paste-from`.
        ///   - pace: of a profile for all windows.
        init(pasteFrom: Int = 200, pace: Int = 0) async throws {
            desktop = try await WaylandDesktop.start()
            desk = try await Desk.set()
            _ = try desk.folder.write("[[profile]]\nclass = \"*\"\npace = \(pace)\n", to: "settings.toml")
            environment = desk.environment.merging(desktop.environment) { $1 }.merging([
                "VOICEDICTATION_INSERT_PASTE_FROM": "\(pasteFrom)"
            ]) { $1 }
            inserter = try await Self.startInserter(environment)
        }

        private static func startInserter(_ environment: [String: String]) async throws -> Program {
            let program = try Program.start(BuildFolder.program("insert-agent"), [], environment: environment)
            try await program.waitForLine(containing: "insert-agent is ready")
            return program
        }

        /// Kills it as a crash would, and starts the next one.
        func replaceInserter() async throws {
            inserter.signal(SIGKILL)
            _ = try await inserter.waitForExit()
            inserter = try await Self.startInserter(environment)
        }

        @discardableResult
        func settled(_ id: DictationID) async throws -> DictationState {
            try await desk.waitForDictation(id) { $0.isSettled }
        }

        /// - Returns: its state when it has settled.
        @discardableResult
        func insert(_ text: String) async throws -> DictationState {
            try await settled(try desk.store.add(text: text, locale: "en-US", isExact: true).id)
        }

        func end() async {
            await desk.end(inserter)
            await desktop.end()
        }
    }

    private static let texts = [
        "Plain \"ASCII\", with ~`|\\{}[]<>?/ and UPPER case. ",
        "Grüße aus Köln – naïve café “quotes”, Łódź, smørrebrød, ¿qué? €5 ",
        "日本語 Ελλάδα привет 👩‍💻 🇩🇪 ",
    ]

    /// `count` characters of all kinds.
    private static func mixed(_ count: Int) -> String {
        let whole = texts.joined()
        return String(String(repeating: whole, count: count / whole.count + 1).prefix(count))
    }

    @Test("each client gets each text exactly, and keeps clipboards and keyboards as they were")
    func exact() async throws {
        let session = try await Session()
        let owners = [
            try await session.desktop.copy("mine"), try await session.desktop.copy("selected", "--primary"),
        ]
        // Chromium is the first: it may crash if it starts while wtype's map is the current one.
        for kind in WaylandWindow.Kind.native.reversed() + [.xterm] {
            let window = try await WaylandWindow.start(kind, on: session.desktop, title: kind.rawValue)
            var expected = ""
            for text in Self.texts + [Self.mixed(10_000)] {
                let state = try await session.insert(text)
                #expect(state.delivery == .inserted, "\(kind): \(text.prefix(20))")
                expected += text
                try await window.waitForText(equal: expected)
            }
            // Another keyboard has its own map still.
            try await Program.run("wtype", ["zyx ÿ"], environment: session.environment)
            try await window.waitForText(equal: expected + "zyx ÿ")
            await window.end()
        }
        #expect(try await session.desktop.clipboardText() == "mine")
        #expect(try await session.desktop.clipboardText("--primary") == "selected")
        for owner in owners { await owner.end() }
        await session.end()
    }

    @Test("keys that are held or locked on another keyboard change nothing", arguments: ["ctrl", "capslock"])
    func held(modifier: String) async throws {
        let session = try await Session()
        let window = try await WaylandWindow.start(.gtk3, on: session.desktop, title: "Letter")
        let keyboard = try Program.start(
            "wtype", ["-M", modifier, "a", "-s", "600000"], environment: session.environment)
        let before = modifier == "capslock" ? "A" : ""
        if !before.isEmpty { try await window.waitForText(equal: before) }
        let text = Self.mixed(150)
        #expect(try await session.insert(text).delivery == .inserted)
        try await window.waitForText(equal: before + text)
        await keyboard.end()
        await window.end()
        await session.end()
    }

    @Test(
        "a text stops where the focus moves, and the rest continues where the user asks for it",
        arguments: WaylandWindow.Kind.native)
    func focusMoved(kind: WaylandWindow.Kind) async throws {
        // Slow enough that the focus moves in the middle.
        let session = try await Session(pasteFrom: 0, pace: 30)
        let first = try await WaylandWindow.start(kind, on: session.desktop, title: "First")
        let second = try await WaylandWindow.start(.foot, on: session.desktop, title: "Second")
        try await first.focus()
        let text = (0..<500).map { "\($0) " }.joined()
        let id = try session.desk.store.add(text: text, locale: "en-US", isExact: true).id
        try await session.desk.waitForDictation(id) { $0.insertedCount > 100 }
        try await second.focus()
        let state = try await session.settled(id)
        #expect(state.delivery == .held(.focusMoved))
        // Keys come in their order: misdirected keys would be there before these.
        #expect(try await session.insert("END").delivery == .inserted)
        try await second.waitForText(endingIn: "END")
        let astray = second.text.dropLast(3)
        #expect(astray.count <= 16)
        // The batch or the piece that was on its way may be in either window.
        try await first.focus()
        #expect(try await session.insert("|").delivery == .inserted)
        try await first.waitForText(endingIn: "|")
        let there = first.text.dropLast(1)
        #expect((state.insertedCount...state.insertedCount + 32).contains(there.count))
        #expect(text.hasPrefix(there + astray))
        await first.end()
        await second.end()
        await session.end()
    }

    @Test(
        "a new insert-agent, whose keyboard is the only one, pastes into a window that cannot say that it hears it"
    )
    func onlyKeyboard() async throws {
        // By its length nothing is pasted.
        let session = try await Session(pasteFrom: 0)
        let window = try await WaylandWindow.start(.qt5, on: session.desktop, title: "Letter")
        try await session.replaceInserter()
        let first = try await session.insert("Grüße, 世界")
        #expect(first.delivery == .inserted)
        #expect(first.route?.way == .paste)
        try await window.waitForText(equal: "Grüße, 世界")
        // A window that takes a paste key takes all keys.
        let second = try await session.insert(" second")
        #expect(second.delivery == .inserted)
        #expect(second.route?.way == .virtualKeyboard)
        try await window.waitForText(equal: "Grüße, 世界 second")
        await window.end()
        await session.end()
    }

    @Test(
        "after a kill at any instant of a paste, no text is there twice or counted wrong, and the clipboard is as it was"
    )
    func killedWhilePasting() async throws {
        let session = try await Session()
        let window = try await WaylandWindow.start(.foot, on: session.desktop, title: "Letter")
        let owner = try await session.desktop.copy("mine")
        let seed = TestSeed.next()
        var generator = SeededGenerator(seed: seed)
        let text = Self.mixed(300)
        for round in 0..<6 {
            let before = window.text
            let id = try session.desk.store.add(text: text, locale: "en-US", isExact: true).id
            // The test varies the instant of the kill.
            try await Task.sleep(for: .microseconds(Int.random(in: 0...60_000, using: &generator)))
            try await session.replaceInserter()
            let state = try await session.settled(id)
            let mark = "|\(round)|"
            #expect(try await session.insert(mark).delivery == .inserted)
            try await window.waitForText(endingIn: mark)
            let arrived = String(window.text.dropFirst(before.count).dropLast(mark.count))
            let comment = Comment(
                rawValue: "seed \(seed), round \(round): \(String(describing: state.delivery))")
            switch state.delivery {
            case .inserted: #expect(arrived == text, comment)
            case .held(.inserterDied): #expect(arrived.isEmpty, comment)
            case .held(.pasteUnsure): #expect(arrived.isEmpty || arrived == text, comment)
            default: Issue.record(comment)
            }
            #expect(try await session.desktop.clipboardText() == "mine", comment)
        }
        await owner.end()
        await window.end()
        await session.end()
    }
}
