import DictationShared
import Foundation
import TestSupport
import Testing

/// The overlay as host-agent shows it.
@Suite("The overlay", .serialized, .timeLimit(.minutes(5)))
struct OverlayTests {
    @Test("is there while one speaks, takes no focus, and tells what became of it")
    func dictation() async throws {
        let desk = try await Desk.set()
        // The window's name shows the scene, and a scene may be over before it is read: the log misses none.
        try desk.folder.write("[log]\nlevel = \"debug\"\n", to: "settings.toml")
        let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Letter")
        let host = try await desk.startHost()
        let inserter = try await desk.startInserter()
        try tapKey("F9", on: desk.display)
        var told = try await host.waitForLine(containing: Self.shows("recording"))
        _ = try await desk.display.xdotool(
            "search", "--sync", "--onlyvisible", "--name", "^VoiceDictation: recording$")
        try await desk.speak(seconds: 3)
        try tapKey("F9", on: desk.display)
        for scene in ["processing", "inserted", "hidden"] {
            told = try await host.waitForLine(containing: Self.shows(scene), from: told.number + 1)
        }
        let state = try #require(try desk.store.history(limit: 1).first)
        try await window.waitForText(equal: state.cleanedText)
        await desk.end(host, inserter)
    }

    @Test("goes while a text waits for its window, and is there again when that has it")
    func waiting() async throws {
        let desk = try await Desk.set()
        try desk.folder.write(
            "[log]\nlevel = \"debug\"\n[insert]\npolicy = \"origin\"\norigin-away = \"wait\"\n",
            to: "settings.toml")
        let letter = try await TextWindow.start(.gtkText, on: desk.display, title: "Letter")
        let host = try await desk.startHost()
        let inserter = try await desk.startInserter()
        try tapKey("F9", on: desk.display)
        try await host.waitForLine(containing: Self.shows("recording"))
        try await desk.speak(seconds: 3)
        let other = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Other")
        try tapKey("F9", on: desk.display)
        let told = try await host.waitForLine(containing: Self.shows("processing"))
        // Nothing is wrong: the insert-agent runs.
        let next = try await host.waitForLine(containing: Self.shows(""), from: told.number + 1)
        #expect(next.text.contains(Self.shows("hidden")))
        try await letter.focus()
        try await host.waitForLine(containing: Self.shows("inserted"), from: next.number + 1)
        #expect(other.text.isEmpty)
        await desk.end(host, inserter)
    }

    private static func shows(_ scene: String) -> String { "the overlay shows: \(scene)" }

    private struct Figures: Decodable {
        struct Milliseconds: Decodable { let p50: Double }
        let visible: Milliseconds
        let trials: Int
        let framesPerSecond: Double
        let idlePercent: Double
    }

    @Test("moves with the sound, and costs nothing at rest, as dictation-bench measures it")
    func cost() async throws {
        let arguments = [
            "overlay", "--trials", "2", "--seconds", "2", "--recording", Desk.recording("short.wav"),
            "--json",
        ]
        let output = try await Program.run(BuildFolder.program("dictation-bench"), arguments)
        let figures = try JSONDecoder().decode(Figures.self, from: Data(output.utf8))
        #expect(figures.trials == 2 && figures.visible.p50 > 0)
        #expect(figures.framesPerSecond > 1)
        // Two milliseconds of two seconds: a slow machine takes the last picture away only then.
        #expect(figures.idlePercent < 0.1)
    }

    @Test("says what is wrong")
    func failure() async throws {
        let desk = try await Desk.set(.missing)
        try desk.folder.write("[log]\nlevel = \"debug\"\n", to: "settings.toml")
        let host = try await desk.startHost()
        try tapKey("F9", on: desk.display)
        try await host.waitForLine(containing: Self.shows("error"))
        await desk.end(host)
    }
}
