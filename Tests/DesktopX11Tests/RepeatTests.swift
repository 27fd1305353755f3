import CX11
import Desktop
import Testing

@testable import DesktopX11

/// ``KilledTypistTests`` has the other half: keys that are down for long, as their release never comes.
@Suite("Auto-repeat", .serialized, .timeLimit(.minutes(2)))
struct RepeatTests {
    @Test("is off for our keys while we type, stays on for the user's, and is on again afterward")
    func offWhileTyping() async throws {
        let display = try TestDisplay(withWindowManager: false)
        let window = try KeyWindow(on: display)
        let typist = try Typist(display: display.name)
        // One that is grabbed is in no list.
        let keyboards = try display.keyboards()
        let all: Set<String> = ["physical", "XTEST", "seen"]
        #expect(try display.repeating(keyboards) == all)
        // Twice: at the second time the XTEST keyboard is the one that was used last.
        for _ in 1...2 {
            let isFirst = Once()
            let outcome = try await typist.type("some words") { _ in
                // The last report comes when everything is restored.
                guard isFirst() else { return }
                let repeating = try display.repeating(keyboards)
                #expect(repeating == ["physical"])
            }
            #expect(outcome == .typed(10))
            #expect(try display.repeating(keyboards) == all)
        }
        #expect(try window.pressed().count == 20)
    }

    @Test("stays off for a user who has turned it off")
    func offAnyway() async throws {
        let display = try TestDisplay(withWindowManager: false)
        let window = try KeyWindow(on: display)
        try display.run("xset", "r", "off")
        let typist = try Typist(display: display.name)
        #expect(try await typist.type("some words") == .typed(10))
        #expect(try display.repeating(display.keyboards()) == [])
        #expect(try window.pressed().count == 10)
    }

    @Test("a key that is held when typing begins is not repeated in the text, and its next press counts")
    func heldKey() async throws {
        let display = try TestDisplay(withWindowManager: false)
        let window = try KeyWindow(on: display)
        let typist = try Typist(display: display.name)
        // x, which the text is without.
        let held: UInt8 = 53
        try display.sendPhysical(keycode: UInt32(held), isDown: true)
        let text = String(repeating: "abc ", count: 40)
        let isFirst = Once()
        let outcome = try await typist.type(text) { progress in
            let count = progress.sent
            if count == 64, isFirst() { try display.sendPhysical(keycode: UInt32(held), isDown: false) }
        }
        #expect(outcome == .typed(text.count))
        let pressed = try window.pressed()
        #expect(pressed.first == held)
        let typed = pressed.drop { $0 == held }
        #expect(typed.count == text.count)
        #expect(!typed.contains(held))
        #expect(try display.pressedKeycodes() == [])
        try display.tapPhysical("x")
        #expect(try window.pressed().first == held)
    }

    @Test("a key that is pressed while we type, and held, is down until it is let go of, and repeats no more")
    func pressedMeanwhile() async throws {
        let display = try TestDisplay(withWindowManager: false)
        let window = try KeyWindow(on: display)
        let typist = try Typist(display: display.name)
        // x, which the text is without.
        let held: UInt8 = 53
        let text = String(repeating: "abc ", count: 40)
        let isFirst = Once()
        let outcome = try await typist.type(text) { progress in
            let count = progress.sent
            if count == 64, isFirst() { try display.sendPhysical(keycode: UInt32(held), isDown: true) }
        }
        #expect(outcome == .typed(text.count))
        let pressed = try window.pressed()
        #expect(pressed.prefix(text.count).contains(held) == false)
        #expect(pressed.dropFirst(text.count).first == held)
        #expect(try display.pressedKeycodes() == [held])
        try display.sendPhysical(keycode: UInt32(held), isDown: false)
        #expect(try display.pressedKeycodes() == [])
        _ = try window.pressed()
        // Long enough for a hundred repeats, a millisecond each.
        for _ in 0..<100 { #expect(try display.pressedKeycodes() == []) }
        #expect(try window.pressed() == [])
        try await typist.getReady()
        let devices = try KeyboardDevices(connection: DisplayConnection(name: display.name))
        #expect(try devices.pressedKeycodes(on: #require(devices.list().xtest)) == [])
        // And the key works for programs as well; that one holds it for long enough to repeat here.
        try display.run("xdotool", "key", "x")
        #expect(try Set(window.pressed()) == [held])
    }

    @Test("typing gives way to the hotkey within a batch, to that key alone, and the key comes at once")
    func hotkey() async throws {
        let display = try TestDisplay(withWindowManager: false)
        let window = try KeyWindow(on: display)
        let typist = try Typist(display: display.name)
        await typist.giveWay(to: [try Hotkey(parsing: "ctrl+x")])
        let text = String(repeating: "abc ", count: 40)
        // 37 is Control.
        for (keys, isHotkey) in [([53], false), ([37, 53], true)] as [([UInt32], Bool)] {
            let isFirst = Once()
            let outcome = try await typist.type(text) { progress in
                let count = progress.sent
                if count == 64, isFirst() {
                    for key in keys { try display.sendPhysical(keycode: key, isDown: true) }
                }
            }
            #expect(outcome == (isHotkey ? .stopped(64, reason: .hotkeyPressed) : .typed(text.count)))
            #expect(try window.pressed().dropFirst(outcome.characterCount).first == 53)
            #expect(try Set(display.pressedKeycodes()) == Set(keys.map(UInt8.init)))
            for key in keys { try display.sendPhysical(keycode: key, isDown: false) }
            #expect(try display.pressedKeycodes() == [])
            _ = try window.pressed()
        }
    }
}

extension TestDisplay {
    /// The user's keyboard, XTEST's, and the one that applications see.
    func keyboards() throws -> [String: Int32] {
        let (physical, xtest) = try KeyboardDevices(connection: DisplayConnection(name: name)).list()
        return try [
            "physical": #require(physical.first), "XTEST": #require(xtest), "seen": Int32(XkbUseCoreKbd),
        ]
    }

    /// Those whose keys repeat when they are held.
    func repeating(_ keyboards: [String: Int32]) throws -> Set<String> {
        let keyboard = try KeyboardControl(connection: DisplayConnection(name: name))
        return Set(keyboards.filter { keyboard.controls(on: $0.value).contains(.autoRepeat) }.keys)
    }
}
