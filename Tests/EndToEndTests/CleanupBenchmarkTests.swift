import Foundation
import TestSupport
import Testing

@Suite("dictation-bench cleanup", .timeLimit(.minutes(15)))
struct CleanupBenchmarkTests {
    /// One of the objects that it prints; which fields there are depends on the kind.
    private struct Line: Decodable {
        struct Score: Decodable { let mark: String, wanted: Int, f1: Double }
        let set: String?, texts: Int?, precision: Double?, f1: Double?, exact: Double?, stable: Double?
        let safe: Double?, scores: [Score]?
        let rule: String?, words: Int?, changed: Int?, share: Double?
    }

    private func lines(on folder: String) async throws -> [Line] {
        let output = try await Program.run(
            BuildFolder.program("dictation-bench"), ["cleanup", "--json", "--data", folder, "--rounds", "1"],
            within: .seconds(800))
        return try output.split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
    }

    @Test("the repository's own texts come out right, and no rule harms what is right already")
    func own() async throws {
        let lines = try await lines(on: repositoryFile("Tests/Cleanup"))
        let dictated = try #require(lines.first { $0.set == "dictated" })
        #expect(dictated.exact == 100)
        #expect(try #require(dictated.stable) > 98)
        for (name, texts) in [("conversation-making", 80), ("conversation-scoring", 80)] {
            let scores = try #require(lines.first { $0.set == name && $0.safe != nil && $0.f1 != nil })
            #expect(try #require(scores.texts) >= texts)
            #expect(try #require(scores.f1) >= 95)
            #expect(try #require(scores.safe) >= 99.5)
        }
        // Harder ones, whose second halves were only scored.
        for (name, f1) in [("commands", 80.0), ("talk", 90)] {
            for half in ["making", "scoring"] {
                let scores = try #require(
                    lines.first { $0.set == "\(name)-\(half)" && $0.safe != nil && $0.f1 != nil })
                #expect(try #require(scores.f1) >= f1, "\(name)-\(half)")
                #expect(try #require(scores.safe) >= 99.5, "\(name)-\(half)")
            }
        }
        // Only corrections and false starts; cutting fillers and repetitions gets 8.
        let orders = try #require(lines.first { $0.set == "orders-making" && $0.safe != nil && $0.f1 != nil })
        #expect(try #require(orders.f1) >= 80)
        #expect(try #require(orders.safe) >= 99.5)
        let harm = lines.filter { $0.rule != nil }
        #expect(harm.contains { $0.rule == "all" } && harm.contains { $0.rule == "fillerPhrases" })
        for rule in harm { #expect(try #require(rule.share) <= 0.5, "\(rule.rule ?? "")") }
    }

    @Test("marks are scored one by one, from a file with a word and its mark a line")
    func marks() async throws {
        let folder = try TemporaryFolder("bench")
        let text = ["it\tO", "is\tO", "late\tPERIOD", "yes\tCOMMA", "it\tO", "is\tPERIOD"]
        try folder.write(text.joined(separator: "\n"), to: "talk.txt")
        let lines = try await lines(on: folder.path)
        let scores = try #require(lines.first { $0.set == "talk" }?.scores)
        #expect(scores.map(\.mark) == ["comma", "full stop"])
        #expect(scores.map(\.wanted) == [1, 2])
        // All of it is one text, and only its end is known.
        #expect(scores[0].f1 == 0 && scores[1].f1 == 66.67)
    }

    @Test("says what it lacks, and ends with 2")
    func nothingThere() async throws {
        let folder = try TemporaryFolder("bench")
        let program = try Program.start(
            BuildFolder.program("dictation-bench"), ["cleanup", "--data", folder.path])
        #expect(try await program.waitForExit().code == 2)
        #expect(program.errors.contains("no sets of texts"))
    }
}
