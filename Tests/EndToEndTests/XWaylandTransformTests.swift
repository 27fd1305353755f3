import Desktop
import DictationShared
import Foundation
import TestSupport
import Testing

/// A text that is selected in an X11 window of a Wayland session, changed by a language model: a server on this machine instead.
@Suite("Transforms in X11 windows of a Wayland session", .serialized, .timeLimit(.minutes(5)))
struct XWaylandTransformTests {
    @Test("the selection is replaced and put back by undo, and the clipboard of all windows stays")
    func replaced() async throws {
        let session = try await NativeWindowTests.Session()
        let model = try LoopbackModel()
        try session.desk.folder.write(model.settings, to: "settings.toml")
        let keyboard = try await WaylandKeyboard.connect(to: session.desktop)
        let inserter = try await session.start("insert-agent")
        let host = try await session.start("host-agent")
        let window = try await WaylandWindow.start(.gtk3OnX11, on: session.desktop, title: "Letter")
        let owner = try await session.desktop.copy("precious")
        let id = try session.desk.store.add(
            text: "Dear all, see you Grüße bald.", locale: "en-US", isExact: true
        ).id
        try await session.desk.waitForDictation(id) { $0.delivery == .inserted }
        try await window.waitForText(equal: "Dear all, see you Grüße bald.")

        try await keyboard.tap("left", with: "shift", times: 19)
        model.says("We meet soon, 世界!")
        let transform = try await session.dictstate("transform", "make it polite")
        #expect(try await transform.exitCode == 0, "\(transform.errors)")
        try await window.waitForText(equal: "Dear all, We meet soon, 世界!")
        #expect(try await session.desktop.clipboardText() == "precious")
        let undo = try await session.dictstate("undo")
        #expect(undo.output.contains("put back 19 characters"), "\(undo.errors)")
        try await window.waitForText(equal: "Dear all, see you Grüße bald.")
        #expect(try await session.desktop.clipboardText() == "precious")

        // A native window has the focus now, and the selection of the other one stays.
        try await keyboard.tap("left", with: "shift", times: 5)
        let native = try await WaylandWindow.start(.gtk3, on: session.desktop, title: "Native")
        let elsewhere = try await session.dictstate("transform", "make it polite")
        #expect(elsewhere.errors.contains("no text is selected in “Native”"), "\(elsewhere.errors)")
        #expect(window.text == "Dear all, see you Grüße bald.")
        model.stop()
        await native.end()
        await window.end()
        await owner.end()
        await keyboard.end()
        await session.end(host, inserter)
    }

    /// The clipboard as native programs find it.
}
