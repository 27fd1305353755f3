import DictationShared
import Foundation
import TestSupport
import Testing

/// Keys that the desktop listens to: a real xdg-desktop-portal, and real sound.
@Suite("Hotkeys of the desktop's portal", .serialized, .timeLimit(.minutes(5)))
struct PortalHotkeyTests {
    /// A Wayland session without XWayland, whose desktop has the portal.
    private struct Session {
        let desk: Desk
        let desktop: PortalDesktop
        let compositor: WestonDesktop
        let environment: [String: String]

        init(_ answer: PortalDesktop.Answer, delay: Int? = nil) async throws {
            desk = try await Desk.set()
            desktop = try await PortalDesktop.start(answer, delay: delay)
            compositor = try await WestonDesktop.start()
            environment = desk.environment.merging(desktop.environment) { $1 }
                .merging(compositor.environment) { $1 }
                .merging(["XDG_RUNTIME_DIR": desk.folder.path, "DISPLAY": ""]) { $1 }
        }

        func startHost() async throws -> Program {
            let host = try Program.start(BuildFolder.program("host-agent"), [], environment: environment)
            try await host.waitForLine(containing: "host-agent is ready")
            return host
        }

        func end(_ host: Program) async {
            await desk.end(host)
            await desktop.end()
            await compositor.end()
        }
    }

