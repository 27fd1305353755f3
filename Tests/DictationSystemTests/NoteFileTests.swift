import DictationSystem
import Foundation
import TestSupport
import Testing

@Suite("A file with a note")
struct NoteFileTests {
    @Test("has what was written last, until it is cleared; damage is nothing")
    func content() throws {
        let folder = try TemporaryFolder("note")
        let note = NoteFile<[String]>(path: folder.file("note.json"))
        #expect(note.content == nil)
        try note.write(["a", "b"])
        try note.write(["c"])
        #expect(note.content == ["c"])
        #expect(NoteFile<[Int]>(path: note.path).content == nil)
        try folder.write("[\"c", to: "note.json")
        #expect(note.content == nil)
        note.clear()
        note.clear()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test("without its folder nothing is written")
    func noFolder() throws {
        let folder = try TemporaryFolder("note")
        let note = NoteFile<[String]>(path: folder.file("none/note.json"))
        #expect(throws: SystemError.self) { try note.write([]) }
    }
}
