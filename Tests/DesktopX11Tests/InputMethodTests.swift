import CX11
import Desktop
import DictationSystem
import Foundation
import TestSupport
import Testing

@testable import DesktopX11

/// A real ibus between the keyboard and the applications.
@Suite("Input methods", .serialized, .timeLimit(.minutes(5)))
struct InputMethodTests {
    private static let texts = ["Plain text, it's 10:30.", "“Voilà”, Grüße 5 €", "你好 世界 👩‍👩‍👧‍👦"]

    @Test("every text is pasted exactly, again and again", arguments: Sink.Kind.installed)
    func paste(kind: Sink.Kind) async throws {
        let display = try displayWithInputMethod()
        let sink = try Sink(kind, on: display, title: "target")
        let typist = try Typist(display: display.name)
        let window = try #require(try await typist.focusedWindow())
        var all = ""
        for text in (1...6).flatMap({ _ in Self.texts }) {
            #expect(try await typist.survey(text, options: .init(), window: window).hasInputMethod)
            let outcome = try await typist.paste(
                text, into: window, keys: .shiftInsert, isTerminal: kind == .xterm)
            try #require(outcome == .pasted)
            all = kind == .xterm ? text : all + text
            let received = try sink.waitFor(all)
            try #require(Array(received.unicodeScalars) == Array(all.unicodeScalars))
        }
        #expect(try display.pressedKeycodes() == [])
    }

    /// The environment of an application, and the input method servers of the display.
    struct Case: Sendable {
        let environment: [String: String]
        let servers: Set<String>
        let isUsed: Bool

        init(_ environment: [String: String], _ servers: Set<String>, _ isUsed: Bool) {
            (self.environment, self.servers, self.isUsed) = (environment, servers, isUsed)
        }
    }

    private static let cases = [
        Case(["GTK_IM_MODULE": "ibus"], ["ibus"], true),
        Case(["GTK_IM_MODULE": "ibus"], [], false),
        Case(["GTK_IM_MODULE": "gtk-im-context-simple"], ["ibus"], false),
        Case(["QT_IM_MODULE": "fcitx"], ["fcitx"], true),
        Case(["XMODIFIERS": "@im=ibus"], ["ibus"], true),
        Case(["XMODIFIERS": "@im=fcitx@x=y"], ["fcitx"], true),
        Case(["XMODIFIERS": "@im=none"], ["ibus"], false),
        Case([:], ["ibus"], false),
    ]

    @Test("an application goes by the input method that it names, if that is there", arguments: cases)
    func use(of example: Case) {
        #expect(
            InputMethod.isUsed(environment: example.environment, servers: example.servers) == example.isUsed)
    }

    @Test("the environment of a process is read")
    func environment() {
        let data = Data("A=1\0B=2=3\0EMPTY=\0".utf8)
        #expect(InputMethod.environment(in: data) == ["A": "1", "B": "2=3", "EMPTY": ""])
    }

    @Test(
        "one that its process has written over is none",
        arguments: ["", "\0\0\0\0", "ode --title\0\0\0", "A=1\0\0B=2\0"])
    func overwritten(environment: String) {
        #expect(InputMethod.environment(in: Data(environment.utf8)) == nil)
    }

    /// One whose applications go by ibus, once that is there.
    private func displayWithInputMethod() throws -> TestDisplay {
        let display = try TestDisplay()
        // Its socket goes with the display's folder.
        let address = "--address=unix:path=\(display.folder.appending(path: "bus").path)"
        let (_, output) = try display.startReading(
            "dbus-daemon", ["--session", "--nofork", "--print-address=1", address])
        var reader = LineReader(output)
        display.add([
            "DBUS_SESSION_BUS_ADDRESS": try reader.line(),
            "GTK_IM_MODULE": "ibus", "QT_IM_MODULE": "ibus", "XMODIFIERS": "@im=ibus",
        ])
        let connection = try DisplayConnection(name: display.name)
        XSelectInput(connection.display, connection.root, PropertyChangeMask)
        try display.start("sh", InputMethodDaemon.shellArguments(["--xim"]))
        let server = connection.atom("@server=ibus")
        let deadline = ContinuousClock.now + TestDisplay.limit
        while true {
            if case .words(let servers)? = connection.property("XIM_SERVERS", of: connection.root),
                servers.contains(server)
            {
                break
            }
            try #require(.now < deadline, "ibus does not serve the display")
            try connection.waitForInput(until: deadline)
            while connection.nextEvent() != nil {}
        }
        try display.run("ibus", "engine", "xkb:us::eng")
        return display
    }
}
