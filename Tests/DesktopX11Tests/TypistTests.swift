import CX11
import Desktop
import DictationSystem
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DesktopX11

@Suite("Typist", .serialized, .timeLimit(.minutes(4)))
struct TypistTests {
    static let texts = [
        "The quick brown fox, 123% sure (\"quoted\") ~ {braces} [x] \\ / | ^ ` @ #!",
        "Größe, façade, naïve, ÉTÉ, “curly” ‘quotes’ – dash — em… 5 €",
        "日本語 中文 한국어 Привет Ελλάδα 👩‍👩‍👧‍👦 🇩🇪 👍🏽 ❤️ done",
        // Two changes of all spare keys: with two characters to each, and then with one or none.
        "Съешь же ещё этих мягких французских булок, да выпей чаю. Ξεσκεπάζω",
        "first line\n\nthird line",
    ]

    @Test("types exactly, and leaves the keyboard map as it was", arguments: Sink.Kind.installed)
    func exact(kind: Sink.Kind) async throws {
        let display = try TestDisplay()
        let sink = try Sink(kind, on: display, title: "target")
        let typist = try Typist(display: display.name)
        let before = try display.keyboardMap()
        let window = try #require(try await typist.focusedWindow())
        #expect(window.title == "target")
        var all = ""
        for text in Self.texts {
            let counts = Mutex<[Int]>([])
            let outcome = try await typist.type(text, into: window) { progress in
                let count = progress.sent
                counts.withLock { $0.append(count) }
            }
            #expect(outcome == .typed(text.count))
            #expect(counts.withLock { $0.last } == text.count)
            #expect(counts.withLock { $0 == $0.sorted() })
            all = kind == .xterm ? text : all + text
            #expect(try sink.waitFor(all) == all)
        }
        #expect(try display.keyboardMap() == before)
        #expect(try display.pressedKeycodes() == [])
    }

    @Test(
        "types exactly on other layouts",
        arguments: [["de"], ["fr"], ["us", "-variant", "intl"], ["us,ru"], ["gr"]])
    func layouts(layout: [String]) async throws {
        let display = try TestDisplay()
        let sink = try Sink(.gtk, on: display, title: "target")
        let typist = try Typist(display: display.name)
        var all = ""
        for text in ["Before ", "Grüße: 'a' ~^` “x” é @ Привет 5€ "] {
            all += text
            #expect(try await typist.type(text) == .typed(text.count))
            #expect(try sink.waitFor(all) == all)
            // The typist has read the old map by now, and must see that there is a new one.
            try display.run(
                "setxkbmap", "-layout", layout[0], layout.count > 1 ? "-variant" : "-option",
                layout.last ?? "")
        }
        let again = "zyZY äé"
        #expect(try await typist.type(again) == .typed(again.count))
        #expect(try sink.waitFor(all + again) == all + again)
    }

    @Test("Caps Lock does not matter, and stays on")
    func capsLock() async throws {
        let display = try TestDisplay()
        let sink = try Sink(.gtk, on: display, title: "target")
        let typist = try Typist(display: display.name)
        try display.run("xdotool", "key", "Caps_Lock")
        #expect(try display.lockedModifiers() == 2)
        let text = "aBc é"
        #expect(try await typist.type(text) == .typed(5))
        #expect(try sink.waitFor(text) == text)
        #expect(try display.lockedModifiers() == 2)
    }

    @Test("held modifiers do not matter, and are held afterward", arguments: [50, 37, 133] as [UInt32])
    func heldModifier(keycode: UInt32) async throws {
        let display = try TestDisplay()
        let sink = try Sink(.gtk, on: display, title: "target")
        let typist = try Typist(display: display.name)
        try display.sendPhysical(keycode: keycode, isDown: true)
        let text = "no shortcuts, é"
        #expect(try await typist.type(text) == .typed(text.count))
        #expect(try sink.waitFor(text) == text)
        #expect(try display.pressedKeycodes() == [UInt8(keycode)])
        try display.sendPhysical(keycode: keycode, isDown: false)
        // A key that was pressed again for the user must still work when we use it.
        let more = " AND More"
        #expect(try await typist.type(more) == .typed(more.count))
        #expect(try sink.waitFor(text + more) == text + more)
        #expect(try display.pressedKeycodes() == [])
    }

