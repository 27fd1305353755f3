import DictationShared
import Foundation
import TestSupport
import Testing

/// The sound of other programs is lowered while a recording lasts, on a sound server of the test's own.
@Suite("The sound of other programs", .serialized, .timeLimit(.minutes(5)))
struct LoweringTests {
    /// A desk with a sound server, and a playing program.
    private struct Room {
        let desk: Desk
        let server: SoundServer
        /// Reports every change of the playback.
        let news: Program

        static func set(volume: Int = 40) async throws -> Room {
            let server = try await SoundServer.start()
            let news = try Program.start("pactl", ["subscribe"], environment: server.environment)
            // It prints nothing before its first event, for example that a stream comes or goes.
            while news.lines.isEmpty {
                try Task.checkCancellation()
                try await Program.run("pactl", ["info"], environment: server.environment)
            }
            let desk = try await Desk.set()
            try desk.folder.write(
                "[audio]\nothers-volume = \(volume)\n[sounds]\nplay = false\n", to: "settings.toml")
            return Room(desk: desk, server: server, news: news)
        }

        func startHost() async throws -> Program {
            let host = try Program.start(
                BuildFolder.program("host-agent"), [],
                environment: desk.environment.merging(server.environment) { $1 })
            try await host.waitForLine(containing: "host-agent is ready")
            return host
        }

        /// Plays silence forever, and returns when it is played.
        func play(as name: String, _ arguments: String...) async throws -> Program {
            let player = try Program.start(
                "pacat",
                ["--verbose", "--playback", "--device=speaker", "--client-name=\(name)"] + arguments + [
                    "/dev/zero"
                ],
                environment: server.environment)
            try await player.waitForLine(containing: "Stream started")
            return player
        }

        private struct Stream: Decodable {
            struct Channel: Decodable {
                let percent: String
                enum CodingKeys: String, CodingKey { case percent = "value_percent" }
            }
            let index: Int
            let volume: [String: Channel]
            let properties: [String: String]
        }

        private func streams() async throws -> [Stream] {
            let json = try await Program.run(
                "pactl", ["--format=json", "list", "sink-inputs"], environment: server.environment)
            return try JSONDecoder().decode([Stream].self, from: Data(json.utf8))
        }

        /// In percent, by the program's name.
        func volumes() async throws -> [String: Int] {
            try await streams().reduce(into: [:]) { all, stream in
                let channels = Set(stream.volume.values.map(\.percent))
                all[stream.properties["application.name"] ?? "?"] =
                    channels.count == 1 ? channels.first.flatMap { Int($0.dropLast()) } : nil
            }
        }

        /// Waits until the volumes are these: each change of the playback is a reason to check.
        func wait(for wanted: [String: Int]) async throws {
            var line = 0
            while true {
                let now = try await volumes()
                if now == wanted { return }
                do {
                    line = try await news.waitForLine(containing: "sink-input", from: line).number + 1
                } catch {
                    Issue.record("The volumes are \(now), and not \(wanted).")
                    throw error
                }
            }
        }

        func set(_ name: String, to percent: Int) async throws {
            let index = try #require(
                try await streams().first { $0.properties["application.name"] == name }?.index)
            try await Program.run(
                "pactl", ["set-sink-input-volume", "\(index)", "\(percent)%"], environment: server.environment
            )
        }

        func end(_ programs: Program...) async {
            for program in programs + [news] { await program.end() }
            await desk.end()
            await server.end()
        }
    }

    @Test("is lowered and restored; host-agent's own is unchanged, and what the user sets during that stays")
    func lowering() async throws {
        let room = try await Room.set()
        let host = try await room.startHost()
        let music = try await room.play(as: "music")
        let game = try await room.play(as: "game")
        let own = try await room.play(
            as: "own", "--property=application.process.id=\(host.processID)")
        try await room.set("game", to: 50)
        try await room.wait(for: ["music": 100, "game": 50, "own": 100])
        _ = try await room.desk.dictstate("start")
        try await room.wait(for: ["music": 40, "game": 20, "own": 100])
        try await room.set("game", to: 70)
        _ = try await room.desk.dictstate("cancel")
        try await room.wait(for: ["music": 100, "game": 70, "own": 100])
        // An agent that is stopped in the middle of a recording restores it as well.
        _ = try await room.desk.dictstate("start")
        try await room.wait(for: ["music": 40, "game": 28, "own": 100])
        await host.end()
        try await room.wait(for: ["music": 100, "game": 70, "own": 100])
        #expect(!FileManager.default.fileExists(atPath: room.desk.group.loweredStreams.path))
        await room.end(music, game, own)
    }

    @Test("is lowered also if it begins during a recording, once, and restored with the rest")
    func beginning() async throws {
        let room = try await Room.set()
        let host = try await room.startHost()
        let music = try await room.play(as: "music")
        _ = try await room.desk.dictstate("start")
        try await room.wait(for: ["music": 40])
        let film = try await room.play(as: "film")
        try await room.wait(for: ["music": 40, "film": 40])
        // The next piece begins as loud as the last one was; it is not lowered again, which the game's turn
        // would show.
        await music.end()
        let next = try await room.play(as: "music")
        let game = try await room.play(as: "game")
        try await room.wait(for: ["music": 40, "film": 40, "game": 40])
        _ = try await room.desk.dictstate("cancel")
        try await room.wait(for: ["music": 100, "film": 100, "game": 100])
        await room.end(host, film, next, game)
    }

    @Test(
        "is put back by the next host-agent after one that was killed, also where the program has stopped meanwhile"
    )
    func killed() async throws {
        let room = try await Room.set()
        let host = try await room.startHost()
        let music = try await room.play(as: "music")
        let film = try await room.play(as: "film")
        _ = try await room.desk.dictstate("start")
        try await room.wait(for: ["music": 40, "film": 40])
        try await room.desk.kill(host)
        await film.end()
        // The server gives a program's next stream the volume of its last one.
        let sequel = try await room.play(as: "film")
        try await room.wait(for: ["music": 40, "film": 40])
        await sequel.end()
        try await room.wait(for: ["music": 40])
        let next = try await room.startHost()
        try await room.wait(for: ["music": 100])
        let third = try await room.play(as: "film")
        try await room.wait(for: ["music": 100, "film": 100])
        await room.end(next, music, third)
    }

    @Test("is restored after the next recording if the server did not answer at the end of one")
    func unanswered() async throws {
        let room = try await Room.set()
        let host = try await room.startHost()
        let music = try await room.play(as: "music")
        _ = try await room.desk.dictstate("start")
        try await room.wait(for: ["music": 40])
        room.server.stop()
        _ = try await room.desk.dictstate("cancel")
        try await host.waitForLine(containing: "list what is played: it does not answer")
        room.server.goOn()
        _ = try await room.desk.dictstate("start")
        _ = try await room.desk.dictstate("cancel")
        try await room.wait(for: ["music": 100])
        #expect(!FileManager.default.fileExists(atPath: room.desk.group.loweredStreams.path))
        await room.end(host, music)
    }

    @Test("is no problem without a server, or with one that does not answer", arguments: [false, true])
    func noServer(isThere: Bool) async throws {
        let room = try await Room.set()
        let host = try await room.startHost()
        if isThere { room.server.stop() } else { try await room.server.kill() }
        _ = try await room.desk.dictstate("start")
        try await room.desk.speak(seconds: 3)
        try await host.waitForLine(
            containing: "the volume of other programs is not lowered: connect to the sound server: ")
        _ = try await room.desk.dictstate("stop")
        try await room.desk.waitForDictation { $0.status == .ready }
        await host.end()
        await room.end()
    }
}