    @Test("held, it records until it is released; tapped, until the next tap; the desktop's key is reported")
    func holdAndTap() async throws {
        let session = try await Session(.given)
        let host = try await session.startHost()
        let asked = try await session.desktop.desktop.waitForLine(containing: "asked").text
        #expect(asked.contains("'preferred_trigger': 'F9'"))
        #expect(asked.contains("'preferred_trigger': 'SHIFT+F9'"))
        #expect(asked.ranges(of: "preferred_trigger").count == 2)
        try await host.waitForLine(containing: "the desktop gives this key for dictation: Press F9")
        try await session.desktop.change(to: "Press Pause")
        try await host.waitForLine(containing: "the desktop gives this key for dictation: Press Pause")
        let first = try await dictate(session) {
            try await session.desktop.release("dictate", at: 4_000)
        }
        // The release of a tap comes at once, and the recording continues.
        let second = try await dictate(session, tap: true) {
            try await session.desktop.press("dictate", at: 9_000)
            try await session.desktop.release("dictate", at: 9_100)
        }
        #expect(first.id != second.id)
        for state in [first, second] { #expect(!state.cleanedText.isEmpty, "\(state)") }
        await session.end(host)
        #expect(session.desktop.desktop.output.contains("closed by the program"))
    }

    @Test("each further hotkey is a separate shortcut")
    func further() async throws {
        let session = try await Session(.given)
        try session.desk.folder.write(
            "[[hotkey]]\nkey = \"F8\"\nprivate = true\nstyle = \"mail\"\n", to: "settings.toml")
        let host = try await session.startHost()
        let asked = try await session.desktop.desktop.waitForLine(containing: "asked").text
        #expect(asked.contains("dictate-with-F8") && asked.contains("Dictate (mail, private)"))
        #expect(asked.contains("'preferred_trigger': 'F8'"))
        try await session.desktop.press("dictate-with-F8", at: 1_000)
        let state = try await session.desk.waitForDictation { $0.status == .recording }
        #expect(state.isPrivate)
        #expect(state.options == StartOptions(hotkey: "F8", style: "mail", isPrivate: true))
        try await session.desktop.press("cancel", at: 2_000)
        try await session.desk.waitForRemoval(of: state.id)
        try await session.desktop.release("dictate-with-F8", at: 2_500)
        await session.end(host)
    }

    /// Presses the key, lets the microphone speak, and ends it.
    private func dictate(
        _ session: Session, tap: Bool = false, end: () async throws -> Void
    ) async throws -> DictationState {
        try await session.desktop.press("dictate", at: 1_000)
        if tap { try await session.desktop.release("dictate", at: 1_090) }
        let recording = try await session.desk.waitForDictation { $0.status == .recording }
        try await session.desk.speak(seconds: 3)
        try await end()
        return try await session.desk.waitForDictation(recording.id) { $0.status == .ready }
    }

    @Test("the desktop's key for cancelling cancels, and its key for held texts asks for the newest one")
    func others() async throws {
        let session = try await Session(.given)
        let host = try await session.startHost()
        try await host.waitForLine(containing: "the desktop gives this key")
        try await session.desktop.press("dictate", at: 1_000)
        let recording = try await session.desk.waitForDictation { $0.status == .recording }
        try await session.desktop.press("cancel", at: 2_000)
        try await session.desk.waitForDictation(recording.id) { $0.status == .cancelled }
        try await session.desktop.release("dictate", at: 2_500)
        try await session.desktop.press("insert", at: 3_000)
        try await session.desktop.release("insert", at: 3_050)
        try await host.waitForLine(containing: "no text is held")
        await session.end(host)
    }

    @Test("keys that the user takes away release the one that is down, and that is reported")
    func closed() async throws {
        let session = try await Session(.given)
        let host = try await session.startHost()
        try await host.waitForLine(containing: "the desktop gives this key")
        try await session.desktop.press("dictate", at: 1_000)
        let recording = try await session.desk.waitForDictation { $0.status == .recording }
        try await session.desk.speak(seconds: 3)
        try await session.desktop.close()
        try await host.waitForLine(containing: "the desktop has taken the hotkey away")
        try await session.desk.waitForDictation(recording.id) { $0.status == .ready }
        await session.end(host)
    }

    @Test("a portal that ends is asked again, also if the settings change while it does not answer")
    func restarted() async throws {
        let session = try await Session(.given)
        let host = try await session.startHost()
        try await host.waitForLine(containing: "the desktop gives this key")
        // The next answer is a different one then, so that host-agent reports when it has it.
        try await session.desktop.change(to: "Press Pause")
        try await host.waitForLine(containing: "the desktop gives this key for dictation: Press Pause")
        let (seen, said) = (session.desktop.desktop.lines.count, host.lines.count)
        try await session.desktop.signalPortal(SIGSTOP)
        try session.desk.folder.write("[audio]\ntail = 300\n", to: "settings.toml")
        try await host.waitForLine(containing: "settings read from")
        try await session.desktop.signalPortal(SIGKILL)
        try await session.desktop.desktop.waitForLine(from: seen, "the question again") {
            $0.contains("asked")
        }
        try await host.waitForLine(
            containing: "the desktop gives this key for dictation: Press F9", from: said)
        try await session.desktop.press("dictate", at: 1_000)
        let recording = try await session.desk.waitForDictation { $0.status == .recording }
        try await session.desktop.release("dictate", at: 1_020)
        _ = try await session.desk.dictstate("cancel")
        try await session.desk.waitForDictation(recording.id) { $0.status == .cancelled }
        await session.end(host)
    }

    @Test(
        "host-agent works before the user has answered, and says what the answer means",
        arguments: [
            (PortalDesktop.Answer.denied, "was answered with no"),
            (.keyless, "no key is chosen for dictation"),
        ])
    func noKey(answer: PortalDesktop.Answer, message: String) async throws {
        let session = try await Session(answer)
        let host = try await session.startHost()
        let line = try await host.waitForLine(containing: message).text
        #expect(line.contains("dictstate toggle"))
        _ = try await session.desk.dictstate("start")
        try await session.desk.waitForDictation { $0.status == .recording }
        _ = try await session.desk.dictstate("cancel")
        await session.end(host)
    }

    @Test(
        "a portal that knows programs is told the name of the desktop file that is installed, before all else"
    )
    func name() async throws {
        let script = try String(
            contentsOfFile: repositoryFile("Tests/TestSupport/portal-frontend.py"), encoding: .utf8)
        let portal = try await BusTests.Service.start(script)
        let desk = try await Desk.set()
        let compositor = try await WestonDesktop.start()
        let environment = desk.environment.merging(compositor.environment) { $1 }.merging([
            "DBUS_SESSION_BUS_ADDRESS": portal.address, "XDG_RUNTIME_DIR": desk.folder.path, "DISPLAY": "",
        ]) { $1 }
        let host = try Program.start(BuildFolder.program("host-agent"), [], environment: environment)
        try await host.waitForLine(containing: "the desktop gives this key for dictation: Press F9")
        let line = try await portal.program.waitForLine(containing: "registered").text
        let name = try #require(line.split(separator: " ").dropFirst().first)
        let file = repositoryFile("packaging/desktop/\(name).desktop")
        #expect(FileManager.default.fileExists(atPath: file), "\(file)")
        await desk.end(host)
        await portal.end()
        await compositor.end()
    }

    @Test("a desktop that gives the keys with the session is not asked again: it would show its settings")
    func early() async throws {
        let session = try await Session(.early)
        let host = try await session.startHost()
        try await host.waitForLine(containing: "the desktop gives this key for dictation: Press F9")
        try await session.desktop.press("dictate", at: 1_000)
        try await session.desk.waitForDictation { $0.status == .recording }
        _ = try await session.desk.dictstate("cancel")
        #expect(!session.desktop.desktop.output.contains("asked"))
        await session.end(host)
    }

    @Test("a portal that takes its time to start is waited for")
    func slow() async throws {
        let session = try await Session(.given, delay: 6)
        let host = try await session.startHost()
        try await host.waitForLine(containing: "the desktop gives this key for dictation: Press F9")
        await session.end(host)
    }

    @Test("the user may take any time to answer")
    func later() async throws {
        let session = try await Session(.later)
        let host = try await session.startHost()
        try await session.desktop.desktop.waitForLine(containing: "asked")
        #expect(!host.errors.contains("the desktop gives this key"))
        try await session.desktop.answer()
        try await host.waitForLine(containing: "the desktop gives this key for dictation: Press F9")
        await session.end(host)
    }
}
