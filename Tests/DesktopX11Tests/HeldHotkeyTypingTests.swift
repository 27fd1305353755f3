import CX11
import Desktop
import Dispatch
import Testing

@testable import DesktopX11

/// Typing while the hotkey is held: the key is down on the user's keyboard, and repeats as fast as possible.
@Suite("Typing while the hotkey is held", .serialized, .timeLimit(.minutes(2)))
struct HeldHotkeyTypingTests {
    private static let f9: UInt8 = 75
    private static let x: UInt8 = 53
    /// Without an x. Typed in several batches.
    private static let text = String(repeating: "The meeting is at noon. ", count: 8)

    private struct Desk {
        let display: TestDisplay
        let window: KeyWindow
        let listener: HotkeyListener
        let typist: Typist

        init() throws {
            display = try TestDisplay(withWindowManager: false)
            window = try KeyWindow(on: display)
            listener = try HotkeyListener(hotkeys: [Hotkey(parsing: "F9")], display: display.name)
            typist = try Typist(display: display.name)
        }
    }

    @Test(
        "all letters arrive and nothing else does; no key of the user's, and the release is reported",
        arguments: 1...3)
    func holding(times: Int) async throws {
        let desk = try Desk()
        let display = desk.display
        var events = desk.listener.events.makeAsyncIterator()
        for _ in 1...times {
            try desk.display.sendPhysical(keycode: UInt32(Self.f9), isDown: true)
            guard case .pressed? = await events.next() else {
                Issue.record("no press")
                return
            }
            desk.listener.shareKeyboard()
            #expect(await events.next() == .keyboardShared)
            #expect(try await !desk.typist.isTaken())
            // Asked for again and again, while words come.
            desk.listener.shareKeyboard()
            for _ in 1...3 {
                try desk.display.tapPhysical("x")
                #expect(try await desk.typist.type(Self.text) == .typed(Self.text.count))
                let pressed = try desk.window.pressed()
                #expect(pressed.count == Self.text.count && !pressed.contains(Self.f9))
            }
            try desk.display.sendPhysical(keycode: UInt32(Self.f9), isDown: false)
            guard case .released? = await events.next() else {
                Issue.record("no release")
                return
            }
            #expect(try desk.display.pressedKeycodes() == [])
            // The keyboard is the user's again. Keys repeat at once there.
            try desk.display.tapPhysical("x")
            #expect(try Set(desk.window.pressed()) == [Self.x])
        }
        desk.listener.stop()
        #expect(await events.next() == nil)
        // As always, the user's keys come after a text.
        let isFirst = Once()
        #expect(
            try await desk.typist.type(Self.text) { _ in if isFirst() { try display.tapPhysical("x") } }
                == .typed(Self.text.count))
        #expect(try desk.window.pressed().firstIndex(of: Self.x) == Self.text.count)
    }

    @Test("Escape cancels during that, and goes to no window")
    func escape() async throws {
        let desk = try Desk()
        var events = desk.listener.events.makeAsyncIterator()
        desk.listener.setCancelKeyGrabbed(true)
        try desk.display.sendPhysical(keycode: UInt32(Self.f9), isDown: true)
        _ = await events.next()
        desk.listener.shareKeyboard()
        #expect(await events.next() == .keyboardShared)
        try desk.display.tapPhysical("Escape")
        guard case .cancelPressed? = await events.next() else {
            Issue.record("Escape was not told")
            return
        }
        try desk.display.sendPhysical(keycode: UInt32(Self.f9), isDown: false)
        guard case .released? = await events.next() else {
            Issue.record("no release")
            return
        }
        #expect(try desk.window.pressed() == [])
        desk.listener.stop()
    }

    @Test("released in the middle of the text, no key of the user's comes between its letters from then on")
    func releasedMeanwhile() async throws {
        let desk = try Desk()
        let (display, listener) = (desk.display, desk.listener)
        let shared = DispatchSemaphore(value: 0)
        let released = DispatchSemaphore(value: 0)
        let following = Task {
            for await event in listener.events {
                switch event {
                case .pressed: listener.shareKeyboard()
                case .keyboardShared: shared.signal()
                case .released: released.signal()
                default: break
                }
            }
        }
        try display.sendPhysical(keycode: UInt32(Self.f9), isDown: true)
        #expect(await Self.waited(for: shared))
        let (isFirst, isSecond) = (Once(), Once())
        let outcome = try await desk.typist.type(Self.text) { _ in
            if isFirst() {
                try display.sendPhysical(keycode: UInt32(Self.f9), isDown: false)
                #expect(released.wait(timeout: .now() + .seconds(60)) == .success)
            } else if isSecond() {
                try display.tapPhysical("x")
            }
        }
        #expect(outcome == .typed(Self.text.count))
        let pressed = try desk.window.pressed()
        #expect(pressed.firstIndex(of: Self.x) == Self.text.count, "\(pressed)")
        #expect(!pressed.contains(Self.f9))
        listener.stop()
        await following.value
    }

    private static func waited(for semaphore: DispatchSemaphore) async -> Bool {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: semaphore.wait(timeout: .now() + .seconds(60)) == .success)
            }
        }
    }

    // MARK: If it is not safe

    private enum Hindrance: CaseIterable {
        case control, otherKey, heldByProgram, takenKeyboard, nothingHeld
    }

    @Test(
        "the hotkey keeps the keyboard if a modifier or another key is held, or no keyboard of the user's holds it",
        arguments: Hindrance.allCases)
    private func hindered(by hindrance: Hindrance) throws {
        let display = try TestDisplay(withWindowManager: false)
        let window = try KeyWindow(on: display)
        let connection = try DisplayConnection(name: display.name)
        let devices = try KeyboardDevices(connection: connection)
        let all = devices.list().physical
        let other = try DisplayConnection(name: display.name)
        let thief = try KeyboardDevices(connection: other)
        XGrabKey(
            connection.display, Int32(Self.f9), UInt32(AnyModifier), connection.root, 0, GrabModeAsync,
            GrabModeAsync)
        connection.sync()
        let control: UInt32 = 37
        switch hindrance {
        case .control: try display.sendPhysical(keycode: control, isDown: true)
        case .otherKey: try display.sendPhysical(keycode: UInt32(Self.x), isDown: true)
        case .heldByProgram: try display.run("xdotool", "keydown", "F9")
        case .takenKeyboard, .nothingHeld: break
        }
        let isHeld = hindrance != .heldByProgram && hindrance != .nothingHeld
        if isHeld { try display.sendPhysical(keycode: UInt32(Self.f9), isDown: true) }
        if hindrance == .takenKeyboard {
            #expect(thief.grab(all) == all)
            other.sync()
        }
        #expect(SetAsideKeyboards(holding: Self.f9, devices, in: connection) == nil)
        if hindrance == .takenKeyboard { thief.ungrab(all) }
        other.sync()
        // Nothing has changed: a client that asks for the keyboards gets them, and the key has its grab until it is released.
        #expect(thief.grab(all) == all)
        thief.ungrab(all)
        other.sync()
        if isHeld { try display.sendPhysical(keycode: UInt32(Self.f9), isDown: false) }
        #expect(try !window.pressed().contains(Self.f9))
    }

    @Test("with the key alone the same succeeds")
    func unhindered() throws {
        let display = try TestDisplay(withWindowManager: false)
        let connection = try DisplayConnection(name: display.name)
        let devices = try KeyboardDevices(connection: connection)
        try display.sendPhysical(keycode: UInt32(Self.f9), isDown: true)
        let keyboards = try #require(SetAsideKeyboards(holding: Self.f9, devices, in: connection))
        #expect(keyboards.isDown)
        #expect(try display.pressedKeycodes() == [])
        try display.sendPhysical(keycode: UInt32(Self.f9), isDown: false)
        #expect(!keyboards.isDown)
        keyboards.giveBack()
        connection.sync()
    }
}
