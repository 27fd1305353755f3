import Desktop
import DictationShared
import Foundation
import TestSupport
import Testing

/// Windows that speak Wayland themselves, in a compositor with the protocols for it.
@Suite("Dictating into native Wayland windows", .serialized, .timeLimit(.minutes(5)))
struct NativeWindowTests {
    /// A desk in such a session.
    struct Session {
        let desktop: WaylandDesktop
        let desk: Desk
        let environment: [String: String]

        init(
            _ microphone: Desk.Microphone = .speaks("short.wav"), hasX11: Bool = true
        ) async throws {
            desk = try await Desk.set(microphone)
            desktop = try await WaylandDesktop.start(
                with: desk.environment.filter { $0.key.hasPrefix("VOICEDICTATION_") })
            var environment = desk.environment.merging(desktop.environment) { $1 }
            environment["XDG_CONFIG_HOME"] = desktop.environment["HOME"].map { "\($0)/.config" }
            if !hasX11 { environment["DISPLAY"] = "" }
            self.environment = environment
        }

        /// An agent that is ready.
        func start(_ agent: String) async throws -> Program {
            let program = try Program.start(BuildFolder.program(agent), [], environment: environment)
            try await program.waitForLine(containing: "\(agent) is ready")
            return program
        }

        func dictstate(_ arguments: String...) async throws -> Program {
            let program = try Program.start(
                BuildFolder.program("dictstate"), arguments, environment: environment)
            _ = try await program.waitForExit()
            return program
        }

        func end(_ programs: Program...) async {
            for program in programs { await program.end() }
            await desk.end()
            await desktop.end()
        }
    }

    @Test(
        "speech is typed into the focused window, with XWayland and without",
        arguments: [true, false])
    func spoken(hasX11: Bool) async throws {
        let session = try await Session(hasX11: hasX11)
        let inserter = try await session.start("insert-agent")
        let host = try await session.start("host-agent")
        #expect(!inserter.errors.contains("only X11 windows"))
        let window = try await WaylandWindow.start(on: session.desktop, title: "Letter")
        _ = try await session.dictstate("start")
        // The overlay's own color, at its place.
        _ = try #require(try await session.desktop.waitForPicture { $0[438, 664] == 0x1B1D22 })
        try await session.desk.speak(seconds: 3)
        _ = try await session.dictstate("stop")
        let first = try await session.desk.waitForDictation { $0.isSettled }
        #expect(first.delivery == .inserted && !first.cleanedText.isEmpty)
        try await window.waitForText(equal: first.cleanedText)
        // The next one is separated by a space, and it is unknown what was typed in between: nothing is undone.
        let second = try session.desk.store.add(text: "Grüße, 世界!", locale: "de-DE")
        try await session.desk.waitForDictation(second.id) { $0.delivery == .inserted }
        try await window.waitForText(equal: first.cleanedText + " Grüße, 世界!")
        let undo = try await session.dictstate("undo")
        #expect(try await undo.exitCode == 1)
        #expect(undo.errors.contains("cannot be seen"))
        let doctor = try await session.dictstate("doctor")
        #expect(doctor.output.contains("dictstate setup bindings"))
        #expect(!doctor.output.contains("problem  display"))
        await window.end()
        let third = try session.desk.store.add(text: "Nobody is there.", locale: "en-US")
        let state = try await session.desk.waitForDictation(third.id) { $0.isSettled }
        #expect(state.delivery == .held(.noFocus))
        await session.end(inserter, host)
    }

    @Test("an X11 window next to native ones gets each character, with any map of the user's keyboard")
    func besideX11() async throws {
        let session = try await Session()
        let inserter = try await session.start("insert-agent")
        let native = try await WaylandWindow.start(on: session.desktop, title: "Native")
        let text = "Grüße, 世界! “Zitat” @ #"
        let first = try session.desk.store.add(text: text, locale: "de-DE")
        try await session.desk.waitForDictation(first.id) { $0.delivery == .inserted }
        try await native.waitForText(equal: text)
        // XWayland has got the map of the virtual keyboard as that of the user's.
        let x11 = try await WaylandWindow.start(.xterm, on: session.desktop, title: "X11")
        for _ in 0..<2 {
            let next = try session.desk.store.add(text: text, locale: "de-DE", isExact: true)
            try await session.desk.waitForDictation(next.id) { $0.delivery == .inserted }
        }
        try await x11.waitForText(equal: text + text)
        await x11.end()
        await native.end()
        await session.end(inserter)
    }

    @Test("the text of a killed typist is counted to within a batch, and the rest is held")
    func killed() async throws {
        let session = try await Session()
        // A paste is there at once.
        _ = try session.desk.folder.write("[insert]\npaste-from = 0\n", to: "settings.toml")
        let inserter = try await session.start("insert-agent")
        let window = try await WaylandWindow.start(on: session.desktop, title: "Letter")
        // Many seconds of typing: it is far from its end, however late it is killed.
        let text = (0..<20_000).map { "\($0) " }.joined()
        let id = try session.desk.store.add(text: text, locale: "en-US").id
        try await session.desk.waitForDictation(id) { $0.insertedCount > 500 }
        try await session.desk.kill(inserter)
        let next = try await session.start("insert-agent")
        let state = try await session.desk.waitForDictation(id) { $0.isSettled }
        #expect(state.route == InsertionRoute(.virtualKeyboard, isConfirmed: false))
        #expect(state.delivery == .held(.inserterDied) && state.insertedCount < text.count)
        // The keyboard of the killed one is gone, and the next one types. Then all that the killed one typed is there as well.
        let more = try session.desk.store.add(text: "é", locale: "en-US")
        try await session.desk.waitForDictation(more.id) { $0.delivery == .inserted }
        try await window.waitForText(endingIn: "é")
        let received = window.text.dropLast()
        #expect(text.hasPrefix(received))
        #expect((state.insertedCount...state.insertedCount + 16).contains(received.count))
        await window.end()
        await session.end(next)
    }
}
