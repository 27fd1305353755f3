import DictationShared
import Foundation
import TestSupport
import Testing

/// The history for the user: it can be searched, and is removed when it should be.
@Suite("The history", .serialized, .timeLimit(.minutes(5)))
struct HistoryTests {
    /// Whether a word is in any file of the group.
    private static func isThere(_ word: String, _ desk: Desk) async throws -> Bool {
        let found = try Program.start(
            "grep", ["--recursive", "--text", "--quiet", "--ignore-case", word, desk.group.folder.path])
        return try await found.exitCode == 0
    }

    @Test("dictated words are found, forgotten, and in no file any more; a watcher is notified")
    func forget() async throws {
        let desk = try await Desk.set()
        let host = try await desk.startHost("--no-hotkey")
        let watch = try desk.start("dictstate", "watch", "--json")
        _ = try await desk.dictstate("start")
        try await desk.waitForDictation { $0.status == .recording }
        let refused = try desk.start("dictstate", "forget", "--all")
        #expect(try await refused.exitCode == 1)
        #expect(refused.errors.contains("is being recorded"))
        try await desk.speak(seconds: 3)
        _ = try await desk.dictstate("stop")
        let state = try await desk.waitForDictation { $0.status == .ready }
        let word = try #require(
            state.cleanedText.split(whereSeparator: { !$0.isLetter }).max { $0.count < $1.count })
        #expect(
            try await desk.dictstate("history", "--json", String(word).uppercased()).contains(
                state.id.description))
        #expect(try await desk.dictstate("history", String(word.prefix(3)) + "*").contains(word))
        #expect(try await desk.dictstate("history", "xylophone").isEmpty)
        #expect(try await Self.isThere(String(word), desk))
        #expect(try await desk.dictstate("forget", state.id.description).contains("forgot 1 dictation"))
        #expect(try await !Self.isThere(String(word), desk))
        #expect(try FileManager.default.contentsOfDirectory(atPath: desk.group.audioFolder.path).isEmpty)
        try await watch.waitForLine(containing: "\"id\":\"\(state.id)\",\"removed\":true")
        let again = try desk.start("dictstate", "forget", state.id.description)
        #expect(try await again.exitCode == 2)
        await desk.end(host, watch)
    }

    @Test("nothing is left of what was private, once it is inserted")
    func privateText() async throws {
        let desk = try await Desk.set()
        let window = try await TextWindow.start(.xterm, on: desk.display, title: "Letter")
        let host = try await desk.startHost("--no-hotkey")
        _ = try await desk.dictstate("start", "--private")
        try await desk.speak(seconds: 3)
        _ = try await desk.dictstate("stop")
        // There is no insert-agent: until then it is kept.
        let state = try await desk.waitForDictation { $0.status == .ready }
        #expect(state.isPrivate)
        let text = try desk.folder.write("zebra quagga", to: "text.txt")
        let seen = try desk.store.revision()
        let inserter = try await desk.startInserter()
        let answer = try await desk.dictstate("insert", "--private", "--file", text)
        #expect(answer.contains("inserted"))
        _ = try await window.waitForText { $0.hasPrefix(state.cleanedText) && $0.hasSuffix("zebra quagga") }
        for try await changes in StateWatcher.changes(of: desk.store, since: seen)
        where changes.revision > seen {
            if try desk.store.history(limit: 1).isEmpty { break }
        }
        // The process that removed it has overwritten it before it ends.
        await desk.end(host, inserter)
        #expect(try !desk.store.hasTraces(), "\(host.errors)\n\(inserter.errors)")
        let word = try #require(
            state.cleanedText.split(whereSeparator: { !$0.isLetter }).max { $0.count < $1.count })
        #expect(try await !Self.isThere(String(word), desk))
        #expect(try await !Self.isThere("quagga", desk))
        #expect(try FileManager.default.contentsOfDirectory(atPath: desk.group.audioFolder.path).isEmpty)
    }

    @Test(
        "nothing is left of a private command, nor of those that are forgotten, and no word of any is in a log"
    )
    func commands() async throws {
        let model = try LoopbackModel()
        let desk = try await Desk.set()
        try desk.folder.write(
            "[speech]\nengine = \"remote\"\n[remote]\naddress = \"\(model.address)\"\n", to: "settings.toml")
        let window = try await TextWindow.start(.gtkText, on: desk.display, title: "Letter")
        let host = try await desk.startHost("--no-hotkey")
        let inserter = try await desk.startInserter()
        func dictate(_ words: String, _ options: String...) async throws {
            model.hears(words)
            _ = try await desk.dictstate(["start"] + options)
            try await desk.speak(seconds: 2)
            _ = try await desk.dictstate("stop")
        }
        try await dictate("Meet the zebra.")
        try await window.waitForText(equal: "Meet the zebra.")
        try await dictate("replace zebra with quagga")
        try await window.waitForText(equal: "Meet the quagga.")
        // The last text does not have the word: it is typed.
        try await dictate("replace okapi with narwhal", "--private")
        try await window.waitForText(equal: "Meet the quagga. Replace okapi with narwhal.")
        for try await _ in StateWatcher.changes(of: desk.store, since: 0) {
            if try !desk.store.history(limit: 9).contains(where: \.isPrivate) { break }
        }
        await desk.end(host, inserter)
        model.stop()
        for word in ["okapi", "narwhal"] { #expect(try await !Self.isThere(word, desk), "\(word)") }
        #expect(try await desk.dictstate("forget", "--all").contains("forgot 2 dictations"))
        for word in ["zebra", "quagga", "okapi", "narwhal"] {
            #expect(try await !Self.isThere(word, desk), "\(word)")
            #expect(!(host.errors + inserter.errors).lowercased().contains(word), "\(word)")
        }
    }

    @Test("a host that starts overwrites what it removes from a long history, too")
    func longHistory() async throws {
        let desk = try await Desk.set()
        let begin = Date(timeIntervalSinceNow: -10_000)
        let filler = String(repeating: "every good boy does fine ", count: 12)
        try desk.store.add(
            (0..<6_000).map { number in
                let text = (number < 1_000 ? "zebra quagga " : "") + "\(number) " + filler
                return .init(
                    date: begin.addingTimeInterval(Double(number)), rawText: text, cleanedText: text,
                    timings: Timings(recording: 1))
            })
        #expect(try await Self.isThere("quagga", desk))
        try desk.folder.write("[history]\nkeep-count = 5000\n", to: "settings.toml")
        let host = try await desk.startHost("--no-hotkey", "--log-level", "debug")
        try await host.waitForLine(containing: "old dictations removed from the history")
        // It ends when its work is done.
        await desk.end(host)
        #expect(try !desk.store.hasTraces(), "\(host.errors)")
        #expect(try await !Self.isThere("quagga", desk))
        let size = try FileManager.default.attributesOfItem(atPath: desk.group.database.path)[.size] as? Int
        #expect(try #require(size) > StateStore.soonScrubbed)
        #expect(try desk.store.history(limit: 1).first?.cleanedText.hasPrefix("5999 ") == true)
    }

    @Test("the host removes what is older than the settings want, a minute after they say so")
    func retention() async throws {
        let desk = try await Desk.set()
        let ids = try (0..<5).map { index in
            try desk.store.apply(
                .discarded, to: try desk.store.add(text: "zebra\(index)", locale: "und").id
            ).id
        }
        let held = try desk.store.apply(.held(.stale), to: try desk.store.add(text: "held", locale: "und").id)
        let host = try await desk.startHost("--no-hotkey")
        let seen = try desk.store.revision()
        let clock = ContinuousClock()
        let change = clock.now
        // The file may be half written: until it has stood for a minute, nothing goes.
        try desk.folder.write("[history]\nkeep-count = 0\n", to: "settings.toml")
        try await host.waitForLine(containing: "settings read from")
        try desk.folder.write("[history]\nkeep-count = 2\n", to: "settings.toml")
        var left = Set(ids)
        for try await changes in StateWatcher.changes(of: desk.store, since: seen) {
            left.subtract(changes.removed)
            if left.count <= 2 { break }
        }
        #expect(change.duration(to: clock.now) >= .seconds(60))
        #expect(try desk.store.history(limit: 9).map(\.id) == [held.id, ids[4], ids[3]])
        await desk.end(host)
        #expect(try await !Self.isThere("zebra2", desk))
    }
}