    @Test(
        "no menu opens by Alt or Super that is held: another key comes before each release",
        arguments: [64, 133] as [UInt8])
    func heldMenuKey(keycode: UInt8) async throws {
        let display = try TestDisplay(withWindowManager: false)
        let window = try KeyWindow(on: display)
        let typist = try Typist(display: display.name)
        try display.sendPhysical(keycode: UInt32(keycode), isDown: true)
        #expect(try await typist.type("abba") == .typed(4))
        try display.sendPhysical(keycode: UInt32(keycode), isDown: false)
        let keys = window.keys()
        let releases = keys.indices.filter { keys[$0] == (keycode, false) }
        #expect(releases.count == 2)
        for release in releases { #expect(keys[release - 1].keycode != keycode, "\(keys)") }
    }

    @Test("a modifier held since before the text counts for the keys that the user presses meanwhile")
    func heldModifierMeanwhile() async throws {
        let display = try TestDisplay()
        let sink = try Sink(.gtk, on: display, title: "target")
        let typist = try Typist(display: display.name)
        let (shift, x): (UInt32, UInt32) = (50, 53)
        let text = String(repeating: "abc ", count: 40)
        var all = ""
        // With Shift held to the end, released behind the key, and released before it.
        for (keys, typed) in [
            ([(x, true), (x, false)], "X"), ([(x, true), (x, false), (shift, false)], "X"),
            ([(shift, false), (x, true), (x, false)], "x"),
        ] {
            try display.sendPhysical(keycode: shift, isDown: true)
            let isFirst = Once()
            let outcome = try await typist.type(text) { _ in
                guard isFirst() else { return }
                for (keycode, isDown) in keys { try display.sendPhysical(keycode: keycode, isDown: isDown) }
            }
            #expect(outcome == .typed(text.count))
            all += text + typed
            #expect(try sink.waitFor(all) == all)
            try display.sendPhysical(keycode: shift, isDown: false)
            #expect(try display.pressedKeycodes() == [])
        }
    }

    @Test("a modifier that is let go of at the moment when it would be pressed again does not stay down")
    func releasedAtTheEnd() async throws {
        let display = try TestDisplay(withWindowManager: false)
        let window = try KeyWindow(on: display)
        let typist = try Typist(display: display.name)
        for _ in 1...60 {
            // 37 is Control.
            try display.sendPhysical(keycode: 37, isDown: true)
            let (isTyped, release) = (DispatchSemaphore(value: 0), DispatchGroup())
            release.enter()
            Thread.detachNewThread {
                defer { release.leave() }
                #expect(throws: Never.self) {
                    try display.sendPhysical(keycode: 37, isDown: false) {
                        isTyped.wait()
                        // The test varies the instant of the release: the modifier comes back within that time.
                        usleep(.random(in: 0...600))
                    }
                }
            }
            let outcome = try await typist.type("ab") { _ in isTyped.signal() }
            // Also if nothing was typed.
            isTyped.signal()
            #expect(outcome == .typed(2))
            await withCheckedContinuation { done in release.notify(queue: .global()) { done.resume() } }
            #expect(try display.pressedKeycodes() == [])
        }
        #expect(try window.pressed().count == 120)
    }

    @Test("the user's own keys come after the text")
    func userTypes() async throws {
        let display = try TestDisplay()
        let sink = try Sink(.gtk, on: display, title: "target")
        let typist = try Typist(display: display.name)
        let text = String(repeating: "abc ", count: 40)
        let isFirst = Once()
        let outcome = try await typist.type(text) { progress in
            let count = progress.sent
            if count == 64, isFirst() {
                // 53 is x.
                try display.sendPhysical(keycode: 53, isDown: true)
                try display.sendPhysical(keycode: 53, isDown: false)
            }
        }
        #expect(outcome == .typed(text.count))
        #expect(try sink.waitFor(text + "x") == text + "x")
    }

