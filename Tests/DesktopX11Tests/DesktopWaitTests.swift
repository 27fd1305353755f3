import CX11
import Desktop
import DictationSystem
import Foundation
import Synchronization
import TestSupport
import Testing
@testable import DesktopX11

@Suite("Waiting for the keyboard", .timeLimit(.minutes(2)))
struct DesktopWaitTests {
    @Test("a wait for the keyboard ends when it is free, though the focused window closes meanwhile")
    func closedWhileWaiting() async throws {
        let display = try TestDisplay(withWindowManager: false)
        var window: KeyWindow? = try KeyWindow(on: display)
        let thief = try DisplayConnection(name: display.name)
        XGrabKeyboard(thief.display, thief.root, 0, GrabModeAsync, GrabModeAsync, 0)
        thief.sync()
        let began = ContinuousClock.now
        let wait = try DesktopWait(forKeyboardWithin: .seconds(100), display: display.name)
        // An instant within the wait, which has no event for having begun. If it begins later, at the second window, it
        // ends as well.
        try await Task.sleep(for: .milliseconds(500))
        withExtendedLifetime(window) {}
        window = nil
        let other = try KeyWindow(on: display)
        // The same at the second window.
        try await Task.sleep(for: .milliseconds(500))
        XUngrabKeyboard(thief.display, 0)
        thief.sync()
        #expect(await wait.value())
        #expect(began.duration(to: .now) < .seconds(60))
        withExtendedLifetime(other) {}
    }
}
