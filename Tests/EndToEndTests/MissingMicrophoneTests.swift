import Foundation
import TestSupport
import Testing

/// What a command says about a microphone that is not there, by ALSA's own names.
@Suite("A sound card that is not there", .serialized, .timeLimit(.minutes(3)))
struct MissingMicrophoneTests {
    @Test(
        "is no matter of formats",
        arguments: ["hw:1,0", "plug:hw:99,0", "front:CARD=Yeti,DEV=0"])
    func missing(device: String) async throws {
        let desk = try await Desk.set()
        var environment = desk.environment
        // The machine's own configuration, which knows these names.
        environment["ALSA_CONFIG_PATH"] = nil
        try desk.folder.write("[audio]\ndevice = \"\(device)\"\n", to: "settings.toml")
        let check = try Program.start(
            BuildFolder.program("host-agent"), ["check", "--microphone"], environment: environment)
        #expect(try await check.exitCode == 1)
        #expect(
            check.output.contains("“\(device)” cannot be opened: there is no such device"), "\(check.output)")
        #expect(!check.output.contains("plug:\(device)"))
        await desk.end()
    }
}
