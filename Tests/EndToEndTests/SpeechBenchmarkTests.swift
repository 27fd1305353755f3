import Foundation
import TestSupport
import Testing

@Suite("dictation-bench speech", .timeLimit(.minutes(5)))
struct SpeechBenchmarkTests {
    private struct Report: Decodable {
        struct File: Decodable { let file: String, words: Int, errors: Int, text: String }
        struct Delay: Decodable { let p50: Double, p95: Double }
        let wordErrorRate: Double, realTimeFactor: Double, load: Double, residentKiB: Int
        let final: Delay?, firstPartial: Delay?, files: [File]
    }

    private func report(on folder: String, _ options: String...) async throws -> Report {
        let output = try await Program.run(
            BuildFolder.program("dictation-bench"), ["speech", "--json", "--data", folder] + options,
            within: .seconds(200))
        return try JSONDecoder().decode(Report.self, from: Data(output.utf8))
    }

    @Test("counts errors as a person does, independent of marks, case and spelling of numbers")
    func normalized() async throws {
        let folder = try TemporaryFolder("bench")
        let copy = folder.file("demo.wav")
        try FileManager.default.copyItem(
            atPath: repositoryFile("Tests/Recordings/demo.wav"), toPath: copy)
        // Both lines are of one recording: the second one says the same with seven words more.
        let said = "Produced the block-books, which were the immediate predecessors of the true printed book"
        try folder.write(
            "file\treference\ndemo.wav\t\(said.uppercased())!\ndemo.wav\tUm, \(said) 1,247 £ twenty\n",
            to: "transcripts.tsv")
        let report = try await report(on: folder.path, "--unpaced")
        #expect(report.files.map(\.file) == ["demo.wav", "demo.wav"])
        // One thousand two hundred forty seven; twenty.
        #expect(report.files[1].words == report.files[0].words + 7)
        #expect(report.files[0].errors <= 3)
        #expect(report.files[1].errors >= 7)
        #expect(report.final == nil, "without real time there are no delays")
        #expect(report.load > 0 && report.realTimeFactor > 0 && report.residentKiB > 50_000)
    }

    @Test("measures the delay to the first and to the last words in real time")
    func paced() async throws {
        let report = try await report(on: repositoryFile("Tests/Recordings"), "--limit", "1")
        let delay = try #require(report.final)
        #expect(delay.p50 > 0 && delay.p50 <= delay.p95)
        #expect(try #require(report.firstPartial).p50 > 0)
    }

    @Test("measures a server, which gets the sound of each recording once")
    func remote() async throws {
        let server = try LoopbackServer { _ in
            [.answer(200, [:], Data("{\"text\": \"Has never been passed.\"}".utf8))]
        }
        let folder = try TemporaryFolder("bench")
        try FileManager.default.copyItem(
            atPath: repositoryFile("Tests/Recordings/short.wav"), toPath: folder.file("short.wav"))
        try folder.write("short.wav\thas never been surpassed\n", to: "transcripts.tsv")
        let report = try await report(
            on: folder.path, "--unpaced", "--engine", "remote", "--address", server.address("/v1"))
        #expect(report.files.map(\.errors) == [1] && report.files.map(\.words) == [4])
        #expect(server.requests.count == 1)
    }

    @Test("says what it lacks, and ends with 1")
    func nothingThere() async throws {
        let folder = try TemporaryFolder("bench")
        let program = try Program.start(
            BuildFolder.program("dictation-bench"), ["speech", "--data", folder.path])
        #expect(try await program.waitForExit().code == 1)
        #expect(program.errors.contains("transcripts.tsv"))
    }
}
