import Desktop
import DictationShared
import Foundation
import TestSupport
import Testing

/// insert-agent --to: the same rules as for a window, without a display.
@Suite("Dictating into a file", .serialized, .timeLimit(.minutes(5)))
struct FileDestinationTests {
    /// - Parameter path: a file on the desk's folder, or an absolute path.
    private static func startInserter(_ desk: Desk, to path: String) async throws -> Program {
        var environment = desk.environment
        environment["DISPLAY"] = nil
        let inserter = try Program.start(
            BuildFolder.program("insert-agent"), ["--to", path], environment: environment)
        try await inserter.waitForLine(containing: "It writes to \(path)")
        return inserter
    }

    private static func content(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }

    @Test("a text is appended, and the next one follows after a space; undo removes it")
    func spoken() async throws {
        let desk = try await Desk.set()
        let path = try desk.folder.write("Notes:\n", to: "notes.txt")
        let host = try await desk.startHost()
        let inserter = try await Self.startInserter(desk, to: path)
        try tapKey("F9", on: desk.display)
        try await desk.speak(seconds: 2)
        try tapKey("F9", on: desk.display)
        let spoken = try await desk.waitForDictation { $0.isSettled }
        #expect(spoken.delivery == .inserted && !spoken.cleanedText.isEmpty)
        #expect(Self.content(path) == "Notes:\n" + spoken.cleanedText)
        let added = try desk.store.add(text: "Größe: 3 €", locale: "de")
        try await desk.waitForDictation(added.id) { $0.delivery == .inserted }
        #expect(Self.content(path) == "Notes:\n\(spoken.cleanedText) Größe: 3 €")
        _ = try await desk.dictstate("undo")
        #expect(Self.content(path) == "Notes:\n\(spoken.cleanedText)")
        // There is no clipboard here: the text is not lost, and the command says where it is.
        _ = try await desk.dictstate("start")
        try await desk.speak(seconds: 2)
        let copy = try desk.start("dictstate", "stop", "--copy")
        #expect(try await copy.exitCode == 1)
        let kept = try #require(try desk.store.history(limit: 1).first)
        #expect(kept.delivery == .held(.askedFor))
        #expect(copy.errors.contains("The text is held: dictstate insert \(kept.id) types it"))
        await desk.end(host, inserter)
    }

    @Test("killed again and again: the user's word writes the rest, not one character twice or never")
    func killed() async throws {
        let desk = try await Desk.set()
        let path = desk.folder.file("notes.txt")
        let text = (1...3_000).map { "Line \($0): aab!! Ää. " }.joined()
        let added = try desk.store.add(text: text, locale: "en-US")
        var state = added
        for round in 1...4 {
            let inserter = try await Self.startInserter(desk, to: path)
            if round > 1 { _ = try desk.store.submit(.insert(added.id)) }
            let enough = state.insertedCount + Int.random(in: 0...9_000)
            try await desk.waitForDictation(added.id) { $0.insertedCount > enough }
            try await desk.kill(inserter)
            let claimed = try #require(try desk.store.dictation(added.id))
            guard claimed.delivery == .claimed(by: claimed.claimant) else {
                // This process was scheduled only after the last character.
                break
            }
            let next = try await Self.startInserter(desk, to: path)
            state = try await desk.waitForDictation(added.id) { $0.isSettled }
            #expect(state.delivery == .held(.inserterDied))
            #expect(state.insertedCount >= claimed.insertedCount)
            #expect(state.route == InsertionRoute(.file, isConfirmed: true))
            #expect(Self.content(path) == String(text.prefix(state.insertedCount)))
            await next.end()
        }
        let last = try await Self.startInserter(desk, to: path)
        if try desk.store.dictation(added.id)?.delivery != .inserted {
            _ = try await desk.dictstate("insert", added.id.description)
        }
        #expect(Self.content(path) == text)
        await desk.end(last)
    }

    @Test("a file that can no longer be written to: the text is held, and the log says why")
    func unwritable() async throws {
        let desk = try await Desk.set()
        let path = desk.folder.file("notes.txt")
        let inserter = try await Self.startInserter(desk, to: path)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let added = try desk.store.add(text: "Kept.", locale: "en-US")
        let held = try await desk.waitForDictation(added.id) { $0.isSettled }
        #expect(held.delivery == .held(.typingFailed) && held.insertedCount == 0)
        try await inserter.waitForLine(containing: "\(path) is a folder; name a file in it")
        try FileManager.default.removeItem(atPath: path)
        _ = try await desk.dictstate("insert")
        #expect(Self.content(path) == "Kept.")
        await inserter.end()
        let full = try await Self.startInserter(desk, to: "/dev/full")
        let late = try desk.store.add(text: "Kept, too.", locale: "en-US")
        let kept = try await desk.waitForDictation(late.id) { $0.isSettled }
        #expect(kept.delivery == .held(.typingFailed))
        try await full.waitForLine(containing: "cannot write to /dev/full: No space left on device")
        await desk.end(full)
    }

    @Test(
        "the disk of the group is full: the text is written all the same, with the room that was put by",
        .enabled(if: SmallDisk.isPermitted, "mounting a small disk needs root"))
    func fullDisk() async throws {
        let disk = try SmallDisk(megabytes: 8)
        let desk = try await Desk.set(groupFolder: disk.folder("group"))
        let path = desk.folder.file("notes.txt")
        let inserter = try await Self.startInserter(desk, to: path)
        try disk.fill()
        let added = try desk.store.add(text: "Written.", locale: "en-US")
        let state = try await desk.waitForDictation(added.id) { $0.isSettled }
        #expect(state.delivery == .inserted, "\(inserter.errors)")
        #expect(Self.content(path) == "Written.")
        await desk.end(inserter)
    }

    @Test("a file that cannot be written is refused at the start, with 69; wrong usage with 64")
    func refused() async throws {
        let desk = try await Desk.set()
        let folder = desk.folder.path
        let refusals: [([String], Int32, String)] = [
            (["--to", folder], 69, "\(folder) is a folder"),
            (["--to", "\(folder)/missing/notes.txt"], 69, "cannot write to \(folder)/missing/notes.txt"),
            (["--to", ""], 64, "Name a file"),
            (["--to", "notes.txt", "--restore"], 64, "not both"),
        ]
        for (arguments, code, message) in refusals {
            let program = try Program.start(
                BuildFolder.program("insert-agent"), arguments, environment: desk.environment)
            #expect(try await program.waitForExit().code == code)
            #expect(program.errors.contains(message), "\(program.errors)")
        }
        await desk.end()
    }
}
