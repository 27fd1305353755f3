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
        let window = try await TextWindow.start(.gtkEntry, on: desk.display, title: "Letter")
        let host = try await desk.startHost()
        let inserter = try await desk.startInserter()
        try await tapKey("F9", on: desk.display)
        let id = try await desk.display.xdotool(
            "search", "--sync", "--onlyvisible", "--name", "^VoiceDictation: recording$"
        ).trimmingCharacters(in: .whitespacesAndNewlines)
        let watch = try Program.start(
            "xprop", ["-id", id, "-spy", "WM_NAME"], environment: desk.display.environment)
        try await watch.waitForLine(containing: "VoiceDictation: recording")
        try await desk.speak(seconds: 3)
        try await tapKey("F9", on: desk.display)
        for scene in ["processing", "inserted", "hidden"] {
            try await watch.waitForLine(containing: "VoiceDictation: \(scene)")
        }
        let state = try #require(try desk.store.history(limit: 1).first)
        try await window.waitForText(equal: state.cleanedText)
        await desk.end(host, inserter, watch)
    }

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
        #expect(figures.idlePercent == 0)
    }

    @Test("says what is wrong")
    func failure() async throws {
        let desk = try await Desk.set(.missing)
        let host = try await desk.startHost()
        try await tapKey("F9", on: desk.display)
        _ = try await desk.display.xdotool(
            "search", "--sync", "--onlyvisible", "--name", "^VoiceDictation: error$")
        await desk.end(host)
    }
}
