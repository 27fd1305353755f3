import DictationShared
import Foundation
import Glibc
import TestSupport
import Testing

/// The compositor handles the hotkey, and starts dictation: a real sway, whose configuration the setup changes.
@Suite("Key bindings of the compositor", .serialized, .timeLimit(.minutes(5)))
struct CompositorBindingTests {
    private static let settings = "[insert]\nheld-hotkey = \"shift+F9\"\n"

    /// A desk on which sway runs, without a key of dictation's yet.
    private struct Session {
        let desktop: WaylandDesktop
        let desk: Desk
        let environment: [String: String]
        /// The user's own configuration of sway.
        let configuration: String

        init(hasX11: Bool = false, playing microphone: Desk.Microphone = .speaks("short.wav")) async throws {
            desk = try await Desk.set(microphone)
            let ours = desk.environment.filter { $0.key.hasPrefix("VOICEDICTATION_") }
            desktop = try await WaylandDesktop.start(with: ours)
            configuration = desktop.configuration
            try desk.folder.write(CompositorBindingTests.settings, to: "settings.toml")
            var environment = desk.environment.merging(desktop.environment) { $1 }
            environment["XDG_CONFIG_HOME"] = desktop.environment["HOME"].map { "\($0)/.config" }
            if !hasX11 { environment["DISPLAY"] = "" }
            self.environment = environment
        }

        func start(_ name: String, _ arguments: String...) throws -> Program {
            try Program.start(BuildFolder.program(name), arguments, environment: environment)
        }

        func startAgent(_ agent: String) async throws -> Program {
            let program = try start(agent)
            try await program.waitForLine(containing: "\(agent) is ready")
            return program
        }

        func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

        func end(_ programs: Program...) async {
            for program in programs { await program.end() }
            await desk.end()
            await desktop.end()
        }
    }

    @Test("setup writes them, F9 is held or tapped in any window, and all of it is removed again")
    func spoken() async throws {
        let session = try await Session()
        let before = try session.text(session.configuration)
        // The lines were neither shown nor requested.
        let all = try session.start("dictstate", "setup", "--yes", "hotkey")
        #expect(try await all.exitCode == 0)
        #expect(try session.text(session.configuration) == before)
        let doctor = try session.start("host-agent", "check", "--display")
        #expect(try await doctor.exitCode == 0)
        #expect(
            doctor.output.contains("F9 is not heard") && doctor.output.contains("dictstate setup bindings")
        )
        let setup = try session.start("dictstate", "setup", "--yes", "bindings")
        #expect(try await setup.exitCode == 0, "\(setup.output)\(setup.errors)")
        #expect(setup.output.contains("ok       bindings    sway has F9 and shift+F9"))
        let after = try session.text(session.configuration)
        #expect(after.hasPrefix(before) && after.contains("include ~/.config/voicedictation/sway.conf\n"))
        #expect(try session.text(session.configuration + ".before-voicedictation") == before)
        // A second time there is nothing to do.
        let again = try session.start("dictstate", "setup", "--yes", "bindings")
        #expect(try await again.exitCode == 0)
        #expect(try session.text(session.configuration) == after)

        let host = try await session.startAgent("host-agent")
        #expect(host.errors.contains("Hold F9 and speak") && !host.errors.contains("is not heard"))
        let inserter = try await session.startAgent("insert-agent")
        let window = try await WaylandWindow.start(on: session.desktop, title: "Letter")
        let keyboard = try await WaylandKeyboard.connect(to: session.desktop)
        try await keyboard.press("F9")
        try await session.desk.speak(seconds: 3)
        try await keyboard.release("F9")
        let held = try await session.desk.waitForDictation { $0.isSettled }
        #expect(held.delivery == .inserted && !held.cleanedText.isEmpty)
        try await window.waitForText(equal: held.cleanedText)
        // After a tap the recording continues without the key, and the next tap ends it.
        try await keyboard.press("F9")
        try await keyboard.release("F9")
        try await session.desk.speak(seconds: 3)
        try await keyboard.press("F9")
        try await keyboard.release("F9")
        let tapped = try await session.desk.waitForDictation(since: held.revision) {
            $0.id != held.id && $0.isSettled
        }
        #expect(tapped.delivery == .inserted)
        // sway forgets the release of a key if another one is pressed before it: the key itself ends it then.
        try await keyboard.press("F9")
        try await session.desk.speak(seconds: 1)
        try await keyboard.press("a")
        try await keyboard.release("a")
        try await keyboard.release("F9")
        try await keyboard.press("F9")
        try await keyboard.release("F9")
        let last = try await session.desk.waitForDictation(since: tapped.revision) {
            $0.id != tapped.id && $0.id != held.id && $0.isSettled
        }
        #expect(last.timings.recording ?? 0 >= 1_000)

