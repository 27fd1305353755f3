import DictationShared
import Foundation
import TestSupport
import Testing

/// Failures on a real desktop: each has a message and a documented exit code, and loses nothing.
@Suite("Failing well", .serialized, .timeLimit(.minutes(5)))
struct FailureTests {
    @Test("a host killed while recording: the words so far are recognized, and held for the user's word")
    func hostKilled() async throws {
        let desk = try await Desk.set()
        let window = try await TextWindow.start(.xterm, on: desk.display, title: "Letter")
        let inserter = try await desk.startInserter()
        let host = try await desk.startHost()
        // Tapped, not held: a key that is down when its listener dies repeats in the window, no matter which
        // process listened.
        try tapKey("F9", on: desk.display)
        try await desk.speak(seconds: 3)
        try await desk.kill(host)
        let next = try await desk.startHost()
        let died = try await desk.waitForDictation { $0.isSettled }
        let state = try await desk.waitForDictation(died.id) { $0.delivery != nil }
        #expect(state.delivery == .held(.recovered))
        #expect(state.error?.code == "recovered")
        #expect(window.text.isEmpty, "recovered text is not typed unasked")
        _ = try await desk.dictstate("insert")
        try await window.waitForText(equal: state.cleanedText)
        await desk.end(next, inserter)
    }

    @Test("a recording that ends before a slow microphone gives its first sound: told so, with the remedy")
    func slowMicrophone() async throws {
        let desk = try await Desk.set()
        let device = ALSAConfiguration.device(speaking: Desk.recording("short.wav"), late: 600_000)
        try desk.folder.write("[audio]\ndevice = \"\(device)\"\n", to: "settings.toml")
        let host = try await desk.startHost()
        var last: DictationState?
        // If the machine stalls for 5 s, the microphone is dropped before it is stopped: then again.
        for _ in 0..<30 where last?.error?.knownCode != .noSpeech {
            let start = try desk.start("dictstate", "start")
            let begun = try await desk.waitForDictation { state in last.map { $0.id < state.id } ?? true }
            _ = try await desk.start("dictstate", "stop").waitForExit()
            last = try await desk.waitForDictation(begun.id) { $0.isSettled }
            _ = try await start.waitForExit()
        }
        #expect(last?.error?.knownCode == .noSpeech)
        #expect(last?.error?.message.contains("dictstate settings set audio.keep-open 60") == true)
        await desk.end(host)
    }

    @Test("an inserter killed in the middle of a character: the rest of it follows, and nothing comes twice")
    func tornCharacter() async throws {
        let desk = try await Desk.set()
        try desk.folder.write("[insert]\nspacing = 0\n", to: "settings.toml")
        let window = try await TextWindow.start(.xterm, on: desk.display, title: "Letter")
        // A letter and its accent are two keys, a flag too; and what is left of the first flag must not join the next.
        let text = "e\u{301}t\u{e9} 🇩🇪🇫🇷."
        var arrived = ""
        for typed in [1, 6] {
            let first = try await desk.startInserter()
            let beginning = try desk.store.add(text: String(text.unicodeScalars.prefix(typed)), locale: "fr")
            try await desk.waitForDictation(beginning.id) { $0.delivery == .inserted }
            await first.end()
            let added = try desk.store.add(text: text, locale: "fr")
            let dead = Claimant("boot/1/2")
            _ = try desk.store.claimNext(by: dead, patience: 60)
            try desk.store.releaseClaims(of: { $0 == dead }, typed: { _, _ in typed })
            let inserter = try await desk.startInserter()
            _ = try await desk.dictstate("insert", added.id.description)
            arrived += text
            let seen = try await window.waitForText {
                $0.unicodeScalars.count >= arrived.unicodeScalars.count
            }
            #expect(seen.unicodeScalars.elementsEqual(arrived.unicodeScalars), "\(seen)")
            let state = try #require(try desk.store.dictation(added.id))
            #expect(state.delivery == .inserted && state.tornScalars == 0)
            await inserter.end()
        }
        await desk.end()
    }

