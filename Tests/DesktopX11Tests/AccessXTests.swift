import CX11
import Desktop
import TestSupport
import Testing

@testable import DesktopX11

@Suite("Slow keys, bounce keys and sticky keys", .serialized, .timeLimit(.minutes(2)))
struct AccessXTests {
    static let everything: UInt32 = [
        XkbRepeatKeysMask, XkbSlowKeysMask, XkbBounceKeysMask, XkbStickyKeysMask, XkbAccessXKeysMask,
    ].reduce(0) { $0 | UInt32($1) }

    @Test(
        "let every key of ours through, and are on again afterward",
        arguments: [
            XkbSlowKeysMask, XkbBounceKeysMask, XkbStickyKeysMask | XkbAccessXKeysMask,
            XkbSlowKeysMask | XkbBounceKeysMask | XkbStickyKeysMask | XkbAccessXKeysMask,
        ].map { UInt32($0) | UInt32(XkbRepeatKeysMask) })
    func typing(controls: UInt32) async throws {
        let display = try TestDisplay()
        let sink = try Sink(.xterm, on: display, title: "target")
        let typist = try Typist(display: display.name)
        try display.set(controls)
        let text = "Hello Balloon TREE."
        #expect(try await typist.type(text) == .typed(text.count))
        #expect(try sink.waitFor(text) == text)
        for keyboard in try display.keyboards() {
            #expect(try display.controls(on: keyboard.value) == controls, "\(keyboard.key)")
        }
    }

    @Test(
        "what the user types meanwhile comes behind the text, double letters too, and a held key is still down"
    )
    func replayed() async throws {
        let display = try TestDisplay(withWindowManager: false)
        let window = try KeyWindow(on: display)
        let typist = try Typist(display: display.name)
        try display.set(UInt32(XkbBounceKeysMask) | UInt32(XkbRepeatKeysMask))
        // x and c, which the text is without.
        let (doubled, held): (UInt8, UInt8) = (53, 54)
        let text = String(repeating: "abba ", count: 20)
        let isFirst = Once()
        let outcome = try await typist.type(text) { _ in
            guard isFirst() else { return }
            // The user's own keyboard would leave out the second one.
            try display.set(UInt32(XkbRepeatKeysMask), of: display.keyboards()["physical"])
            for isDown in [true, false, true, false] {
                try display.sendPhysical(keycode: UInt32(doubled), isDown: isDown)
            }
            try display.sendPhysical(keycode: UInt32(held), isDown: true)
        }
        #expect(outcome == .typed(text.count))
        let pressed = try window.pressed()
        #expect(pressed.count >= text.count)
        #expect(Array(pressed.dropFirst(text.count).prefix(3)) == [doubled, doubled, held])
        #expect(try display.pressedKeycodes() == [held])
        try display.sendPhysical(keycode: UInt32(held), isDown: false)
        #expect(try display.pressedKeycodes() == [])
        let all = UInt32(XkbBounceKeysMask) | UInt32(XkbRepeatKeysMask)
        let keyboards = try display.keyboards()
        #expect(try display.controls(on: #require(keyboards["XTEST"])) == all)
        // It keeps its controls.
        #expect(try display.controls(on: #require(keyboards["physical"])) == UInt32(XkbRepeatKeysMask))
    }

    @Test("are on again when the next typist begins after a kill")
    func killed() async throws {
        let display = try TestDisplay()
        let sink = try Sink(.xterm, on: display, title: "target")
        try display.set(Self.everything)
        let way = try CutConnection(to: display)
        let killed = try Typist(display: way.name)
        let isFirst = Once()
        let outcome = try? await killed.type(String(repeating: "aB", count: 100)) { _ in
            if isFirst() { way.cut(after: way.sent + 100, isReadToEnd: true) }
        }
        #expect(outcome == nil)
        way.end()
        let next = try Typist(display: display.name)
        for keyboard in try display.keyboards() {
            #expect(try display.controls(on: keyboard.value) == Self.everything, "\(keyboard.key)")
        }
        withExtendedLifetime((next, sink)) {}
    }

    @Test("Caps Lock, the layout and a latched modifier are restored as usual while sticky keys are on")
    func sticky() async throws {
        let display = try TestDisplay(withWindowManager: false)
        let window = try KeyWindow(on: display)
        try display.setLayout(["us,ru"])
        let typist = try Typist(display: display.name)
        try display.set(UInt32(XkbStickyKeysMask) | UInt32(XkbRepeatKeysMask))
        try display.run("xdotool", "key", "Caps_Lock")
        try display.lockGroup(1)
        // Shift alone is latched by sticky keys.
        try display.tapPhysical("Shift_L")
        _ = try window.pressed()
        let text = "Привет"
        #expect(try await typist.type(text) == .typed(text.count))
        #expect(try window.pressed().count == text.count)
        let connection = try DisplayConnection(name: display.name)
        let state = try KeyboardControl(connection: connection).state()
        #expect(state.locked_mods == 2 && state.group == 1)
        // Shift is for the next key.
        #expect(state.latched_mods == 1)
        #expect(try display.controls(on: Int32(XkbUseCoreKbd)) & UInt32(XkbStickyKeysMask) != 0)
    }
}

extension TestDisplay {
    /// Turns these controls on and the others of AccessX off, with short delays, and has sticky keys go off when two keys are
    /// pressed at once.
    ///
    /// - Parameter device: nil for all keyboards.
    fileprivate func set(_ controls: UInt32, of device: Int32? = nil) throws {
        let connection = try DisplayConnection(name: name)
        let keyboard = try #require(
            XkbGetMap(connection.display, 0, UInt32(device ?? Int32(XkbUseCoreKbd))))
        defer { XkbFreeKeyboard(keyboard, UInt32(XkbAllComponentsMask), 1) }
        XkbGetControls(connection.display, UInt(XkbAllControlsMask), keyboard)
        let ctrls = try #require(keyboard.pointee.ctrls)
        ctrls.pointee.enabled_ctrls = ctrls.pointee.enabled_ctrls & ~AccessXTests.everything | controls
        ctrls.pointee.ax_options |= UInt16(XkbAX_TwoKeysMask)
        XkbSetControls(
            connection.display, UInt(XkbControlsEnabledMask) | UInt(XkbStickyKeysMask), keyboard)
        connection.sync()
    }

    /// Those of AccessX that are on, if sticky keys still go off by two keys at once.
    fileprivate func controls(on device: Int32) throws -> UInt32 {
        let controls = try KeyboardControl(connection: DisplayConnection(name: name)).controls(on: device)
        #expect(controls.contains(.twoKeysOff))
        return controls.enabled
    }
}