    /// 9 is Escape, 66 Caps Lock.
    @Test(
        "Escape stops it within a batch, and no window sees that Escape, whichever key gives it",
        arguments: [(9, ""), (66, "caps:escape")] as [(UInt32, String)])
    func escape(keycode: UInt32, option: String) async throws {
        let display = try TestDisplay()
        if !option.isEmpty { try display.setLayout(["us", "-option", option]) }
        let sink = try Sink(.gtk, on: display, title: "target")
        let typist = try Typist(display: display.name)
        let text = String(repeating: "0123456789", count: 20)
        let isFirst = Once()
        let outcome = try await typist.type(text) { progress in
            let count = progress.sent
            if count == 64, isFirst() {
                try display.sendPhysical(keycode: keycode, isDown: true)
                try display.sendPhysical(keycode: keycode, isDown: false)
            }
        }
        #expect(outcome == .stopped(64, reason: .escapePressed))
        let typed = String(text.prefix(64))
        #expect(try sink.waitFor(typed) == typed)
        #expect(try await typist.type("z") == .typed(1))
        #expect(try sink.waitFor(typed + "z") == typed + "z")
    }

    @Test(
        "a layout that is switched in the middle does not matter",
        arguments: [
            ["-layout", "de"], ["-layout", "us", "-variant", "dvorak"], ["-layout", "us,ru"], ["group"],
        ])
    func layoutSwitched(arguments: [String]) async throws {
        let display = try TestDisplay()
        let sink = try Sink(.gtk, on: display, title: "target")
        if arguments == ["group"] { try display.run("setxkbmap", "-layout", "us,ru") }
        let typist = try Typist(display: display.name)
        let text = String(repeating: "xyz; 'q' Z{}@ Ärger, żółć 世界. ", count: 8)
        let hasSwitched = Mutex(false)
        let outcome = try await typist.type(text) { progress in
            let count = progress.sent
            if count > 60, !hasSwitched.withLock({ $0 }) {
                hasSwitched.withLock { $0 = true }
                if arguments == ["group"] {
                    try display.lockGroup(1)
                } else {
                    // Applications translate a key when they read it: unread keys are lost.
                    let sofar = String(text.prefix(count))
                    #expect(try sink.waitFor(sofar) == sofar)
                    try display.setLayout(arguments)
                }
            }
        }
        #expect(outcome == .typed(text.count))
        #expect(try sink.waitFor(text) == text)
        #expect(try display.pressedKeycodes() == [])
    }

    @Test("stops when the focus moves, with nothing in the other window")
    func focusMoves() async throws {
        let display = try TestDisplay()
        let other = try Sink(.gtk, on: display, title: "other")
        let sink = try Sink(.gtk, on: display, title: "target")
        let typist = try Typist(display: display.name)
        let window = try #require(try await typist.focusedWindow())
        let text = String(repeating: "0123456789", count: 20)
        let isFirst = Once()
        let outcome = try await typist.type(text, into: window) { progress in
            let count = progress.sent
            if count == 64, isFirst() { try display.activate("other") }
        }
        guard case .stopped(64, .focusMoved(let moved)) = outcome else {
            Issue.record("unexpected: \(outcome)")
            return
        }
        #expect(moved?.title == "other")
        let typed = String(text.prefix(64))
        #expect(try sink.waitFor(typed) == typed)
        #expect(try other.whatIsThere().contains("0") == false)
        // And into a window that has not the focus, it does not begin.
        guard case .stopped(0, .focusMoved) = try await typist.type("x", into: window) else {
            Issue.record("typed into the wrong window")
            return
        }
    }

