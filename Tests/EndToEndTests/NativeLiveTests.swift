import Desktop
import DictationShared
import Foundation
import TestSupport
import Testing

/// Text that is typed while somebody speaks, into windows that speak Wayland themselves: the real inserter; the test says what
/// a host would hear.
@Suite("Text while one speaks, in native Wayland windows", .serialized, .timeLimit(.minutes(20)))
struct NativeLiveTests {
    /// A window, an inserter that types slowly into it, and a dictation that is being spoken.
    fileprivate final class Scene {
        let session: NativeWindowTests.Session
        let window: WaylandWindow
        private(set) var inserter: Program
        let id: DictationID
        private let role: RoleLock
        var desk: Desk { session.desk }

        /// - Parameter pace: milliseconds between two batches in the window; in others there is no pause.
        init(_ kind: WaylandWindow.Kind, pace: Int = 0, settings: String = "") async throws {
            session = try await NativeWindowTests.Session()
            _ = try session.desk.folder.write(
                Self.settings(pace: pace) + settings, to: "settings.toml")
            // This process plays the host-agent.
            role = try RoleLock(.host, in: session.desk.group)
            inserter = try await session.start("insert-agent")
            window = try await WaylandWindow.start(kind, on: session.desktop, title: "Letter")
            id = try session.desk.store.begin(target: nil, engine: "test", locale: "en-US").id
            try session.desk.store.apply(.recordingStarted, to: id)
        }

        private static func settings(pace: Int) -> String {
            "[[profile]]\ntitle = \"Letter\"\npace = \(pace)\n[insert]\npaste-from = 0\n"
        }

        /// The rest is typed without pauses.
        func hurry() async throws {
            let seen = inserter.lines.count
            _ = try session.desk.folder.write(Self.settings(pace: 0), to: "settings.toml")
            try await inserter.waitForLine(containing: "settings read", from: seen)
        }

        /// The words that are settled so far.
        func hear(_ text: String) throws { try desk.store.apply(.grown(text), to: id) }

        func hearAndType(_ text: String) async throws {
            try hear(text)
            try await desk.waitForDictation(id) { $0.growth == .open && $0.insertedCount == text.count }
        }

        /// Waits until it is in the middle of its words.
        func typing() async throws { try await desk.waitForDictation(id) { $0.insertedCount > 20 } }

        /// - Returns: how it is in the end.
        func end(with text: String) async throws -> DictationState {
            try desk.store.apply(.recognized(.init(rawText: text, cleanedText: text)), to: id)
            return try await desk.waitForDictation(id) { $0.isSettled }
        }

        func replaceInserter() async throws {
            try await desk.kill(inserter)
            inserter = try await session.start("insert-agent")
        }

        func close() async {
            await window.end()
            await session.end(inserter)
        }
    }

    /// So long between two batches that every event comes in the middle of the words.
    private static let slowly = 1_000
    private static let long = (0..<150).map { "\($0) " }.joined()

    @Test("words come as they are settled", arguments: WaylandWindow.Kind.native)
    func words(kind: WaylandWindow.Kind) async throws {
        let scene = try await Scene(kind)
        for text in ["Grüße, 世界", "Grüße, 世界! We go", "Grüße, 世界! We go on."] {
            try await scene.hearAndType(text)
            try await scene.window.waitForText(equal: text)
        }
        let state = try await scene.end(with: "Grüße, 世界! We go on. And on.")
        #expect(state.delivery == .inserted)
        try await scene.window.waitForText(equal: state.cleanedText)
        await scene.close()
    }

    @Test(
        "if the focus moves between words or inside them, the rest goes where the user asks for it",
        arguments: WaylandWindow.Kind.native, [true, false])
    func focusMoves(kind: WaylandWindow.Kind, isBetween: Bool) async throws {
        let scene = try await Scene(kind, pace: isBetween ? 0 : Self.slowly)
        let other = try await WaylandWindow.start(.foot, on: scene.session.desktop, title: "Other")
        try await scene.window.focus()
        let half = String(Self.long.prefix(Self.long.count / 2))
        if isBetween {
            try await scene.hearAndType(half)
            try await other.focus()
            try scene.hear(Self.long)
        } else {
            try scene.hear(half)
            try await scene.typing()
            try await other.focus()
        }
        let held = try await scene.desk.waitForDictation(scene.id) { $0.heldGrowth != nil }
        #expect(held.heldGrowth == .focusMoved && held.status == .recording)
        try scene.hear(Self.long + "more ")
        _ = try await scene.session.dictstate("insert")
        let state = try await scene.end(with: Self.long + "more words.")
        #expect(state.delivery == .inserted)
        try await other.waitForText(endingIn: "more words.")
        try await scene.check(state, from: held.insertedCount, in: other, isBatchLost: !isBetween)
        await other.end()
        await scene.close()
    }

