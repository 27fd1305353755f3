import CX11
import Desktop
import DictationSystem
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DesktopX11

/// The state that a typist leaves when it ends in the middle, for any number of requests that had reached the
/// server.
@Suite("A killed typist", .serialized, .timeLimit(.minutes(4)))
struct KilledTypistTests {
    /// Types `text`, which fits into one batch, repeatedly over connections that break at a different byte
    /// each time, and checks the arrived text.
    ///
    /// - Parameters:
    ///   - cuts: how many times; they are spread over the bytes of the batch and a little around it.
    private func cut(_ text: String, times cuts: Int) async throws {
        let display = try TestDisplay(withWindowManager: false)
        let window = try KeyWindow(on: display)
        let map = try display.keyboardMap()
        let start = 40
        let keys = text.unicodeScalars.count
        // Once without a cut, to see where the batch ends. A key needs some 150 bytes with its note, 300 with Shift.
        let range = Mutex(0...0)
        do {
            let way = try CutConnection(to: display)
            let typist = try Typist(display: way.name)
            let outcome = try await typist.type(text, record: .init(text: "whole", scalars: start)) { _ in
                // After the batch, and not after the restored state.
                range.withLock { if $0 == 0...0 { $0 = (way.sent - 200 * keys)...(way.sent + 150) } }
            }
            #expect(outcome == .typed(text.count))
            way.end()
        }
        #expect(try window.pressed().count == keys)
        await (try Typist(display: display.name)).forgetUnfinished()
        var counts: Set<Int> = []
        for index in 0..<cuts {
            let way = try CutConnection(to: display)
            let typist = try Typist(display: way.name)
            let range = range.withLock { $0 }
            let bytes = range.lowerBound + range.count * index / cuts
            way.cut(after: bytes, isReadToEnd: index.isMultiple(of: 2))
            let outcome = try? await typist.type(text, record: .init(text: "text \(index)", scalars: start))
            way.end()
            let next = try Typist(display: display.name)
            let typed = try window.pressed().count
            if outcome == nil { counts.insert(typed) } else { #expect(typed == keys) }
            // Before the first note nothing is typed, and after the last one nothing is left to be known.
            let isUnknown = next.unfinished.isEmpty && (typed == 0 || typed == keys)
            let expected = TypingRecord(text: "text \(index)", scalars: start + typed)
            #expect(isUnknown || next.unfinished == [expected], "cut after \(bytes) bytes of \(range)")
            #expect(try display.pressedKeycodes() == [])
            await next.forgetUnfinished()
        }
        #expect(try display.keyboardMap() == map)
        #expect(try display.repeating(display.keyboards()).count == 3)
        #expect(counts.isSuperset(of: 0...keys), "it was cut in all places: \(counts)")
        let connection = try DisplayConnection(name: display.name)
        #expect(connection.property("_VOICEDICTATION_TYPISTS", of: connection.root) == nil)
    }

    @Test("the next one knows how many characters arrived, at whichever byte the stream was cut")
    func count() async throws {
        try await cut("aab LL.", times: 250)
    }

    @Test("the same while keys are bound, and the keyboard map is put back")
    func boundKeys() async throws {
        try await cut("世a世世ä", times: 40)
    }

    @Test("the same in the middle of characters that take several keys")
    func partsOfCharacters() async throws {
        try await cut("e\u{301}🇩🇪a", times: 60)
    }

    @Test("one that was killed while it forgot its notes leaves no entry under the next one's identifier")
    func leftEntry() throws {
        let display = try TestDisplay(withWindowManager: false)
        let connection = try DisplayConnection(name: display.name)
        let list = "_VOICEDICTATION_TYPISTS"
        let first = try TypingJournal(connection: connection, owner: "test")
        guard case .words(let left)? = connection.property(list, of: connection.root) else {
            Issue.record("it is not in the list")
            return
        }
        first.close()
        connection.setProperty(list, of: connection.root, words: left)
        connection.sync()
        let next = try TypingJournal(connection: connection, owner: "test")
        guard case .words(let now)? = connection.property(list, of: connection.root) else {
            Issue.record("the next one is not in the list")
            return
        }
        #expect(now.first == left.first, "the identifier is used again")
        #expect(now.count == 3 && now.last != left.last)
        next.close()
        #expect(connection.property(list, of: connection.root) == nil)
    }

    @Test("locks are put back, and what another owner has left is kept for it")
    func locks() async throws {
        let display = try TestDisplay()
        let sink = try Sink(.gtk, on: display, title: "target")
        try display.run("xdotool", "key", "Caps_Lock")
        let way = try CutConnection(to: display)
        let typist = try Typist(display: way.name, owner: "one")
        let text = String(repeating: "aB", count: 100)
        let batches = Mutex(0)
        let outcome = try? await typist.type(text, record: .init(text: "letter", scalars: 0)) { _ in
            let batch = batches.withLock { count in
                count += 1
                return count
            }
            if batch == 2 { way.cut(after: way.sent + 100, isReadToEnd: true) }
        }
        #expect(outcome == nil)
        way.end()
        let other = try Typist(display: display.name, owner: "two")
        #expect(other.unfinished.isEmpty)
        #expect(try display.lockedModifiers() == 2)
        let record = try #require(Typist(display: display.name, owner: "one").unfinished.first)
        #expect(record.text == "letter")
        let typed = String(text.prefix(record.scalars))
        #expect(try sink.waitFor(typed) == typed)
        // The requester may have died before it recorded that: it is reported until it is forgotten.
        let next = try Typist(display: display.name, owner: "one")
        #expect(next.unfinished == [record])
        #expect(try Typist(display: display.name, owner: "three").unfinished.isEmpty)
        await next.forgetUnfinished()
        #expect(try Typist(display: display.name, owner: "three").unfinished.isEmpty)
        try await confirmTyping(with: other, in: sink, after: typed)
    }

    private func confirmTyping(with typist: Typist, in sink: Sink, after text: String) async throws {
        #expect(try await typist.type("!") == .typed(1))
        #expect(try sink.waitFor(text + "!") == text + "!")
    }

    @Test("one that ends in good order leaves nothing in the server")
    func goodOrder() async throws {
        let display = try TestDisplay()
        let connection = try DisplayConnection(name: display.name)
        _ = try Sink(.gtk, on: display, title: "target")
        func children() -> UInt32 {
            var root: Window = 0
            var parent: Window = 0
            var list: UnsafeMutablePointer<Window>?
            var count: UInt32 = 0
            XQueryTree(connection.display, connection.root, &root, &parent, &list, &count)
            if let list { XFree(list) }
            return count
        }
        let before = children()
        do {
            let typist = try Typist(display: display.name)
            #expect(children() == before + 2)
            #expect(try await typist.type("é") == .typed(1))
        }
        #expect(children() == before)
        #expect(connection.property("_VOICEDICTATION_TYPISTS", of: connection.root) == nil)
    }
}