        await keyboard.end()
        let removal = try session.start("dictstate", "setup", "--remove-bindings")
        #expect(try await removal.exitCode == 0)
        #expect(removal.output.contains("Removed from sway"))
        // Its last line had no end.
        #expect(try session.text(session.configuration) == before + "\n")
        let nothing = try session.start("dictstate", "setup", "--remove-bindings")
        #expect(try await nothing.exitCode == 0)
        #expect(nothing.output.contains("There were no key bindings"))
        await window.end()
        await session.end(host, inserter)
    }

    @Test("bindings to programs that are somewhere else now are none, until setup writes them again")
    func moved() async throws {
        let session = try await Session()
        func setup() async throws {
            let setup = try session.start("dictstate", "setup", "--yes", "bindings")
            #expect(try await setup.exitCode == 0, "\(setup.output)\(setup.errors)")
        }
        func check() async throws -> String {
            let check = try session.start("host-agent", "check", "--display")
            #expect(try await check.exitCode == 0)
            return check.output
        }
        try await setup()
        #expect(try await !check().contains("is not heard"))
        let home = try #require(session.desktop.environment["HOME"])
        let own = home + "/.config/voicedictation/sway.conf"
        let moved = try session.text(own).replacing(
            BuildFolder.program("dictstate"), with: "/nowhere/bin/dictstate")
        try Data(moved.utf8).write(to: URL(filePath: own))
        let found = try await check()
        #expect(found.contains("F9 is not heard") && found.contains("dictstate setup bindings"), "\(found)")
        try await setup()
        #expect(try await !check().contains("is not heard"))
        await session.end()
    }

    @Test(
        "while the key is held, settled words wait, keys of another keyboard take its release from nobody, and all is typed then"
    )
    func heldLive() async throws {
        let session = try await Session(playing: try LiveTests.sentences())
        try session.desk.folder.write(
            "[insert]\nlive = \"segments\"\nheld-hotkey = \"shift+F9\"\n", to: "settings.toml")
        let setup = try session.start("dictstate", "setup", "--yes", "bindings")
        #expect(try await setup.exitCode == 0, "\(setup.output)\(setup.errors)")
        let host = try await session.startAgent("host-agent")
        let inserter = try await session.startAgent("insert-agent")
        let window = try await WaylandWindow.start(on: session.desktop, title: "Letter")
        let keyboard = try await WaylandKeyboard.connect(to: session.desktop)
        let other = try await WaylandKeyboard.connect(to: session.desktop)
        try await keyboard.press("F9")
        // Until well into the second sentence.
        try await session.desk.speak(seconds: 8)
        let held = try #require(try session.desk.store.unfinished().last)
        #expect(held.status == .recording && held.insertedCount == 0 && !held.partialText.isEmpty)
        try await other.press("a")
        try await other.release("a")
        try await window.waitForText(equal: "a")
        try await keyboard.release("F9")
        let state = try await session.desk.waitForDictation(held.id) { $0.isSettled }
        #expect(state.delivery == .inserted)
        try await window.waitForText(equal: "a" + state.cleanedText)
        await keyboard.end()
        await other.end()
        await window.end()
        await session.end(host, inserter)
    }

    @Test("each further hotkey is bound as well, and its dictations are what its section says")
    func further() async throws {
        let session = try await Session()
        try session.desk.folder.write(Self.settings, to: "settings.toml")
        #expect(try await session.start("dictstate", "setup", "--yes", "bindings").exitCode == 0)
        let sections = "[[hotkey]]\nkey = \"F8\"\nprivate = true\n"
        try session.desk.folder.write(
            Self.settings + sections + "[[hotkey]]\nkey = \"F7\"\ntransform = \"shorter\"\n",
            to: "settings.toml")
        let doctor = try session.start("host-agent", "check", "--display")
        #expect(try await doctor.exitCode == 0)
        #expect(doctor.output.contains("no binding for F8 and F7 was found"), "\(doctor.output)")
        #expect(doctor.output.contains("dictstate setup bindings"))
        try session.desk.folder.write(Self.settings + sections, to: "settings.toml")
        let setup = try session.start("dictstate", "setup", "--yes", "bindings")
        #expect(try await setup.exitCode == 0, "\(setup.output)\(setup.errors)")
        #expect(setup.output.contains("sway has F9 and F8 and shift+F9"))
        let mended = try session.start("host-agent", "check", "--display")
        #expect(try await mended.exitCode == 0)
        #expect(!mended.output.contains("no binding for"), "\(mended.output)")
        let host = try await session.startAgent("host-agent")
        let keyboard = try await WaylandKeyboard.connect(to: session.desktop)
        var last: DictationID?
        for (key, isPrivate) in [("F8", true), ("F9", false)] {
            try await keyboard.press(key)
            let state = try await session.desk.waitForDictation { $0.id != last && $0.status == .recording }
            last = state.id
            #expect(state.isPrivate == isPrivate)
            #expect(state.options.hotkey == (isPrivate ? "F8" : nil))
            try await keyboard.release(key)
            let cancel = try session.start("dictstate", "cancel")
            #expect(try await cancel.exitCode == 0)
        }
        // Without the section, its bindings must be written again, and until then they are refused.
        try session.desk.folder.write(Self.settings, to: "settings.toml")
        try await host.waitForLine(containing: "settings read from")
        try await keyboard.press("F8")
        try await host.waitForLine(containing: "no [[hotkey]] in the settings has the key “F8”")
        try await keyboard.release("F8")
        let again = try session.start("dictstate", "setup", "--yes", "bindings")
        #expect(try await again.exitCode == 0)
        #expect(again.output.contains("sway has F9 and shift+F9"))
        await keyboard.end()
        await session.end(host)
    }

    @Test(
        "a linked configuration stays a link, a taken key is named, and what cannot be written is left as it is"
    )
    func links() async throws {
        let session = try await Session(hasX11: true)
        let folder = try TemporaryFolder("dotfiles")
        let real = try folder.write("bindsym F9 exec true\n", to: "config")
        let home = try #require(session.environment["XDG_CONFIG_HOME"])
        try FileManager.default.createDirectory(atPath: "\(home)/hypr", withIntermediateDirectories: true)
        let link = "\(home)/hypr/hyprland.conf"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: real)
        chmod(real, 0o640)
        try folder.write("bind = , F9, exec, true\n", to: "config")
        chmod(real, 0o640)
        var environment = session.environment
        environment["XDG_CURRENT_DESKTOP"] = "Hyprland"
        // A desk without Hyprland: the bindings are written, and the message says that they were not read.
        let setup = try Program.start(
            BuildFolder.program("dictstate"), ["setup", "--yes", "bindings"], environment: environment)
        #expect(try await setup.exitCode == 1)
        #expect(setup.output.contains("Hyprland did not read them"))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == real)
        #expect(
            try session.text(real).hasSuffix("source = ~/.config/voicedictation/hyprland.conf\n"))
        var status = stat()
        #expect(stat(real, &status) == 0 && status.st_mode & 0o777 == 0o640)
        let terminal = try await Terminal.start(
            [BuildFolder.program("dictstate"), "setup", "bindings"],
            environment: environment.merging(["VOICEDICTATION_HOST_HOTKEY": "F10"]) { $1 }, lines: 40)
        let shown = try await terminal.waitForText("write these lines")
        #expect(shown.contains("bind = , F10, exec,") && shown.contains("bindr = , F10, exec,"))
        try await terminal.press("Down")
        try await terminal.press("Enter")
        try await terminal.waitForText("nothing was written")
        await terminal.end()
        // River without a script of the user's has nothing to add to.
        environment["XDG_CURRENT_DESKTOP"] = "river"
        let river = try Program.start(
            BuildFolder.program("dictstate"), ["setup", "--yes", "bindings"], environment: environment)
        #expect(try await river.exitCode == 1)
        #expect(river.output.contains("no configuration of your own yet"))
        await session.end()
    }

    @Test("a release that overtakes its press, a repeated press and a release alone do what the key did")
    func overtaken() async throws {
        let desk = try await Desk.set()
        let host = try await desk.startHost("--no-hotkey")
        _ = try await desk.dictstate("release")
        let start = Date()
        // As two processes of a busy machine: the tap's end is written first.
        _ = try desk.store.submit(.key(isDown: false), at: start.addingTimeInterval(0.08))
        _ = try desk.store.submit(.key(isDown: true), at: start)
        try await desk.waitForDictation { $0.status == .recording }
        try await desk.speak(seconds: 1)
        // It continues after the tap; a held key ends it, and starts nothing.
        for _ in 0..<2 { _ = try await desk.dictstate("press") }
        _ = try await desk.dictstate("release")
        let text = try await desk.waitForDictation { $0.status != .recording && !$0.cleanedText.isEmpty }
        #expect(text.delivery == .pending)
        #expect(try desk.store.history(limit: 10).count == 1)
        // Without an agent nothing waits.
        await host.end()
        let alone = try desk.start("dictstate", "press")
        #expect(try await alone.exitCode == 2)
        #expect(alone.errors.contains("No host-agent is running"))
        await desk.end()
    }

    @Test("host-agent ends as without a display when the compositor goes away, so that it is started again")
    func compositorGone() async throws {
        let session = try await Session()
        let host = try await session.startAgent("host-agent")
        let inserter = try await session.startAgent("insert-agent")
        await session.desktop.end()
        #expect(try await host.exitCode == 69)
        #expect(host.errors.contains("went away"))
        #expect(try await inserter.exitCode == 69)
        await session.end()
    }
}
