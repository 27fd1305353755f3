import Foundation
import TestSupport
import Testing

/// The commands of host-agent that need neither a desktop nor a microphone.
@Suite("host-agent on files", .timeLimit(.minutes(5)))
struct FileTests {
    @Test("a line in is a clean line out, in order")
    func clean() async throws {
        let folder = try TemporaryFolder("clean")
        let raw = try folder.write("um i think i think so\n\nuh\nis it raining\n", to: "raw.txt")
        let output = try await Program.run(
            "/bin/sh", ["-c", "exec \"$0\" clean < \"$1\"", BuildFolder.program("host-agent"), raw])
        #expect(output == "I think so.\n\n\nIs it raining?\n")
    }
}