    @Test("the focus stolen at random instants, many times: never a character goes astray or is lost")
    func focusStolen() async throws {
        let seed = TestSeed.next()
        var random = SeededGenerator(seed: seed)
        let display = try TestDisplay()
        let other = try Sink(.gtk, on: display, title: "other")
        let sink = try Sink(.xterm, on: display, title: "target")
        let typist = try Typist(display: display.name)
        let target = try #require(try await typist.focusedWindow())
        let text = String(repeating: "0123456789 é 世 ", count: 12)
        for _ in 0..<200 {
            let thief = FocusThief(display: display.name)
            let after = Int.random(in: 0..<text.count, using: &random)
            let outcome = try await typist.type(text, into: target) { progress in
                let count = progress.sent
                // From another thread, so that it comes at any moment of the next batches.
                if count >= after { thief.steal(to: "other") }
            }
            thief.wait()
            let typed = String(text.prefix(outcome.characterCount))
            // One character too many would be the first of the next round.
            try #require(try sink.waitFor(typed) == typed, "seed \(seed)")
            if case .stopped(_, let reason) = outcome {
                guard case .focusMoved = reason else {
                    Issue.record("unexpected: \(reason), seed \(seed)")
                    return
                }
            }
            let keeper = FocusThief(display: display.name)
            keeper.steal(to: "target")
            keeper.wait()
        }
        #expect(try sink.whatIsThere().isEmpty, "seed \(seed)")
        #expect(try other.whatIsThere().contains("0") == false, "seed \(seed)")
    }

    @Test("a held hotkey has the keyboard: the text waits for its release")
    func heldHotkey() async throws {
        let display = try TestDisplay()
        let sink = try Sink(.gtk, on: display, title: "target")
        let typist = try Typist(display: display.name)
        let listener = try HotkeyListener(hotkeys: [Hotkey(parsing: "F9")], display: display.name)
        defer { listener.stop() }
        var events = listener.events.makeAsyncIterator()
        try display.sendPhysical(keycode: 75, isDown: true)
        _ = await events.next()
        async let outcome = typist.type("late é")
        try display.sendPhysical(keycode: 75, isDown: false)
        #expect(try await outcome == .typed(6))
        #expect(try sink.waitFor("late é") == "late é")
    }

    @Test("while another program has the keyboard, nothing is typed")
    func keyboardBusy() async throws {
        let display = try TestDisplay()
        let sink = try Sink(.gtk, on: display, title: "target")
        let typist = try Typist(display: display.name)
        let locker = Mutex<DisplayConnection?>(nil)
        let text = String(repeating: "x", count: 100)
        let isFirst = Once()
        let outcome = try await typist.type(text) { progress in
            let count = progress.sent
            if count == 32, isFirst() {
                try locker.withLock {
                    let connection = try DisplayConnection(name: display.name)
                    XGrabKeyboard(connection.display, connection.root, 0, GrabModeAsync, GrabModeAsync, 0)
                    connection.sync()
                    $0 = connection
                }
            }
        }
        #expect(outcome == .stopped(32, reason: .keyboardBusy))
        #expect(try await typist.type("y") == .stopped(0, reason: .keyboardBusy))
        locker.withLock { $0 = nil }
        #expect(try await typist.type("z") == .typed(1))
        let expected = String(repeating: "x", count: 32) + "z"
        #expect(try sink.waitFor(expected) == expected)
    }

    @Test("a window that closes in the middle is reported")
    func windowCloses() async throws {
        let display = try TestDisplay()
        let other = try Sink(.gtk, on: display, title: "other")
        _ = try Sink(.gtk, on: display, title: "target")
        let typist = try Typist(display: display.name)
        let window = try #require(try await typist.focusedWindow())
        let isFirst = Once()
        let outcome = try await typist.type(String(repeating: "0", count: 100), into: window) { progress in
            let count = progress.sent
            if count == 32, isFirst() { try display.run("xdotool", "windowkill", String(window.id)) }
        }
        #expect(outcome.characterCount < 100)
        if case .stopped(_, .windowClosed) = outcome {} else { Issue.record("unexpected: \(outcome)") }
        #expect(try other.whatIsThere().contains("0") == false)
    }

