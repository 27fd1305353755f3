import DictationSystem
import Foundation
import Testing

@testable import DesktopX11

@Suite("Whether a window was touched", .timeLimit(.minutes(2)))
struct TouchWatchTests {
    /// A window that is watched, and another one.
    private struct Setting {
        let display: TestDisplay
        let sink: Sink
        let other: Sink
        let watch: TouchWatch

        init() throws {
            display = try TestDisplay()
            other = try Sink(.gtk, on: display, title: "other")
            sink = try Sink(.xterm, on: display, title: "target")
            let connection = try DisplayConnection(name: display.name)
            let window = try #require(FocusInspector(connection: connection).focusedWindow())
            watch = try TouchWatch(window, display: display.name)
        }
    }

    @Test("it is not by nothing, by a modifier, or by keys in another window")
    func untouched() throws {
        let setting = try Setting()
        let display = setting.display
        #expect(!setting.watch.isTouched())
        try display.tapPhysical("Shift_L")
        #expect(!setting.watch.isTouched())
        try display.activate("other")
        try display.tapPhysical("a")
        #expect(!setting.watch.isTouched())
    }

    @Test("it is by a key")
    func key() throws {
        let setting = try Setting()
        // It has begun when it answers.
        #expect(!setting.watch.isTouched())
        try setting.display.tapPhysical("a")
        #expect(setting.watch.isTouched())
    }

    @Test("it is if it has closed by itself: the next window may have its number")
    func closed() throws {
        let setting = try Setting()
        let display = setting.display
        #expect(!setting.watch.isTouched())
        setting.sink.application.signal(SIGKILL)
        setting.sink.application.reap()
        // The window manager gives the focus to the other one when the server has noticed the end of the
        // client.
        try display.activate("other")
        #expect(setting.watch.isTouched())
    }
}
