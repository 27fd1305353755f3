import CX11
import Desktop
import DictationSystem
import Foundation
import Glibc
import Logging
import Testing

@testable import DesktopX11

@Suite("Hotkey listener", .serialized, .timeLimit(.minutes(2)))
struct HotkeyListenerTests {
    private enum Kind { case press, release, cancel, other }

    private static func next(
        _ count: Int, of events: inout AsyncStream<HotkeyEvent>.Iterator
    ) async -> [Kind] {
        var kinds: [Kind] = []
        while kinds.count < count, let event = await events.next() {
            switch event {
            case .pressed: kinds.append(.press)
            case .released: kinds.append(.release)
            case .cancelPressed: kinds.append(.cancel)
            default: kinds.append(.other)
            }
        }
        return kinds
    }

    @Test(
        "press and release are reported, with any locks and layout",
        arguments: [
            ("F9", "F9"), ("ctrl+alt+d", "ctrl+alt+d"), ("super+space", "super+space"),
            ("ctrl+plus", "ctrl+plus"),
        ])
    func pressAndRelease(text: String, keys: String) async throws {
        let display = try TestDisplay()
        let sink = try Sink(.gtk, on: display, title: "target")
        let listener = try HotkeyListener(hotkeys: [Hotkey(parsing: text)], display: display.name)
        defer { listener.stop() }
        var events = listener.events.makeAsyncIterator()
        for setUp in [[], ["key", "Caps_Lock"], ["key", "Num_Lock"]] as [[String]] {
            if !setUp.isEmpty { try display.run("xdotool", setUp[0], setUp[1]) }
            try display.run("xdotool", "key", keys)
            guard case .pressed(_, let pressed, let focus)? = await events.next(),
                case .released(let released)? = await events.next()
            else {
                Issue.record("no press and release")
                return
            }
            #expect(focus?.title == sink.title)
            #expect(released >= pressed)
        }
    }

    @Test("two keys that differ only in a modifier are distinguished, with any locks")
    func several() async throws {
        let display = try TestDisplay()
        _ = try Sink(.gtk, on: display, title: "target")
        let hotkeys = [
            try Hotkey(parsing: "F9"), try Hotkey(parsing: "shift+F9"), try Hotkey(parsing: "ctrl+d"),
        ]
        let listener = try HotkeyListener(hotkeys: hotkeys, display: display.name)
        defer { listener.stop() }
        var events = listener.events.makeAsyncIterator()
        for lock in [nil, "Caps_Lock", "Num_Lock"] {
            if let lock { try display.run("xdotool", "key", lock) }
            for hotkey in hotkeys + hotkeys.reversed() {
                try display.run("xdotool", "key", "\(hotkey)")
                guard case .pressed(let pressed, _, _)? = await events.next(),
                    case .released? = await events.next()
                else {
                    Issue.record("no press and release of \(hotkey)")
                    return
                }
                #expect(pressed == hotkey)
            }
        }
    }