    @Test(
        "an inserter killed again and again: the user's word types the rest, not one character twice or never"
    )
    func inserterKilled() async throws {
        let desk = try await Desk.set()
        // A text of this length would be pasted in one go.
        try desk.folder.write("[insert]\npaste-from = 0\n", to: "settings.toml")
        let window = try await TextWindow.start(.xterm, on: desk.display, title: "Letter")
        // Numbers, so that a lost or repeated line would show.
        let text = (1...1_200).map { "Line \($0): aab!! Ää. " }.joined()
        let added = try desk.store.add(text: text, locale: "en-US")
        var state = added
        var isWhole = false
        for round in 1...6 {
            let inserter = try await desk.startInserter()
            if round > 1 {
                _ = try desk.store.submit(.insert(added.id))
                // Or it is complete already: this process may have been scheduled late.
                try await desk.waitForDictation(added.id) {
                    $0.delivery?.name == "claimed" || $0.delivery == .inserted
                }
            }
            let enough = state.insertedCount + Int.random(in: 0...900)
            try await desk.waitForDictation(added.id) { $0.insertedCount > enough }
            try await desk.kill(inserter)
            let claimed = try #require(try desk.store.dictation(added.id))
            guard claimed.delivery == .claimed(by: claimed.claimant) else {
                // This process was scheduled only after the last key.
                isWhole = true
                break
            }
            let next = try await desk.startInserter()
            state = try await desk.waitForDictation(added.id) { $0.isSettled }
            #expect(state.delivery == .held(.inserterDied))
            #expect(state.insertedCount >= claimed.insertedCount)
            // All that is counted arrives. Text that is not counted would come twice in the end.
            let arrived = try await window.waitForText { $0.count >= state.insertedCount }
            #expect(arrived == String(text.prefix(state.insertedCount)))
            await next.end()
        }
        let last = try await desk.startInserter()
        if !isWhole { _ = try await desk.dictstate("insert", added.id.description) }
        try await window.waitForText(equal: text)
        await desk.end(last)
    }

    @Test("a microphone that vanishes: what was said until then is typed, and the state says what happened")
    func unplugged() async throws {
        let desk = try await Desk.set(.unpluggedAfter("demo.wav", milliseconds: 3_000))
        let window = try await TextWindow.start(.xterm, on: desk.display, title: "Letter")
        let host = try await desk.startHost()
        let inserter = try await desk.startInserter()
        try tapKey("F9", on: desk.display)
        try await host.waitForLine(containing: "was lost")
        let state = try await desk.waitForDictation { $0.isSettled }
        #expect(state.error?.code == "microphone-lost")
        #expect(state.delivery == .inserted)
        try await window.waitForText(equal: state.cleanedText)
        await desk.end(host, inserter)
    }

    @Test("a microphone that vanishes: the next press is heard, also while a language model still thinks")
    func unpluggedWhilePolishing() async throws {
        let server = try LoopbackServer { _ in [.hang] }
        let desk = try await Desk.set(.unpluggedAfter("demo.wav", milliseconds: 3_000))
        try desk.folder.write(
            "[polish]\nendpoint = \"\(server.address("/v1"))\"\nmodel = \"m\"\nlimit = 60\n",
            to: "settings.toml")
        let host = try await desk.startHost()
        try tapKey("F9", on: desk.display)
        try await host.waitForLine(containing: "was lost")
        let first = try await desk.waitForDictation { $0.status == .processing }
        try tapKey("F9", on: desk.display)
        try await desk.waitForDictation { $0.id != first.id && $0.status == .recording }
        #expect(try desk.store.dictation(first.id)?.status == .processing)
        server.stop()
        let state = try await desk.waitForDictation(first.id) { $0.status == .ready }
        #expect(state.error?.code == "microphone-lost" && !state.cleanedText.isEmpty)
        await desk.end(host)
    }

    @Test(
        "a machine that is too busy for a moment: the dictation goes on, and the log says that sound is missing"
    )
    func overrun() async throws {
        let desk = try await Desk.set(.overrunAfter("demo.wav", milliseconds: 1_000))
        let host = try await desk.startHost()
        _ = try await desk.dictstate("start")
        try await desk.speak(seconds: 3)
        _ = try await desk.dictstate("stop")
        try await desk.waitForDictation { $0.status == .ready }
        try await host.waitForLine(containing: "sound is missing")
        await desk.end(host)
    }

    @Test("a sound server that is started again: what was said is typed, and the next press is heard")
    func soundServerRestarted() async throws {
        let server = try await SoundServer.start()
        let desk = try await Desk.set()
        try desk.folder.write("[audio]\ndevice = \"\(server.microphone)\"\n", to: "settings.toml")
        let window = try await TextWindow.start(.xterm, on: desk.display, title: "Letter")
        let host = try await desk.startHost()
        let inserter = try await desk.startInserter()
        try tapKey("F9", on: desk.display)
        try await desk.waitForDictation { $0.status == .recording }
        let speaker = try await server.speak(URL(filePath: Desk.recording("demo.wav")))
        try await desk.speak(seconds: 4.5)
        try await server.restart()
        let first = try await desk.waitForDictation { $0.isSettled }
        #expect(first.error?.code == "microphone-lost" && first.delivery == .inserted)
        // If the machine stalls for a moment, the server leaves gaps in the sound, and words go wrong there.
        let spoken = "produced the block books which were the immediate predecessors of the true printed book"
        let heard = Set(first.rawText.lowercased().split(separator: " "))
        #expect(heard.intersection(spoken.split(separator: " ")).count >= 4, "\(first.account)")
        await speaker.end()
        try tapKey("F9", on: desk.display)
        try await desk.waitForDictation { $0.id != first.id && $0.status == .recording }
        let again = try await server.speak(URL(filePath: Desk.recording("short.wav")))
        #expect(try await again.waitForExit().code == 0)
        // The last sound that was played is on its way to the recording.
        try await desk.speak(seconds: 0.5)
        try tapKey("F9", on: desk.display)
        let next = try await desk.waitForDictation { $0.id != first.id && $0.isSettled }
        #expect(next.error == nil && !next.rawText.isEmpty, "\(next.account)")
        try await window.waitForText { $0.contains(first.cleanedText) && $0.contains(next.cleanedText) }
        await desk.end(host, inserter)
        await server.end()
    }

