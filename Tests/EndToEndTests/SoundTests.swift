import DictationShared
import DictationSystem
import Foundation
import TestSupport
import Testing

/// Sounds on a device that keeps all that is played.
@Suite("Sounds that are played", .serialized, .timeLimit(.minutes(5)))
struct SoundTests {
    private struct Speaker {
        let folder: TemporaryFolder
        private let sounds: Observed<Int>
        private let news: FolderNews
        var device: String { ALSAConfiguration.device(writingTo: folder.file("played.wav")) }

        init() throws {
            let folder = try TemporaryFolder("speaker")
            let sounds = Observed(0)
            news = try FolderNews(of: folder.path, for: .closedAfterWriting) { happened in
                sounds.change { $0 += happened.count }
            }
            (self.folder, self.sounds) = (folder, sounds)
        }

        /// Waits until this many sounds have been played, from the beginning.
        func wait(for count: Int) async throws {
            let isPlayed: Bool? = await sounds.wait(within: Program.defaultLimit) { $0 >= count ? true : nil }
            if isPlayed == nil { Issue.record("\(sounds.value) sounds were played, and not \(count)") }
        }

        /// The names of the sounds, in the order in which they were played.
        func played() throws -> [String] {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            return try names.map { name in
                let played = try Self.samples(of: folder.file(name))
                return try ["start", "stop", "error"].first { sound in
                    try Self.samples(of: repositoryFile("HostAgent/Sounds/\(sound).wav")) == played
                } ?? "something else (\(played.count) bytes)"
            }
        }

        /// The samples after the header.
        private static func samples(of path: String) throws -> Data {
            try Data(contentsOf: URL(fileURLWithPath: path)).dropFirst(44)
        }
    }

    @Test("begin and end a recording, each once; the stop comes when nothing is recorded any more")
    func recording() async throws {
        let desk = try await Desk.set()
        let speaker = try Speaker()
        try desk.folder.write("[sounds]\ndevice = \(quoted(speaker.device))\n", to: "settings.toml")
        let host = try await desk.startHost()
        try tapKey("F9", on: desk.display)
        try await desk.speak(seconds: 2)
        try tapKey("F9", on: desk.display)
        try await speaker.wait(for: 2)
        await host.end()
        #expect(try speaker.played() == ["start", "stop"])
        await desk.end()
    }

    @Test("report a missing microphone: no stop, because nothing was recorded")
    func failure() async throws {
        let desk = try await Desk.set()
        let speaker = try Speaker()
        try desk.folder.write(
            "[sounds]\ndevice = \(quoted(speaker.device))\n[audio]\ndevice = \"nowhere\"\n",
            to: "settings.toml")
        let host = try await desk.startHost()
        try tapKey("F9", on: desk.display)
        try await speaker.wait(for: 2)
        await host.end()
        #expect(try speaker.played() == ["start", "error"])
        await desk.end()
    }

    @Test("are off by a setting, and a device that cannot play them is no trouble", arguments: [false, true])
    func off(isPlayed: Bool) async throws {
        let desk = try await Desk.set()
        let speaker = try Speaker()
        let device = isPlayed ? "nowhere" : speaker.device
        try desk.folder.write(
            "[sounds]\nplay = \(isPlayed)\ndevice = \(quoted(device))\n", to: "settings.toml")
        let host = try await desk.startHost()
        try tapKey("F9", on: desk.display)
        try await desk.speak(seconds: 2)
        try tapKey("F9", on: desk.display)
        try await desk.waitForDictation { $0.status == .ready }
        await host.end()
        #expect(try speaker.played() == [])
        #expect(host.errors.contains("no sounds: the device “nowhere”") == isPlayed)
        await desk.end()
    }

    @Test(
        "a microphone that hears the start sound from a loudspeaker gives the same text, and silence is none",
        arguments: ["short.wav", "universe.wav", nil])
    func heard(name: String?) async throws {
        let folder = try TemporaryFolder("heard")
        let sound = try Self.samples(of: repositoryFile("HostAgent/Sounds/start.wav"))
        let spoken =
            try name.map { try Self.samples(of: Desk.recording($0)) } ?? Array(repeating: 0, count: 24_000)
        var mixed = spoken
        // As loud as it is played, 20 ms after the microphone was opened.
        for (index, sample) in sound.enumerated() {
            mixed[320 + index] = Int16(clamping: Int(mixed[320 + index]) + Int(sample))
        }
        var texts: [String] = []
        for samples in [spoken, mixed] {
            let file = folder.file("\(texts.count).wav")
            try Desk.wave(samples).write(to: URL(fileURLWithPath: file))
            texts.append(try await Program.run(BuildFolder.program("host-agent"), ["transcribe", file]))
        }
        #expect(texts[0] == texts[1])
        #expect((texts[0].count > 1) == (name != nil))
    }

    private static func samples(of path: String) throws -> [Int16] {
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)).dropFirst(44))
        return (0..<bytes.count / 2).map {
            Int16(bitPattern: UInt16(bytes[2 * $0]) | UInt16(bytes[2 * $0 + 1]) << 8)
        }
    }

    private func quoted(_ text: String) -> String { "\"\(text)\"" }
}