    @Test(
        "a window that closes takes no more than it has, and the rest is found",
        arguments: WaylandWindow.Kind.native)
    func closed(kind: WaylandWindow.Kind) async throws {
        let scene = try await Scene(kind, pace: Self.slowly)
        let other = try await WaylandWindow.start(.foot, on: scene.session.desktop, title: "Other")
        try await scene.window.focus()
        try scene.hear(Self.long)
        try await scene.typing()
        await scene.window.end()
        let held = try await scene.desk.waitForDictation(scene.id) { $0.heldGrowth != nil }
        #expect(held.heldGrowth == .windowClosed || held.heldGrowth == .focusMoved)
        let state = try await scene.end(with: Self.long + "more.")
        #expect(state.delivery == .held(held.heldGrowth ?? .stale))
        #expect(try await scene.session.dictstate("insert").exitCode == 0)
        try await other.waitForText(endingIn: "more.")
        let rest = state.cleanedText.dropFirst(held.insertedCount)
        // What was on its way when the window closed may have come into the other one.
        #expect(other.text.hasSuffix(rest) && other.text.count - rest.count <= 32, "\(other.text)")
        await other.end()
        await scene.close()
    }

    @Test(
        "the user's layout changes, and the user types in the middle: the words are as they are",
        arguments: WaylandWindow.Kind.native)
    func user(kind: WaylandWindow.Kind) async throws {
        let scene = try await Scene(kind, pace: 30)
        let keyboard = try await WaylandKeyboard.connect(to: scene.session.desktop)
        try scene.hear(Self.long)
        try await scene.typing()
        try await scene.session.desktop.sway("input * xkb_layout de")
        try await keyboard.tap("a", times: 3)
        try await scene.desk.waitForDictation(scene.id) {
            $0.growth == .open && $0.insertedCount == Self.long.count
        }
        let state = try await scene.end(with: Self.long + "more.")
        #expect(state.delivery == .inserted)
        try await scene.window.waitForText(endingIn: "more.")
        #expect(scene.window.text.replacing("a", with: "") == state.cleanedText)
        #expect(scene.window.text.count { $0 == "a" } == 3)
        await keyboard.end()
        await scene.close()
    }

    @Test(
        "an inserter that is killed between words or among them leaves the rest to be asked for",
        arguments: WaylandWindow.Kind.native, [true, false])
    func killed(kind: WaylandWindow.Kind, isBetween: Bool) async throws {
        let scene = try await Scene(kind, pace: isBetween ? 0 : Self.slowly)
        let half = String(Self.long.prefix(Self.long.count / 2))
        if isBetween {
            try await scene.hearAndType(half)
        } else {
            try scene.hear(half)
            try await scene.typing()
        }
        try await scene.replaceInserter()
        try scene.hear(Self.long)
        let held = try await scene.desk.waitForDictation(scene.id) { $0.heldGrowth != nil }
        #expect(held.heldGrowth == .inserterDied)
        let state = try await scene.end(with: Self.long + "more.")
        #expect(state.delivery == .held(.inserterDied))
        // Keys come in their order: what the killed one has typed is before this.
        if !isBetween { try await scene.hurry() }
        let mark = try scene.desk.store.add(text: "| ", locale: "en-US", isExact: true).id
        #expect(try await scene.desk.waitForDictation(mark) { $0.isSettled }.delivery == .inserted)
        try await scene.window.waitForText(endingIn: "| ")
        let there = scene.window.text.dropLast(2)
        #expect(Self.long.hasPrefix(there))
        #expect((held.insertedCount...held.insertedCount + 32).contains(there.count))
        #expect(try await scene.session.dictstate("insert", "\(scene.id)").exitCode == 0)
        let rest = state.cleanedText.dropFirst(held.insertedCount)
        try await scene.window.waitForText(equal: there + "| " + rest)
        await scene.close()
    }