    @Test("if one of several keys is taken, none is grabbed, and the taken one is named")
    func oneTaken() async throws {
        let display = try TestDisplay()
        let (first, second) = (try Hotkey(parsing: "F9"), try Hotkey(parsing: "shift+F9"))
        let other = try HotkeyListener(hotkeys: [second], display: display.name)
        #expect(throws: DesktopError.hotkeyTaken(second)) {
            try HotkeyListener(hotkeys: [first, second], display: display.name)
        }
        try HotkeyListener(hotkeys: [first], display: display.name).stop()
        other.stop()
        try HotkeyListener(hotkeys: [first, second], display: display.name).stop()
    }

    @Test("a held key is one press: auto-repeat is left out")
    func autoRepeat() async throws {
        let display = try TestDisplay(withWindowManager: false)
        let listener = try HotkeyListener(hotkeys: [Hotkey(parsing: "F9")], display: display.name)
        defer { listener.stop() }
        var events = listener.events.makeAsyncIterator()
        try display.run("xset", "r", "rate", "100", "100")
        try display.sendPhysical(keycode: 75, isDown: true)
        try display.run("sleep", "0.5")
        try display.sendPhysical(keycode: 75, isDown: false)
        guard case .pressed(_, let pressed, nil)? = await events.next(),
            case .released(let released)? = await events.next()
        else {
            Issue.record("no press and release")
            return
        }
        #expect(pressed.duration(to: released) >= .milliseconds(450))
    }

    @Test("an X server that hangs while the key is held has released nothing")
    func stoppedServer() async throws {
        let display = try TestDisplay(withWindowManager: false)
        let listener = try HotkeyListener(hotkeys: [Hotkey(parsing: "F9")], display: display.name)
        defer { listener.stop() }
        var events = listener.events.makeAsyncIterator()
        try display.run("xset", "r", "rate", "100", "100")
        try display.sendPhysical(keycode: 75, isDown: true)
        // Into the repeats, so that there is a silence between two of them.
        try display.run("sleep", "0.3")
        display.signalServer(SIGSTOP)
        try display.run("sleep", "3")
        display.signalServer(SIGCONT)
        // It answers again, and repeats.
        try display.run("xset", "q")
        try display.run("sleep", "0.3")
        try display.sendPhysical(keycode: 75, isDown: false)
        guard case .pressed(_, let pressed, nil)? = await events.next(),
            case .released(let released)? = await events.next()
        else {
            Issue.record("no press and release")
            return
        }
        #expect(pressed.duration(to: released) >= .seconds(3))
        // And no other press was reported in between.
        listener.stop()
        #expect(await events.next() == nil)
    }

    /// Makes the server release all grabs, and grabs the keyboard; needs `grab:break_actions`.
    private static func takeKeyboard(on display: TestDisplay) async throws -> DisplayConnection {
        try display.run("xdotool", "key", "ctrl+alt+KP_Divide")
        let thief = try DisplayConnection(name: display.name)
        while XGrabKeyboard(thief.display, thief.root, 0, GrabModeAsync, GrabModeAsync, Time(CurrentTime))
            != GrabSuccess
        {
            await Task.yield()
        }
        return thief
    }

    @Test("a release that another program's grab has taken away is still reported")
    func brokenGrab() async throws {
        let display = try TestDisplay(withWindowManager: false)
        try display.run("setxkbmap", "-option", "grab:break_actions")
        // A repetition would take the keyboard again before the other program does, on a busy machine.
        try display.run("xset", "r", "off")
        let listener = try HotkeyListener(hotkeys: [Hotkey(parsing: "F9")], display: display.name)
        defer { listener.stop() }
        var events = listener.events.makeAsyncIterator()
        try display.sendPhysical(keycode: 75, isDown: true)
        #expect(await Self.next(1, of: &events) == [.press], "no press")
        // The key comes up while another client has the keyboard.
        let thief = try await Self.takeKeyboard(on: display)
        try display.sendPhysical(keycode: 75, isDown: false)
        #expect(await Self.next(1, of: &events) == [.release], "no release")
        XUngrabKeyboard(thief.display, Time(CurrentTime))
        thief.sync()
        try display.sendPhysical(keycode: 75, isDown: true)
        try display.sendPhysical(keycode: 75, isDown: false)
        #expect(await Self.next(2, of: &events) == [.press, .release], "not told afterwards")
    }

    @Test("a request after a read wakes again: a listener that is stopped as it starts ends")
    func wishes() throws {
        let controls = try HotkeyListener.Controls()
        controls.requestSharing()
        let first = controls.take()
        #expect(first.isSharing && !first.mustStop && !controls.wakeUp.isRinging)
        controls.requestStop()
        controls.request(cancelKeyGrabbed: true)
        #expect(controls.wakeUp.isRinging)
        let second = controls.take()
        #expect(second.mustStop && second.isCancelKeyGrabbed && !second.isSharing)
    }

    @Test("keys that Xlib reads while it sends are reported at once, and not with the next ones")
    func readWhileSending() async throws {
        let display = try TestDisplay(withWindowManager: false)
        try display.run("setxkbmap", "-option", "grab:break_actions")
        try display.run("xset", "r", "off")
        let (events, told) = AsyncStream.makeStream(of: HotkeyEvent.self)
        let controls = try HotkeyListener.Controls()
        let isFirst = Once()
        Thread.detachNewThread {
            defer { told.finish() }
            do {
                let grabber = try HotkeyGrabber(
                    hotkeys: [Hotkey(parsing: "F9")], display: display.name, logger: .init(label: "test"))
                controls.report(.success([]))
                grabber.run(controls) { event in
                    // A release that the keyboard itself reports comes after the last read of the events. The
                    // user is quick, or this process slow: the next press is there before anything more is
                    // sent.
                    if case .released = event, isFirst() {
                        for isDown in [true, false] {
                            try? display.sendPhysical(keycode: 75, isDown: isDown)
                        }
                    }
                    told.yield(event)
                }
            } catch {
                controls.report(.failure(error))
            }
        }
        try controls.waitForStart()
        var iterator = events.makeAsyncIterator()
        try display.sendPhysical(keycode: 75, isDown: true)
        #expect(await Self.next(1, of: &iterator) == [.press], "no press")
        let thief = try await Self.takeKeyboard(on: display)
        XUngrabKeyboard(thief.display, Time(CurrentTime))
        thief.sync()
        try display.sendPhysical(keycode: 75, isDown: false)
        #expect(await Self.next(3, of: &iterator) == [.release, .press, .release], "not told")
        controls.requestStop()
    }

    @Test("a key that another program has is refused at once")
    func taken() throws {
        let display = try TestDisplay(withWindowManager: false)
        let hotkey = try Hotkey(parsing: "ctrl+alt+d")
        let first = try HotkeyListener(hotkeys: [hotkey], display: display.name)
        #expect(throws: DesktopError.hotkeyTaken(hotkey)) {
            try HotkeyListener(hotkeys: [hotkey], display: display.name)
        }
        first.stop()
        // And free again after stop.
        let second = try HotkeyListener(hotkeys: [hotkey], display: display.name)
        second.stop()
    }

    @Test("a key that the keyboard lacks is refused")
    func missing() throws {
        let display = try TestDisplay(withWindowManager: false)
        let hotkey = try Hotkey(parsing: "Cyrillic_ya")
        #expect(throws: DesktopError.hotkeyNotOnKeyboard(hotkey)) {
            try HotkeyListener(hotkeys: [hotkey], display: display.name)
        }
    }

    @Test(
        "a key that the keyboard lacks is waited for if that is requested, and the others work",
        arguments: [
            // Key 52 has another character before; key 248 has nothing.
            ("Cyrillic_ya", "setxkbmap ru", 52), ("F24", "xmodmap -e 'keycode 248 = F24'", 248),
        ])
    func awaited(name: String, change: String, keycode: UInt8) async throws {
        let display = try TestDisplay(withWindowManager: false)
        try display.run("setxkbmap", "us")
        let hotkey = try Hotkey(parsing: "ctrl+\(name)")
        let listener = try HotkeyListener(
            hotkeys: [hotkey, Hotkey(parsing: "F9")], mayBeMissing: true, display: display.name)
        defer { listener.stop() }
        #expect(listener.missing == [hotkey])
        var events = listener.events.makeAsyncIterator()
        // The listener has followed the change when it reports the key that follows.
        for change in ["true", change] {
            try display.run("sh", "-c", change)
            try display.run("xdotool", "key", "F9")
            #expect(await Self.next(2, of: &events) == [.press, .release], "the other one was not told")
        }
        try display.run("xdotool", "keydown", "37", "key", "\(keycode)", "keyup", "37")
        #expect(await Self.next(2, of: &events) == [.press, .release], "not told of the key that came")
    }

    @Test("Escape is ours only while asked for")
    func escape() async throws {
        let display = try TestDisplay(withWindowManager: false)
        let listener = try HotkeyListener(hotkeys: [Hotkey(parsing: "F9")], display: display.name)
        defer { listener.stop() }
        var events = listener.events.makeAsyncIterator()
        try display.run("xdotool", "key", "Escape", "key", "F9")
        #expect(await Self.next(2, of: &events) == [.press, .release], "Escape was taken too early")
        listener.setCancelKeyGrabbed(true)
        // While the hotkey is held, every key comes to the listener: no need to know when the grab is in force.
        try display.run("xdotool", "keydown", "F9", "key", "Escape", "keyup", "F9")
        #expect(await Self.next(3, of: &events) == [.press, .cancel, .release], "Escape was not told")
        try display.run("xdotool", "key", "Escape")
        #expect(await Self.next(1, of: &events) == [.cancel], "Escape was not told")
    }

    @Test("the key is followed when the layout moves it")
    func layoutChange() async throws {
        let display = try TestDisplay(withWindowManager: false)
        let listener = try HotkeyListener(hotkeys: [Hotkey(parsing: "ctrl+alt+z")], display: display.name)
        defer { listener.stop() }
        var events = listener.events.makeAsyncIterator()
        try display.run("xdotool", "key", "ctrl+alt+z")
        #expect(await Self.next(2, of: &events) == [.press, .release], "not told before the change")
        try display.run("setxkbmap", "de")
        // The listener follows on its own time: a second listener can get the key when the first has released
        // the old one.
        while (try? HotkeyListener(hotkeys: [Hotkey(parsing: "ctrl+alt+y")], display: display.name)) == nil {
            await Task.yield()
        }
        try display.run("xdotool", "key", "ctrl+alt+z")
        #expect(await Self.next(2, of: &events) == [.press, .release], "not told after the change")
    }

    @Test(
        "a hotkey that the layout lacks stays where it was, also when a typist has bound its character elsewhere"
    )
    func typedCharacterOfHotkey() async throws {
        let display = try TestDisplay(withWindowManager: false)
        let listener = try HotkeyListener(hotkeys: [Hotkey(parsing: "ctrl+alt+d")], display: display.name)
        defer { listener.stop() }
        var events = listener.events.makeAsyncIterator()
        // Key 248 has nothing on it. The listener has followed each change when it reports the key that
        // follows.
        for change in ["setxkbmap ru", "xmodmap -e 'keycode 248 = d'", "xmodmap -e 'keycode 248 ='"] {
            try display.run("sh", "-c", change)
            try display.run(
                "xdotool", "keydown", "37", "keydown", "64", "key", "40", "keyup", "64", "keyup", "37")
            #expect(await Self.next(2, of: &events) == [.press, .release], "not told after \(change)")
        }
        // A layout that has it moves it as usual.
        try display.run("setxkbmap", "us", "-variant", "dvorak")
        while (try? HotkeyListener(hotkeys: [Hotkey(parsing: "ctrl+alt+e")], display: display.name)) == nil {
            await Task.yield()
        }
        try display.run(
            "xdotool", "keydown", "37", "keydown", "64", "key", "43", "keyup", "64", "keyup", "37")
        #expect(await Self.next(2, of: &events) == [.press, .release], "not told on the key that has it")
    }

    @Test("no press is lost while the keyboard map changes again and again")
    func pressesWhileMapChanges() async throws {
        let display = try TestDisplay(withWindowManager: false)
        let listener = try HotkeyListener(hotkeys: [Hotkey(parsing: "F9")], display: display.name)
        defer { listener.stop() }
        var events = listener.events.makeAsyncIterator()
        // Scroll Lock gets a modifier and loses it, so that each change moves the listener's grabs.
        let change = "xmodmap -e 'add mod3 = Scroll_Lock'; xmodmap -e 'remove mod3 = Scroll_Lock'"
        let changes = try display.start("sh", ["-c", "for i in $(seq 40); do \(change); done"])
        let end = try ProcessEnd(of: changes.id)
        var presses = 0
        while try waitUntilReadable([end.raw], timeout: 0).isEmpty || presses == 0 {
            try display.sendPhysical(keycode: 75, isDown: true)
            try display.sendPhysical(keycode: 75, isDown: false)
            #expect(await Self.next(2, of: &events) == [.press, .release], "not told of press \(presses)")
            presses += 1
        }
        #expect(changes.reap() == .exited(0))
    }

    @Test("the loss of a display is reported, and ends the stream")
    func displayLost() async throws {
        let display = try TestDisplay(withWindowManager: false)
        let listener = try HotkeyListener(hotkeys: [Hotkey(parsing: "F9")], display: display.name)
        var events = listener.events.makeAsyncIterator()
        display.stopServer()
        #expect(await events.next() == .displayLost)
        #expect(await events.next() == nil)
        listener.stop()
    }
}
