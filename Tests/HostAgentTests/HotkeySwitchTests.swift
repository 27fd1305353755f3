import Desktop
import Foundation
import Logging
import Synchronization
import Testing

@testable import DictationHost

@Suite("Hotkeys that change while the agent runs", .timeLimit(.minutes(1)))
struct HotkeySwitchTests {
    /// Grabs whatever it is asked for, and remembers what was not given back.
    private final class Keyboard: HotkeyGrabbing {
        private final class Grabbed: GrabbedHotkeys {
            let hotkeys: [Hotkey]
            let missing: [Hotkey] = []
            let events = AsyncStream<HotkeyEvent> { _ in }
            private let keyboard: Keyboard

            init(_ hotkeys: [Hotkey], _ keyboard: Keyboard) {
                (self.hotkeys, self.keyboard) = (hotkeys, keyboard)
            }

            func setCancelKeyGrabbed(_ isGrabbed: Bool) {}
            func shareKeyboard() {}
            func stop() { keyboard.held.withLock { held in held.removeAll { $0 == hotkeys } } }
        }

        let held = Mutex<[[Hotkey]]>([])
        private let onGrab: @Sendable ([Hotkey]) -> Void

        init(onGrab: @escaping @Sendable ([Hotkey]) -> Void) { self.onGrab = onGrab }

        func grab(_ hotkeys: [Hotkey]) throws -> any GrabbedHotkeys {
            onGrab(hotkeys)
            held.withLock { $0.append(hotkeys) }
            return Grabbed(hotkeys, self)
        }
    }

    @Test("of two changes at once, the last one holds, and no key of the other stays grabbed")
    func together() async throws {
        let first = try Hotkey(parsing: "F8") { ($0, 1) }
        let second = try Hotkey(parsing: "F9") { ($0, 1) }
        let isOver = DispatchSemaphore(value: 0)
        let change = Mutex<(@Sendable () -> Void)?>(nil)
        let keyboard = Keyboard { wanted in
            guard wanted == [first] else { return }
            // While the first key is being grabbed, the settings change again.
            let next = change.withLock { $0 }
            Thread.detachNewThread {
                next?()
                isOver.signal()
            }
            // It has a moment to come in between. When it has its turn, that goes by in vain.
            if isOver.wait(timeout: .now() + 1) == .success { isOver.signal() }
        }
        let hotkeys = try HotkeySwitch(
            [], on: keyboard, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        change.withLock { $0 = { hotkeys.change(to: [second]) } }
        await withCheckedContinuation { done in
            Thread.detachNewThread {
                hotkeys.change(to: [first])
                isOver.wait()
                done.resume()
            }
        }
        #expect(keyboard.held.withLock { $0 } == [[second]])
        hotkeys.stop()
        #expect(keyboard.held.withLock { $0 }.isEmpty)
    }
}
