import DictationShared
import Foundation
import TestSupport
import Testing

/// Keys, and commands, for dictations that differ from the settings.
@Suite("Further hotkeys", .serialized, .timeLimit(.minutes(5)))
struct FurtherHotkeyTests {
    /// A desk whose default engine is a server that marks its results, and whose Shift+F9 is recognized
    /// locally.
    private static func settings(_ server: LoopbackServer, rest: String = "") -> String {
        """
        [speech]
        engine = "remote"
        [remote]
        address = "\(server.address("/v1"))"
        [[profile]]
        name = "letters"
        trailing-space = true
        final-stop = false
        [[hotkey]]
        key = "shift+F9"
        engine = "pocketsphinx"
        profile = "letters"
        \(rest)
        """
    }

    private static func server() throws -> LoopbackServer {
        try LoopbackServer { _ in [.answer(200, [:], Data("{\"text\": \"Said the server.\"}".utf8))] }
    }

    @Test(
        "each key has its engine and its profile; no word is lost while a model is loaded, and that is told")
    func keys() async throws {
        let server = try Self.server()
        let desk = try await Desk.set(.speaks("demo.wav"))
        try desk.folder.write(Self.settings(server), to: "settings.toml")
        let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Letter")
        let watch = try desk.start("dictstate", "watch", "--json")
        let host = try await desk.startHost()
        let inserter = try await desk.startInserter()
        #expect(!inserter.errors.contains("taken by another program"))

        try await pressKey("shift+F9", on: desk.display)
        try await desk.speak(seconds: 6.5)
        try await releaseKey("shift+F9", on: desk.display)
        let own = try await desk.waitForDictation { $0.isSettled }
        #expect(own.engine == "pocketsphinx" && own.delivery == .inserted)
        #expect(own.options == StartOptions(hotkey: "shift+F9", engine: "pocketsphinx", profile: "letters"))
        // From the first word on, though the model was loaded while somebody spoke.
        #expect(own.rawText.contains("block books"))
        #expect(own.rawText.hasPrefix("produce"))
        #expect(own.loadingModel == nil)
        try await watch.waitForLine(containing: "\"loadingModel\":\"pocketsphinx\"")
        let first = own.cleanedText
        #expect(!first.hasSuffix("."))
        try await window.waitForText(equal: first + " ")

        try tapKey("F9", on: desk.display)
        try await desk.speak(seconds: 2)
        try tapKey("F9", on: desk.display)
        let usual = try await desk.waitForDictation { $0.isSettled && $0.id > own.id }
        #expect(usual.engine == "remote" && usual.options == StartOptions())
        try await window.waitForText(equal: first + " Said the server.")

        // It is loaded now, and a command takes the same.
        let seen = watch.lines.count
        _ = try await desk.dictstate("start", "--hotkey", "shift+F9")
        try await desk.speak(seconds: 3)
        _ = try await desk.dictstate("stop")
        let again = try await desk.waitForDictation { $0.isSettled && $0.id > usual.id }
        #expect(again.engine == "pocketsphinx" && again.options.profile == "letters")
        #expect(!watch.lines.dropFirst(seen).contains { $0.text.contains("loadingModel") })
        #expect(try await desk.dictstate("show", "\(again.id)").contains("asked for  pocketsphinx, letters"))
        await watch.end()
        await desk.end(host, inserter)
    }