    @Test("a window with the number of a closed one is not that one")
    func numberGivenAgain() async throws {
        let display = try TestDisplay()
        let sink = try Sink(.gtk, on: display, title: "target")
        let typist = try Typist(display: display.name)
        let window = try #require(try await typist.focusedWindow())
        let pid = try #require(window.pid)
        let closed = WindowInfo(
            id: window.id, windowClass: window.windowClass, title: window.title, pid: pid + 1)
        #expect(try await typist.type("a", into: closed) == .stopped(0, reason: .windowClosed))
        #expect(try await !typist.activate(closed))
        let wait = try DesktopWait(forFocusOf: closed, within: .seconds(60), display: display.name)
        #expect(await !wait.value())
        let unknown = WindowInfo(id: window.id, windowClass: "", title: "")
        #expect(try await typist.type("b", into: unknown) == .typed(1))
        #expect(try sink.waitFor("b") == "b")
    }

    @Test("an error of the progress report ends it, with everything put back")
    func progressThrows() async throws {
        struct Refused: Error {}
        let display = try TestDisplay()
        let sink = try Sink(.xterm, on: display, title: "target")
        let typist = try Typist(display: display.name)
        let before = try display.keyboardMap()
        await #expect(throws: Refused.self) {
            _ = try await typist.type("世界 and so on and so on and then more") { _ in throw Refused() }
        }
        let typed = "世界 and so on and so on and then "
        #expect(try sink.waitFor(typed) == typed)
        #expect(try display.keyboardMap() == before)
    }

    /// Where window managers put the focus when no application has it.
    enum Placeholder: CaseIterable {
        case withoutPixels, outOfScreen, ofOpenbox

        func makeWindow(on connection: DisplayConnection) throws -> Window {
            switch self {
            case .withoutPixels: return connection.makeHiddenWindow()
            case .outOfScreen:
                var attributes = XSetWindowAttributes()
                attributes.override_redirect = 1
                return XCreateWindow(
                    connection.display, connection.root, -100, -100, 10, 10, 0, 0, UInt32(InputOutput), nil,
                    UInt(CWOverrideRedirect), &attributes)
            case .ofOpenbox:
                let known = connection.property("_NET_SUPPORTING_WM_CHECK", of: connection.root)
                guard case .words(let windows)? = known else { throw LineReader.TimedOut() }
                return try #require(windows.first)
            }
        }
    }

    @Test("an invisible window does not count: no text goes there", arguments: Placeholder.allCases)
    func placeholder(kind: Placeholder) async throws {
        let display = try TestDisplay()
        let sink = try Sink(.xterm, on: display, title: "target")
        let typist = try Typist(display: display.name)
        let window = try #require(try await typist.focusedWindow())
        let connection = try DisplayConnection(name: display.name)
        let placeholder = try kind.makeWindow(on: connection)
        XMapWindow(connection.display, placeholder)
        XSetInputFocus(connection.display, placeholder, Int32(RevertToPointerRoot), Time(CurrentTime))
        connection.sync()
        #expect(FocusInspector(connection: connection).focusedInnerWindow() == placeholder)
        #expect(try await typist.focusedWindow() == nil)
        #expect(try await typist.type("lost") == .stopped(0, reason: .noFocus))
        try display.activate("target")
        #expect(try await typist.type("found", into: window) == .typed(5))
        #expect(try sink.waitFor("found") == "found")
    }

    @Test("no focus, no display, and a display that goes away are reported")
    func reports() async throws {
        let display = try TestDisplay(withWindowManager: false)
        let typist = try Typist(display: display.name)
        #expect(try await typist.focusedWindow() == nil)
        #expect(try await typist.type("x") == .stopped(0, reason: .noFocus))
        display.stopServer()
        await #expect(throws: DesktopError.displayLost(name: display.name)) {
            try await typist.focusedWindow()
        }
        await #expect(throws: DesktopError.displayLost(name: display.name)) { try await typist.type("x") }
        #expect(throws: DesktopError.noDisplay(name: display.name)) { try Typist(display: display.name) }
    }
}
