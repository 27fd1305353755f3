import Foundation
import GRDB
import Testing

@testable import DictationShared

/// Damage that SQLite reads without an error: an agent checks for it when it starts.
@Suite("A damaged index")
struct IndexDamageTests {
    /// Changes to the page of the index of identifiers: of three rows, all in one page.
    static let damages: [(String, @Sendable (inout Data) throws -> Void)] = [
        (
            "without the last row",
            { page in
                // The count of cells in the page's header (https://sqlite.org/fileformat2.html).
                try #require(page[3] == 0 && page[4] == 3)
                page[4] = 2
            }
        ),
        (
            "with another name for the last row",
            { page in
                // The newest cell is the lowest; its text follows the sizes.
                let content = Int(page[5]) << 8 | Int(page[6])
                let name = try #require(page[content...].firstIndex(of: UInt8(ascii: "0")))
                page[name] = UInt8(ascii: "f")
            }
        ),
    ]

    @Test("a dictation that the index of identifiers has lost is found", arguments: damages.indices)
    func lostByIndex(index: Int) throws {
        let test = try TestGroup()
        let ids = try DamageTests.filled(test, count: 3)
        let root = try DatabaseQueue(path: test.group.database.path).read { db in
            try Int.fetchOne(
                db, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_dictation_1'")
        }
        let start = (try #require(root) - 1) * 4096
        var bytes = try Data(contentsOf: test.group.database)
        var page = Data(bytes[start..<start + 4096])
        try #require(page[0] == 0x0A, "a leaf of an index")
        try Self.damages[index].1(&page)
        bytes.replaceSubrange(start..<start + 4096, with: page)
        try bytes.write(to: test.group.database)
        let (store, notices) = try DamageTests.open(test)
        #expect(try store.dictation(ids[2])?.cleanedText == "Text number 2 with some more words.")
        #expect(notices.movedAside.count == 1)
        #expect(try store.dictation(DictationID()) == nil, "one that is nowhere is no damage")
        #expect(notices.movedAside.count == 1)
    }
}