    @Test("a command says for one dictation what a key says for its own")
    func command() async throws {
        let server = try Self.server()
        let desk = try await Desk.set(.speaks("demo.wav"))
        try desk.folder.write(Self.settings(server), to: "settings.toml")
        let host = try await desk.startHost("--no-hotkey")
        _ = try await desk.dictstate("start", "--engine", "pocketsphinx", "--style", "mail")
        try await desk.speak(seconds: 6.5)
        _ = try await desk.dictstate("stop")
        let state = try await desk.waitForDictation { $0.status == .ready }
        #expect(state.engine == "pocketsphinx")
        #expect(state.options == StartOptions(engine: "pocketsphinx", style: "mail"))
        #expect(
            try await desk.dictstate("show", "--json", "\(state.id)")
                .contains(#""options":{"engine":"pocketsphinx","style":"mail"}"#))
        // Recognized again, it has the options of the dictation.
        #expect(try await desk.dictstate("recognize", "\(state.id)").contains("held"))
        let again = try #require(try desk.store.history(limit: 1).first)
        #expect(again.id != state.id && again.engine == "pocketsphinx")
        await desk.end(host)
    }

    @Test("a missing model that a command names is reported: no other recognizer replaces it")
    func unknownModel() async throws {
        let desk = try await Desk.set()
        // Of no installed engine: a recognizer that is here needs no model.
        let host = try await desk.startHost("--no-hotkey")
        let start = try desk.start("dictstate", "start", "--model", "nope")
        let isTold = try await start.exitCode != 0
        #expect(!isTold || start.errors.contains("nope"))
        let state = try await desk.waitForDictation { $0.status == .error }
        #expect(state.error?.knownCode?.isOfMissingRecognizer == true && state.cleanedText.isEmpty)
        await desk.end(host)
    }

    @Test("with --no-hotkey no key is grabbed, those of [[hotkey]] included")
    func noHotkey() async throws {
        let desk = try await Desk.set()
        try desk.folder.write("[[hotkey]]\nkey = \"F10\"\nstyle = \"mail\"\n", to: "settings.toml")
        let first = try await desk.startHost()
        // The key is taken, and the role is released.
        let (other, environment) = (try TemporaryFolder("other"), desk.environment)
        let second = try Program.start(
            BuildFolder.program("host-agent"), ["--no-hotkey"],
            environment: environment.merging(["VOICEDICTATION_GROUP": other.file("group")]) { $1 })
        try await second.waitForLine(containing: "host-agent is ready")
        await desk.end(first, second)
        // Without a display, the options of the key can still be asked for.
        let third = try Program.start(
            BuildFolder.program("host-agent"), ["--no-hotkey"],
            environment: environment.merging(["DISPLAY": ""]) { $1 })
        try await third.waitForLine(containing: "host-agent is ready")
        #expect(try await desk.dictstate("start", "--hotkey", "F10").contains("recording"))
        #expect(try await desk.waitForDictation { $0.status == .recording }.options.style == "mail")
        await desk.end(third)
    }

    @Test(
        "a recording is stopped also by a command whose options do not exist", arguments: ["toggle", "press"])
    func stopped(command: String) async throws {
        let desk = try await Desk.set()
        let host = try await desk.startHost("--no-hotkey")
        _ = try await desk.dictstate("start")
        try await desk.speak(seconds: 3)
        // Even with wrong options the speech is recorded.
        let second = try desk.start("dictstate", "start", "--hotkey", "F3")
        #expect(try await second.exitCode == 1)
        #expect(second.errors.contains("already recording") && !second.errors.contains("nothing is recorded"))
        let answer = try await desk.dictstate(command, "--hotkey", "F3")
        if command == "toggle" { #expect(answer.hasPrefix("stopped")) }
        _ = try await desk.waitForDictation { $0.status == .ready }
        // Nothing begins with them.
        let refused = try desk.start("dictstate", "toggle", "--hotkey", "F3")
        #expect(try await refused.exitCode == 1)
        #expect(refused.errors.contains("has the key “F3”; nothing is recorded"))
        await desk.end(host)
    }

    @Test("host-agent runs without a key that the layout lacks, and listens to it when a layout has it")
    func missing() async throws {
        let desk = try await Desk.set(.speaks("short.wav"))
        let environment = desk.display.environment
        _ = try await Program.run("setxkbmap", ["us"], environment: environment)
        let host = try await desk.startHost("--hotkey", "Cyrillic_ya")
        #expect(host.errors.contains("no key of the current keyboard layout gives Cyrillic_ya"))
        #expect(host.errors.contains("Start a dictation with: dictstate start"))
        #expect(try await desk.dictstate("start").contains("recording"))
        _ = try await desk.dictstate("cancel")
        _ = try await Program.run("setxkbmap", ["ru"], environment: environment)
        try await host.waitForLine(containing: "the keyboard layout has Cyrillic_ya now")
        let seen = try desk.store.revision()
        try tapKey("Cyrillic_ya", on: desk.display)
        try await desk.waitForDictation(since: seen) { $0.status == .recording }
        await desk.end(host)
    }

    @Test("a language without a recognizer is reported, with the way to a model")
    func unknownLanguage() async throws {
        let desk = try await Desk.set()
        try desk.folder.write("[speech]\nengine = \"pocketsphinx\"\n", to: "settings.toml")
        let host = try await desk.startHost("--no-hotkey")
        // It fails at once: whether the microphone was open by then is a matter of milliseconds.
        let start = try desk.start("dictstate", "start", "--locale", "de-DE")
        let isTold = try await start.exitCode != 0
        #expect(!isTold || start.errors.contains("Nothing was recorded. No model in use knows “de-DE”"))
        let state = try await desk.waitForDictation { $0.status == .error }
        #expect(state.error?.knownCode == .unsupportedLocale && state.locale == "de-DE")
        // The next one is as the settings say.
        _ = try await desk.dictstate("start")
        try await desk.speak(seconds: 3)
        _ = try await desk.dictstate("stop")
        let next = try await desk.waitForDictation { $0.id > state.id && $0.status == .ready }
        #expect(next.locale == "en-US" && !next.cleanedText.isEmpty)
        // A recording that is recognized in it gets the same message.
        let again = try desk.start("dictstate", "recognize", "\(next.id)", "--language", "de-DE")
        #expect(try await again.exitCode != 0)
        #expect(again.errors.contains("No model in use knows “de-DE”"))
        await desk.end(host)
    }

    @Test(
        "options that do not exist are refused, and nothing is recorded",
        arguments: [
            (["--style", "baroque"], "there is no style “baroque”"),
            (["--profile", "nobody"], "there is no [[profile]] with the name “nobody”: there are letters"),
            (["--hotkey", "F5"], "no [[hotkey]] in the settings has the key “F5”"),
        ])
    func refused(options: [String], reason: String) async throws {
        let desk = try await Desk.set()
        try desk.folder.write(Self.settings(try Self.server()), to: "settings.toml")
        let host = try await desk.startHost("--no-hotkey")
        let start = try Program.start(
            BuildFolder.program("dictstate"), ["start"] + options, environment: desk.environment)
        #expect(try await start.exitCode == 1)
        #expect(start.errors.contains(reason) && start.errors.contains("nothing is recorded"))
        #expect(try desk.store.history(limit: 1).isEmpty)
        await desk.end(host)
    }

    @Test(
        "a section that cannot be meant is an error, with its line",
        arguments: [
            ("key = \"F55x\"", ":2:1: “F55x” is not the X11 name of a key"),
            ("locale = \"de-DE\"", ":1:1: each [[hotkey]] needs a key"),
            ("key = \"F9\"", ":2:1: F9 is a key for dictation already"),
            (
                "key = \"F8\"\nprofile = \"none\"",
                ":3:1: there is no [[profile]] with the name “none”: none has a name"
            ),
            ("key = \"F8\"\nstyle = \"baroque\"", ":3:1: there is no style “baroque”"),
            ("key = \"F8\"\nengine = \"steam\"", ":3:10: “engine” must be"),
            (
                "key = \"F8\"\ntransform = \" \"",
                ":3:13: “transform” must be true, false, or an instruction"
            ),
            ("key = \"F8\"\ntransform = 1", ":3:13: “transform” must be true, false, or an instruction"),
            ("key = \"F8\"\ntransform = true\nlive = true", ":4:1: “live” has no effect for a key that"),
            (
                "key = \"F8\"\ntransform = \"shorter\"\nlocale = \"de-DE\"",
                ":4:1: “locale” has no effect for a key that"
            ),
            (
                "key = \"F8\"\n[transform]\nhotkey = \"F8\"", ":4:1: F8 is a key for dictation already"
            ),
        ])
    func wrong(section: String, message: String) async throws {
        let desk = try await Desk.set()
        try desk.folder.write("[[hotkey]]\n\(section)\n", to: "settings.toml")
        let check = try desk.start("host-agent", "check", "--settings")
        #expect(try await check.exitCode == 78)
        #expect(check.output.contains(message), "\(check.output)")
        await desk.end()
    }

    @Test("the key for held texts gives way to a hotkey, and is refused if it was set to the same")
    func heldHotkey() async throws {
        let desk = try await Desk.set()
        let section = "[[hotkey]]\nkey = \"Shift+F9\"\nprivate = true\n"
        try desk.folder.write("[insert]\nheld-hotkey = \"shift+F9\"\n\(section)", to: "settings.toml")
        let refused = try desk.start("insert-agent")
        #expect(try await refused.exitCode == 78)
        #expect(refused.errors.contains("shift+F9 is the key of a [[hotkey]]; choose another one"))

        try desk.folder.write("# The defaults.\n", to: "settings.toml")
        let inserter = try await desk.startInserter()
        let host = try await desk.startHost()
        // Both agents read it: one grabs the key that the other releases.
        try desk.folder.write(section, to: "settings.toml")
        try await host.waitForLine(containing: "the hotkeys are F9 and shift+F9 now")
        try await pressKey("shift+F9", on: desk.display)
        let state = try await desk.waitForDictation { $0.status != .starting }
        #expect(state.isPrivate && state.options.hotkey == "shift+F9")
        try await releaseKey("shift+F9", on: desk.display)
        // And back.
        try desk.folder.write("# The defaults.\n", to: "settings.toml")
        try await inserter.waitForLine(containing: "held texts are typed by shift+F9")
        await desk.end(host, inserter)
    }
}