    @Test(
        "a cancel in the middle of words stops the typing, and what is typed is counted",
        arguments: WaylandWindow.Kind.native + [.xterm, .gtk3OnX11])
    func cancelled(kind: WaylandWindow.Kind) async throws {
        let scene = try await Scene(kind, pace: Self.slowly)
        try scene.hear(Self.long)
        try await scene.typing()
        try scene.desk.store.apply(.cancelled, to: scene.id)
        let state = try await scene.desk.waitForDictation(scene.id) { $0.isSettled }
        #expect(state.status == .cancelled && state.insertedCount < Self.long.count)
        #expect(state.cleanedText.count == state.insertedCount)
        // Nothing is on its way: what comes next follows it directly.
        let mark = try scene.desk.store.add(text: "|", locale: "en-US", isExact: true).id
        #expect(try await scene.desk.waitForDictation(mark) { $0.isSettled }.delivery == .inserted)
        try await scene.window.waitForText(equal: state.cleanedText + "|")
        await scene.close()
    }

    private enum End: CaseIterable { case stopped, cancelled, hostKilled, inserterKilled }

    @Test("spoken to a real host, no word is lost or there twice, however it ends", arguments: End.allCases)
    private func spoken(end: End) async throws {
        let session = try await NativeWindowTests.Session(LiveTests.sentences())
        let desk = session.desk
        _ = try desk.folder.write("[insert]\nlive = \"words\"\n", to: "settings.toml")
        let host = try await session.start("host-agent")
        let inserter = try await session.start("insert-agent")
        let window = try await WaylandWindow.start(.foot, on: session.desktop, title: "Letter")
        _ = try await session.dictstate("start")
        let early = try await desk.waitForDictation {
            $0.isBegun && ($0.status == .recording || !$0.isUnfinished)
        }
        #expect(early.status == .recording)
        var next: Program?
        switch end {
        case .stopped: _ = try await session.dictstate("stop")
        case .cancelled: _ = try await session.dictstate("cancel")
        case .hostKilled:
            try await desk.kill(host)
            next = try await session.start("host-agent")
        case .inserterKilled:
            try await desk.kill(inserter)
            next = try await session.start("insert-agent")
            _ = try await session.dictstate("stop")
        }
        let state = try await desk.waitForDictation(early.id) {
            $0.isSettled && ($0.status != .error || end != .hostKilled)
        }
        switch end {
        case .stopped: #expect(state.delivery == .inserted)
        case .cancelled: #expect(state.status == .cancelled)
        case .hostKilled: #expect(state.delivery == .held(.recovered))
        case .inserterKilled: #expect(state.delivery == .held(.inserterDied))
        }
        try await window.waitForText(equal: String(state.cleanedText.prefix(state.insertedCount)))
        if state.delivery?.heldReason != nil {
            #expect(try await session.dictstate("insert", "\(early.id)").exitCode == 0)
            let done = try await desk.waitForDictation(early.id) { $0.isSettled && $0.delivery == .inserted }
            try await window.waitForText(equal: done.cleanedText)
        }
        if let next { await next.end() }
        await window.end()
        await session.end(host, inserter)
    }

    @Test(
        "with live-revise, the words that were typed stay in a native window",
        arguments: WaylandWindow.Kind.native)
    func revised(kind: WaylandWindow.Kind) async throws {
        let scene = try await Scene(kind, settings: "live-revise = true\n")
        for text in ["I went two", "I went to the"] {
            try scene.desk.store.apply(.regrown(text), to: scene.id)
            try await scene.desk.waitForDictation(scene.id) {
                $0.growth == .open && $0.isBegun && $0.revisedText == nil && $0.remainder.isEmpty
            }
        }
        try scene.desk.store.apply(
            .recognized(.init(rawText: "x", cleanedText: "I went to the store.", mayBeMended: true)),
            to: scene.id)
        let state = try await scene.desk.waitForDictation(scene.id) { $0.isSettled }
        #expect(state.delivery == .inserted && state.cleanedText == "I went two the store.")
        try await scene.window.waitForText(equal: state.cleanedText)
        await scene.close()
    }
}

extension NativeLiveTests.Scene {
    /// The words are in one window up to a count, and from there on in the other; those of a batch that was on its way when the
    /// focus moved may be in either, or in both.
    fileprivate func check(
        _ state: DictationState, from count: Int, in other: WaylandWindow, isBatchLost: Bool
    ) async throws {
        let text = state.cleanedText
        let rest = text.dropFirst(count)
        // A browser that has lost the focus may report its text late.
        try await window.waitForText(ofAtLeast: count)
        #expect(other.text.hasSuffix(rest), "\(other.text) \(rest)")
        let astray = other.text.dropLast(rest.count)
        #expect(text.hasPrefix(window.text))
        if isBatchLost {
            #expect(
                astray.count <= 16 && (count...count + 32).contains(window.text.count),
                "\(astray) \(count) \(window.text)")
        } else {
            #expect(astray.isEmpty && window.text.count == count, "\(astray) \(count) \(window.text)")
        }
    }
}
