import DictationShared
import DictationSystem
import Foundation
import TestSupport
import Testing

/// One process that records and types, and what it does if a host is running already.
@Suite("Inline mode", .serialized, .timeLimit(.minutes(5)))
struct InlineTests {
    private func speak(on desk: Desk, after earlier: DictationState? = nil) async throws -> DictationState {
        try await pressKey("F9", on: desk.display)
        try await desk.speak(seconds: 3)
        try await releaseKey("F9", on: desk.display)
        return try await desk.waitForDictation { state in
            state.isSettled && earlier.map { state.id > $0.id } ?? true
        }
    }

    @Test("insert-agent --inline alone: hold the key and speak, and the window has the text")
    func alone() async throws {
        let desk = try await Desk.set()
        let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Letter")
        let inline = try await desk.startInline()
        for role in AgentRole.allCases {
            #expect(try RoleLock.holder(of: role, in: desk.group)?.pid == inline.processID)
        }
        try await pressKey("F9", on: desk.display)
        _ = try await desk.display.xdotool(
            "search", "--sync", "--onlyvisible", "--name", "^VoiceDictation: recording$")
        try await desk.speak(seconds: 3)
        try await releaseKey("F9", on: desk.display)
        let state = try await desk.waitForDictation { $0.isSettled }
        #expect(state.delivery == .inserted)
        #expect(state.target?.title == "Letter")
        try await window.waitForText(equal: state.cleanedText)
        #expect(try await desk.dictstate("start").contains("recording"))
        #expect(try await desk.dictstate("cancel").contains("canceled"))
        await desk.end(inline)
        #expect(try await inline.waitForExit().code == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: desk.group.audioFolder.path).isEmpty)
    }

    @Test(
        "a host that runs is left in charge; when it is killed, this process records, and a later host is refused"
    )
    func besideHost() async throws {
        let desk = try await Desk.set()
        let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Letter")
        let host = try await desk.startHost()
        let inline = try await desk.startInline()
        #expect(inline.errors.contains("(process \(host.processID)) records. This process types"))
        let first = try await speak(on: desk)
        #expect(first.delivery == .inserted)
        try await desk.kill(host)
        try await inline.waitForLine(containing: "this process records now. Hold F9")
        #expect(try RoleLock.holder(of: .host, in: desk.group)?.pid == inline.processID)
        let second = try await speak(on: desk, after: first)
        #expect(second.delivery == .inserted)
        try await window.waitForText(equal: first.cleanedText + " " + second.cleanedText)
        let later = try desk.start("host-agent")
        #expect(try await later.exitCode == 75)
        #expect(later.errors.contains("(process \(inline.processID))"))
        await desk.end(inline)
    }

    @Test("killed in the middle of a recording, it offers what was said when it runs again")
    func killed() async throws {
        let desk = try await Desk.set()
        let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Letter")
        let inline = try await desk.startInline()
        try tapKey("F9", on: desk.display)
        try await desk.speak(seconds: 3)
        try await desk.kill(inline)
        let next = try await desk.startInline()
        let state = try await desk.waitForDictation { $0.delivery == .held(.recovered) }
        #expect(!state.cleanedText.isEmpty)
        #expect(try await desk.dictstate("insert").contains("inserted"))
        try await window.waitForText(equal: state.cleanedText)
        await desk.end(next)
    }

    @Test(
        "options for recording are refused without --inline", arguments: ["--no-hotkey", "--device=x"])
    func options(option: String) async throws {
        let agent = try Program.start(BuildFolder.program("insert-agent"), [option])
        #expect(try await agent.exitCode == 64)
        #expect(agent.errors.contains("--inline"))
    }

    @Test("without a host-agent next to it or in PATH, it says what to do")
    func missing() async throws {
        let folder = try TemporaryFolder("inline")
        let program = folder.file("insert-agent")
        try FileManager.default.copyItem(atPath: BuildFolder.program("insert-agent"), toPath: program)
        let agent = try Program.start(program, ["--inline"], environment: ["PATH": "/usr/bin:/bin"])
        #expect(try await agent.exitCode == 1)
        #expect(
            agent.errors.contains(
                "insert-agent: host-agent cannot be started: No such file or directory. "
                    + "Install it next to insert-agent, or put it in PATH."))
    }

    @Test(
        "a program that only types loads no library for sound or drawing, and dictstate none of a display")
    func libraries() async throws {
        let sound = ["asound", "pulse", "sndfile", "samplerate", "pocketsphinx", "pango", "cairo", "curl"]
        let inserter = try await Program.run("ldd", [BuildFolder.program("insert-agent")])
        #expect(inserter.contains("libX11.so") && inserter.contains("libwayland-client.so"))
        for name in sound { #expect(!inserter.contains("lib\(name)"), "\(name)") }
        let tool = try await Program.run("ldd", [BuildFolder.program("dictstate")])
        for name in sound + ["X11", "wayland", "systemd"] { #expect(!tool.contains("lib\(name)"), "\(name)") }
        let host = try await Program.run("ldd", [BuildFolder.program("host-agent")])
        for name in sound { #expect(host.contains("lib\(name)"), "\(name)") }
    }
}
