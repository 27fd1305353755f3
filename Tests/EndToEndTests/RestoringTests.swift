import DictationShared
import Foundation
import TestSupport
import Testing

/// `insert-agent --restore` after a kill: real agents, a real window, the keyboard map as `xkbcomp` prints it.
@Suite("Restoring", .serialized, .timeLimit(.minutes(5)))
struct RestoringTests {
    @Test("killed at random instants: the keyboard map is put back, and each character counted once")
    func killed() async throws {
        let seed = TestSeed.next()
        var random = SeededGenerator(seed: seed)
        let desk = try await Desk.set()
        try desk.folder.write("[insert]\npaste-from = 0\nspacing = 0\n", to: "settings.toml")
        let window = try await TextWindow.start(.xterm, on: desk.display, title: "Letter")
        let map = try await keyboardMap(desk)
        // More different characters than the spare keys have, with and without Shift, so that the map changes all the time.
        let text = (1...30).map {
            "\($0): “Größe” – Привет, мир! Łódź 5 € 日本語, 🇩🇪🇫🇷 e\u{301}, Ξεσκεπάζω ψυχοφθόρα βδελυγμία. "
        }
        .joined()
        var arrived = ""
        var kills = 0
        for round in 1...12 {
            let inserter = try await desk.startInserter()
            let added = try desk.store.add(text: text, locale: "en-US")
            // One character at least: before it, the text may not be claimed yet, and would be typed in the next round.
            let enough = arrived.count + Int.random(in: 1..<text.count - 100, using: &random)
            try await window.waitForText { $0.count >= enough }
            try await desk.kill(inserter)
            let restore = try desk.start("insert-agent", "--restore")
            #expect(try await restore.waitForExit().code == 0, "seed \(seed), round \(round)")
            #expect(try await keyboardMap(desk) == map, "seed \(seed), round \(round)")
            let state = try #require(try desk.store.dictation(added.id))
            kills += state.delivery == .held(.inserterDied) ? 1 : 0
            arrived.unicodeScalars.append(contentsOf: text.unicodeScalars.prefix(state.typedScalars))
            try await window.waitForText { $0.unicodeScalars.count >= arrived.unicodeScalars.count }
            #expect(window.text == arrived, "seed \(seed), round \(round)")
        }
        #expect(kills > 0, "none was killed in the middle: seed \(seed)")
        await desk.end()
    }

    private func keyboardMap(_ desk: Desk) async throws -> String {
        try await Program.run("xkbcomp", ["-xkb", desk.display.name, "-"], environment: desk.environment)
    }

    @Test("without anything to restore, it says so and ends with 0; next to a running inserter with 75")
    func nothing() async throws {
        let desk = try await Desk.set()
        let restore = try desk.start("insert-agent", "--restore")
        #expect(try await restore.waitForExit().code == 0)
        #expect(restore.errors.contains("The display is as it was"))
        let inserter = try await desk.startInserter()
        let second = try desk.start("insert-agent", "--restore")
        #expect(try await second.waitForExit().code == 75)
        await desk.end(inserter)
    }
}
