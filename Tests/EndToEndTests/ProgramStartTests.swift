import DictationShared
import Foundation
import TestSupport
import Testing

/// Signals that would end a program without a word.
@Suite("No signal of a write ends a program", .serialized, .timeLimit(.minutes(3)))
struct ProgramStartTests {
    @Test(
        "a limit on the size of files is told as a full disk",
        arguments: [
            ("host-agent", ["--no-hotkey"]), ("insert-agent", ["--to", "/dev/null"]), ("dictstate", []),
        ])
    func fileSize(program: String, arguments: [String]) async throws {
        let desk = try await Desk.set()
        // Less than SQLite's index of the -wal file, which has to be made.
        let group = desk.folder.file("fresh")
        let limited = try Program.start(
            "prlimit", ["--fsize=10240", BuildFolder.program(program)] + arguments,
            environment: desk.environment.merging(["VOICEDICTATION_GROUP": group]) { $1 })
        #expect(try await limited.waitForExit() == .exited(1))
        #expect(limited.errors.contains("The disk of \(group)/dictation.sqlite is full"), "\(limited.errors)")
        await desk.end()
    }

    @Test("a text that does not fit is told of by the command that inserts it")
    func insertLimited() async throws {
        let desk = try await Desk.set()
        let inserter = try desk.start("insert-agent", "--to", desk.folder.file("notes.txt"))
        try await inserter.waitForLine(containing: "is ready")
        let long = try desk.folder.write(String(repeating: "x", count: 400_000), to: "long.txt")
        let insert = try Program.start(
            "prlimit", ["--fsize=100000", BuildFolder.program("dictstate"), "insert", "--file", long],
            environment: desk.environment)
        #expect(try await insert.waitForExit() == .exited(1))
        #expect(insert.errors.contains("is full"), "\(insert.errors)")
        await desk.end(inserter)
    }

    @Test("an agent goes on when the one who reads its log ends")
    func reader() async throws {
        let desk = try await Desk.set()
        let path = desk.folder.file("notes.txt")
        let shell = try Program.start(
            "sh", ["-c", "\"$0\" --to \"$1\" 2>&1 | head -n 1", BuildFolder.program("insert-agent"), path],
            environment: desk.environment)
        try await shell.waitForLine(containing: "is ready")
        for text in ["one ", "two ", "three "] {
            let added = try desk.store.add(text: text, locale: "en-US")
            try await desk.waitForDictation(added.id) { $0.delivery == .inserted }
        }
        #expect(FileManager.default.contents(atPath: path) == Data("one two three ".utf8))
        await desk.end(shell)
    }
}
