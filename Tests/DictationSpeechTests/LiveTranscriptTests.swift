import Foundation
import TestSupport
import Testing

@Suite("The example of the library", .timeLimit(.minutes(5)))
struct LiveTranscriptTests {
    @Test("it prints what is spoken, and ends by itself when the speech ends, with no key pressed")
    func endsBySilence() async throws {
        let folder = try TemporaryFolder("example")
        let microphone = try ALSAConfiguration(playing: Recording.demo.url.path, in: folder)
        // A terminal without input.
        let terminal = folder.file("terminal")
        let example = try Program.start(
            "/bin/sh",
            [
                "-c", "mkfifo \"$1\" && exec \"$0\" <> \"$1\"", BuildFolder.program("live-transcript"),
                terminal,
            ],
            environment: microphone.environment)
        #expect(try await example.waitForExit(within: .seconds(240)) == .exited(0))
        #expect(example.output.contains("books"), "\(example.output)\(example.errors)")
    }
}
