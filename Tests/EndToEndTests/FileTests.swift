import Foundation
import TestSupport
import Testing

/// The commands of host-agent that need neither a desktop nor a microphone.
@Suite("host-agent on files", .timeLimit(.minutes(5)))
struct FileTests {
    @Test("prints what is recognized, one line a recording, and reports what cannot be read")
    func transcribe() async throws {
        let program = try Program.start(
            BuildFolder.program("host-agent"),
            ["transcribe", "--json", repositoryFile("Tests/Recordings/demo.wav"), "/nonexistent.wav"])
        #expect(try await program.waitForExit().code == 1)
        #expect(program.errors.contains("/nonexistent.wav"))
        struct Line: Decodable {
            struct Word: Decodable { let text: String, start: Double, end: Double, confidence: Double? }
            let text: String, seconds: Double, words: [Word]
        }
        let line = try JSONDecoder().decode(Line.self, from: Data(program.output.utf8))
        #expect(line.text.contains("block books"))
        #expect(abs(line.seconds - 6.14) < 0.1)
        #expect(
            line.words.count > 8
                && line.words.allSatisfy { $0.start < $0.end && $0.end <= line.seconds + 0.1 })
    }

    @Test("a line in is a clean line out, in order")
    func clean() async throws {
        let folder = try TemporaryFolder("clean")
        let raw = try folder.write("um i think i think so\n\nuh\nis it raining\n", to: "raw.txt")
        let output = try await Program.run(
            "/bin/sh", ["-c", "exec \"$0\" clean < \"$1\"", BuildFolder.program("host-agent"), raw])
        #expect(output == "I think so.\n\n\nIs it raining?\n")
    }
}