    @Test("no microphone: the dictation fails with advice, and the host continues")
    func noMicrophone() async throws {
        let desk = try await Desk.set(.missing)
        let host = try await desk.startHost()
        try tapKey("F9", on: desk.display)
        let state = try await desk.waitForDictation { $0.isSettled }
        #expect(state.error?.code == "no-microphone")
        try await host.waitForLine(containing: "cannot be opened")
        #expect(host.isRunning)
        await desk.end(host)
    }

    @Test(
        "a second agent of a role says who runs, and ends with 75", arguments: ["host-agent", "insert-agent"])
    func twice(name: String) async throws {
        let desk = try await Desk.set()
        let first = try desk.start(name)
        try await first.waitForLine(containing: "\(name) is ready")
        let second = try desk.start(name)
        #expect(try await second.waitForExit().code == 75)
        #expect(second.errors.contains("already running") && second.errors.contains("\(first.processID)"))
        await desk.end(first)
    }

    @Test(
        "a group folder that others may write to is refused with 77",
        arguments: ["host-agent", "insert-agent", "dictstate"])
    func openGroup(name: String) async throws {
        let desk = try await Desk.set()
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o777], ofItemAtPath: desk.group.folder.path)
        let program = try desk.start(name)
        #expect(try await program.waitForExit().code == 77)
        #expect(program.errors.contains("chmod 700"))
        await desk.end(program)
    }

    @Test("a hotkey that another program has is refused with 69, and another one works")
    func hotkeyTaken() async throws {
        let desk = try await Desk.set()
        let first = try await desk.startHost()
        let elsewhere = try TemporaryFolder("other-group")
        var environment = desk.environment
        environment["VOICEDICTATION_GROUP"] = elsewhere.file("group")
        let second = try Program.start(BuildFolder.program("host-agent"), environment: environment)
        #expect(try await second.waitForExit().code == 69)
        #expect(second.errors.contains("F9 is taken"))
        let third = try Program.start(
            BuildFolder.program("host-agent"), ["--hotkey", "super+F10"], environment: environment)
        try await third.waitForLine(containing: "host-agent is ready")
        await desk.end(first, third)
    }

    @Test("without a display both agents end with 69", arguments: ["host-agent", "insert-agent"])
    func noDisplay(name: String) async throws {
        let folder = try TemporaryFolder("no-display")
        let program = try Program.start(
            BuildFolder.program(name),
            environment: ["VOICEDICTATION_GROUP": folder.file("group"), "DISPLAY": ":4711"])
        #expect(try await program.waitForExit().code == 69)
        #expect(program.errors.contains("cannot open the X11 display :4711"))
    }

    @Test("a display that goes away ends both agents with 69", arguments: ["host-agent", "insert-agent"])
    func displayLost(name: String) async throws {
        let desk = try await Desk.set()
        let program = try desk.start(name)
        try await program.waitForLine(containing: "is ready")
        await desk.display.end()
        if name == "insert-agent" { _ = try desk.store.add(text: "x", locale: "en-US") }
        let status = try await program.waitForExit()
        #expect(status.code == 69, "\(status): \(program.errors)")
    }

    @Test(
        "dictstate's exit codes",
        arguments: [
            (["start"], 2), (["insert"], 2), (["show", "01a1fea2-0092-7cc3-a3fa-21ea7191eb89"], 2),
            (["show", "nonsense"], 2),
            // There is no countdown for what no agent would do.
            (["insert", "--after", "3600"], 2), (["transform", "--after", "3600", "shorter"], 2),
            (["--nonsense"], 64), (["strart"], 64), (["help"], 0), (["history", "-n", "0"], 64), ([], 0),
            (["--json"], 0), (["history"], 0),
        ] as [([String], Int32)])
    func exitCodes(arguments: [String], code: Int32) async throws {
        let folder = try TemporaryFolder("exit-codes")
        let program = try Program.start(
            BuildFolder.program("dictstate"), arguments,
            environment: ["VOICEDICTATION_GROUP": folder.file("group")])
        #expect(try await program.waitForExit().code == code)
        if arguments == ["strart"] { #expect(program.errors.contains("did you mean “start”?")) }
    }
}

extension DictationState {
    var claimant: Claimant {
        if case .claimed(let claimant) = delivery { claimant } else { Claimant("nobody") }
    }
}
