import Desktop
import DictationSystem
import Foundation
import TestSupport
import Testing

@testable import DesktopFile

@Suite("Texts into a file")
struct FileTypistTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("notes.txt") }
    private var journal: FileJournal { FileJournal(path: folder.file("writing.json")) }
    private let window = WindowInfo(id: 1, windowClass: "file", title: "")

    init() throws { folder = try TemporaryFolder("file-typist") }

    private func typist() throws -> FileTypist {
        try FileTypist(target: FileTarget(path: path), journal: journal)
    }

    private var content: String { get throws { try String(contentsOfFile: path, encoding: .utf8) } }

    private func type(
        _ text: String, by typist: FileTypist, options: TypingOptions = .init(), record: TypingRecord? = nil,
        progress: @Sendable (TypingProgress) throws -> Void = { _ in }
    ) async throws -> TypingOutcome {
        try await typist.type(
            text, into: window, options: options, pace: .zero, record: record, progress: progress)
    }

    @Test("a text is appended to what is there, and its progress told in batches")
    func append() async throws {
        try folder.write("before ", to: "notes.txt")
        let typist = try typist()
        let text = String(repeating: "äö🇩🇪x", count: 20)
        let counts = Observed<[Int]>([])
        let outcome = try await type(text, by: typist) { progress in
            counts.change { $0.append(progress.read) }
        }
        #expect(outcome == .typed(80))
        #expect(try content == "before " + text)
        #expect(counts.value == [32, 64, 80])
    }

    @Test("newlines and tabs become what the options say; any other control character becomes a space")
    func controls() async throws {
        let typist = try typist()
        _ = try await type("a\nb\tc\u{7}d\r\n", by: typist, options: .init(newline: .return, tab: .key))
        _ = try await type("a\nb\tc", by: typist, options: .init(newline: .space))
        #expect(try content == "a\nb\tc d \na b c")
    }

    @Test("stopped in the middle, it has written what it reported, and leaves no note")
    func stopped() async throws {
        struct Stop: Error {}
        let typist = try typist()
        let text = String(repeating: "x", count: 100)
        await #expect(throws: Stop.self) {
            try await type(text, by: typist, record: .init(text: "one", scalars: 0)) { progress in
                if progress.read == 64 { throw Stop() }
            }
        }
        #expect(try content.count == 64)
        #expect(try journal.unfinished() == nil)
    }

    @Test(
        "a full disk: what was put by makes room for the note; else nothing is written, and the disk is the reason",
        .enabled(if: SmallDisk.isPermitted, "mounting a small disk needs root"))
    func fullDisk() async throws {
        let disk = try SmallDisk(megabytes: 1)
        let note = disk.folder("writing.json").path
        try disk.fill()
        let target = FileTarget(path: path)
        let poor = try FileTypist(target: target, journal: FileJournal(path: note))
        let record = TypingRecord(text: "one", scalars: 0)
        #expect(try await type("lost?", by: poor, record: record) == .stopped(0, reason: .diskFull))
        #expect(try content.isEmpty)
        let journal = FileJournal(path: note) { (try? disk.free()) != nil }
        let typist = try FileTypist(target: target, journal: journal)
        #expect(try await type("kept", by: typist, record: record) == .typed(4))
        #expect(try content == "kept")
        #expect(try journal.unfinished() == nil)
    }

    @Test("cut at whichever byte: the next one knows how many scalars are there, and a torn one is removed")
    func killed() throws {
        let text = "aé€🇩🇪."
        let bytes = Array(text.utf8)
        for count in 0...bytes.count {
            try folder.write("before ", to: "notes.txt")
            let target = try FileTarget(path: path).open()
            try journal.write(
                .init(
                    text: "one", scalars: 3, file: path, identity: target.identity, start: try target.length,
                    size: bytes.count))
            try (Data("before ".utf8) + bytes.prefix(count)).write(to: URL(fileURLWithPath: path))
            let whole = text.unicodeScalars.prefix { scalar in
                let end = text.unicodeScalars.firstIndex(of: scalar).map {
                    text.unicodeScalars.index(after: $0)
                }
                return end.map { text[..<$0].utf8.count <= count } ?? false
            }
            let typist = try typist()
            #expect(typist.unfinished == [TypingRecord(text: "one", scalars: 3 + whole.count)])
            #expect(try content == "before " + String(String.UnicodeScalarView(whole)))
            journal.clear()
        }
    }

    @Test("a file that was replaced or shortened since tells nothing")
    func replaced() throws {
        try folder.write("before ", to: "notes.txt")
        let target = try FileTarget(path: path).open()
        let note = FileJournal.Note(
            text: "one", scalars: 0, file: path, identity: target.identity, start: 7, size: 10)
        try journal.write(note)
        #expect(try journal.unfinished() == TypingRecord(text: "one", scalars: 0))
        try target.cut(to: 3)
        #expect(try journal.unfinished() == nil)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
        try folder.write("before and more", to: "notes.txt")
        #expect(try journal.unfinished() == nil)
        try FileManager.default.removeItem(atPath: path)
        #expect(try journal.unfinished() == nil)
    }

    @Test("undo shortens the file, unless another program has written to it since")
    func undo() async throws {
        let backend = try InsertionBackend.file(path, journal: journal.path)
        let undo = try #require(backend.undo)
        let typist = try #require(backend.typing as? FileTypist)
        try folder.write("before ", to: "notes.txt")
        _ = try await type("Größe 🇩🇪", by: typist)
        let watch = try #require(backend.windows.watchTouches(of: window))
        #expect(!watch.isTouched())
        let record = TypingRecord(text: "undo", scalars: 0)
        let left = Observed<TypingRecord?>(nil)
        let outcome = try await undo.undo("e 🇩🇪", in: window, record: record) { [journal] count in
            left.change { $0 = (try? journal.unfinished()) ?? nil }
            #expect(count == 3)
        }
        #expect(outcome == .typed(3))
        // The note is there until the progress is recorded elsewhere.
        #expect(left.value == TypingRecord(text: "undo", scalars: 3))
        #expect(try journal.unfinished() == nil)
        #expect(try content == "before Größ")
        #expect(watch.isTouched())
        _ = try await type("e", by: typist)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data("!".utf8))
        try file.close()
        #expect(try await undo.undo("e", in: window, record: nil) { _ in }.characterCount == 0)
        #expect(try content == "before Größe!")
    }

    @Test("killed around a removal, the next one knows whether it has happened")
    func killedRemoving() throws {
        try folder.write("before Größe", to: "notes.txt")
        let target = try FileTarget(path: path).open()
        try journal.write(
            .init(
                text: "undo", scalars: 0, file: path, identity: target.identity, start: 7, size: 7, removed: 5
            ))
        #expect(try typist().unfinished.isEmpty)
        try target.cut(to: 7)
        #expect(try typist().unfinished == [TypingRecord(text: "undo", scalars: 5)])
    }

    @Test("a path that is no file and no terminal is refused, and the error says why")
    func refused() throws {
        func error(_ path: String) -> FileTargetError? {
            #expect(throws: FileTargetError.self) { try FileTarget(path: path).open() }
        }
        #expect(error(folder.path) == .folder(path: folder.path))
        #expect(
            error(folder.file("missing/notes.txt"))?.description.hasSuffix("No such file or directory")
                == true)
        let pipe = folder.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        #expect(error(pipe) == .wrongKind(path: pipe))
    }

    @Test("a full device fails, and tells how far it got")
    func full() async throws {
        let target = FileTarget(path: "/dev/full")
        let typist = try FileTypist(target: target, journal: journal)
        await #expect(
            throws: FileTargetError.notWritable(path: "/dev/full", reason: "No space left on device")
        ) {
            try await type("text", by: typist)
        }
    }

    @Test("a terminal gets the text, and cannot take it back")
    func terminal() async throws {
        var controller: Int32 = -1
        var device: Int32 = -1
        var name = [CChar](repeating: 0, count: 64)
        #expect(openpty(&controller, &device, &name, nil, nil) == 0)
        defer {
            close(controller)
            close(device)
        }
        let path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let backend = try InsertionBackend.file(path, journal: journal.path)
        #expect(backend.undo == nil)
        let typist = try #require(backend.typing as? FileTypist)
        #expect(try await type("one ", by: typist, record: .init(text: "one", scalars: 0)) == .typed(4))
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = read(controller, &bytes, bytes.count)
        #expect(String(decoding: bytes.prefix(count), as: UTF8.self) == "one ")
        #expect(backend.windows.watchTouches(of: window)?.isTouched() == false)
    }
}
