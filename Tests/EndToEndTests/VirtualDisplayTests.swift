import DictationSystem
import Foundation
import TestSupport
import Testing

@Suite("Virtual display")
struct VirtualDisplayTests {
    @Test(
        "a window gets what is typed, character by character",
        arguments: TextWindow.Kind.allCases.filter(\.isInstalled))
    func typing(kind: TextWindow.Kind) async throws {
        let display = try await VirtualDisplay.start()
        let window = try await TextWindow.start(kind, on: display, title: "Letter")
        try await display.xdotool("type", "Hello, world")
        try await window.waitForText(equal: "Hello, world")
        try tapKey("exclam", on: display)
        try await window.waitForText(equal: "Hello, world!")
        if kind != .gtkEntry {
            try tapKey("Return", on: display)
            try await window.waitForText(equal: "Hello, world!\n")
        }
        #expect(window.lastChange != nil)
        await window.end()
        await display.end()
    }

    @Test("the focus goes where it is sent; a held key stays down until it is released")
    func focusAndKeys() async throws {
        let display = try await VirtualDisplay.start()
        let first = try await TextWindow.start(.gtkText, on: display, title: "First")
        let second = try await TextWindow.start(.xterm, on: display, title: "Second")
        try await first.focus()
        try await pressKey("shift", on: display)
        try tapKey("a", on: display)
        try await releaseKey("shift", on: display)
        do {
            try await first.waitForText(equal: "A")
        } catch {
            Issue.record("The other window has “\(second.text)”.")
            throw error
        }
        try await second.focus()
        try tapKey("b", on: display)
        try await second.waitForText(equal: "b")
        #expect(first.text == "A")
        let picture = try TemporaryFolder()
        try await display.screenshot(to: picture.file("screen.png"))
        #expect(FileManager.default.fileExists(atPath: picture.file("screen.png")))
        await first.end()
        await second.end()
        await display.end()
    }
}

@Suite("Programs that tests run")
struct ProgramTests {
    @Test("lines, exit code and errors are those of the program")
    func lines() async throws {
        let program = try Program.start("sh", ["-c", "echo one; echo two >&2; printf three; exit 3"])
        #expect(try await program.exitCode == 3)
        #expect(program.output == "one\nthree")
        #expect(program.errors == "two\n")
        #expect(try await program.waitForLine(containing: "thr").stream == .output)
        let error = await #expect(throws: ProgramError.self) {
            try await program.waitForLine(matching: "^f.ur$")
        }
        #expect(error?.description.contains("exit code 3") == true)
        #expect(error?.description.contains("two") == true)
    }

    @Test("a time limit is an error that shows stderr")
    func timeLimit() async throws {
        let program = try Program.start("sh", ["-c", "echo trouble >&2; exec sleep 600"])
        try await program.waitForLine(containing: "trouble")
        let error = await #expect(throws: ProgramError.self) {
            try await program.waitForLine(containing: "never", within: .milliseconds(50))
        }
        #expect(error?.description.contains("trouble") == true)
        await program.end()
        #expect(try await program.waitForExit() == .killed(signal: SIGTERM))
    }

    @Test("the whole group ends, even if SIGTERM is ignored")
    func group() async throws {
        let program = try Program.start(
            "sh", ["-c", "trap '' TERM; sh -c 'echo $$; while :; do sleep 600; done'; echo never"])
        let child = try #require(Int32(try await program.waitForLine { Int32($0) != nil }.text))
        let end = try ProcessEnd(of: child)
        await program.end(grace: .milliseconds(200))
        #expect(try await program.waitForExit() == .killed(signal: SIGKILL))
        // A signal that was sent has not yet ended a process that waits for a processor.
        #expect(try waitUntilReadable([end.raw], until: .now + Program.defaultLimit) == [end.raw])
    }

    @Test("a program that is not there cannot be started")
    func missing() {
        #expect(throws: ProgramError.self) { try Program.start("/nowhere/program") }
    }

    @Test("a temporary folder is the user's alone, and goes away")
    func folder() throws {
        let folder = try TemporaryFolder()
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
        folder.remove()
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test("the programs of the package are next to the tests")
    func buildFolder() {
        #expect(FileManager.default.isExecutableFile(atPath: BuildFolder.program("host-agent")))
        #expect(FileManager.default.fileExists(atPath: repositoryFile("Package.swift")))
    }
}
