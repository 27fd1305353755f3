import Foundation
import TestSupport
import Testing

/// `make soak`, as short as it can be: what grows with each dictation is seen in a minute.
@Suite("Soak", .timeLimit(.minutes(15)))
struct SoakTests {
    private struct Report: Decodable {
        struct Look: Decodable {
            struct Agent: Decodable {
                let name: String
                let residentKiB: Int, privateKiB: Int, descriptors: Int, threads: Int, wakeUps: Int
            }
            let minutes: Double, dictations: Int, agents: [Agent]
        }
        let dictations: Int, inserted: Int, withoutWords: Int, held: Int
        let looks: [Look], findings: [String]
    }

    @Test(
        "a minute of dictations: memory is flat, descriptors and threads are constant, and at rest nobody wakes"
    )
    func minute() async throws {
        let bench = try Program.start(
            BuildFolder.program("dictation-bench"),
            ["soak", "--minutes", "1", "--recording", repositoryFile("Tests/Recordings/short.wav"), "--json"])
        let code = try await bench.waitForExit(within: .seconds(800)).code
        let report = try JSONDecoder().decode(Report.self, from: Data(bench.output.utf8))
        #expect(code == 0 && report.findings == [], "\(bench.output)")
        #expect(report.looks.count >= 5)
        #expect(report.looks.allSatisfy { $0.agents.map(\.name) == ["host-agent", "insert-agent"] })
        // On a busy machine they are fewer than one a second, and take longer than a minute.
        #expect(report.dictations >= 32 && report.inserted > report.dictations / 2, "\(bench.output)")
        let last = try #require(report.looks.last)
        let agents = last.agents.map {
            "\($0.name): \($0.residentKiB / 1_024) MiB, \($0.descriptors) files, \($0.threads) threads"
        }.joined(separator: "; ")
        TortureTests.report("soak: \(report.dictations) dictations; at the end \(agents)")
    }
}
