import CX11
import Desktop
import DictationSystem
import Foundation
import TestSupport
import Testing

@testable import DesktopX11

/// Applications that hang (stopped, swapping, busy) while they are typed into.
///
/// It does not matter how long they hang, only that it is longer than the typist waits. So it waits a short
/// time here.
@Suite("A window that hangs", .serialized, .timeLimit(.minutes(4)))
struct StoppedWindowTests {
    static let mixed = "plain text with one é in it, and more after that"
    static let greek = "αβγδεζηθικλμνξοπρστυφχψω"
    static let plain = "nothing but plain letters"
    static let kinds: [Sink.Kind] = [.xterm, .gtk, .qt]

    /// How long the typist waits here.
    private static let limit: Duration = .seconds(1)

    private static func typist(_ display: TestDisplay) throws -> Typist {
        try Typist(display: display.name, answerLimit: limit)
    }

    private func signal(_ sink: Sink, _ signal: Int32) { sink.application.signal(signal) }

    /// Waits until a window has read its unread keys, or is gone.
    private func nextReading(_ typist: Typist) async throws -> [TypingRecord] {
        var readings = typist.readings.makeAsyncIterator()
        await readings.next()
        try await typist.getReady()
        return await typist.takeLateReadings()
    }

    private func isListed(_ display: TestDisplay) throws -> Bool {
        let connection = try DisplayConnection(name: display.name)
        return connection.property("_VOICEDICTATION_TYPISTS", of: connection.root) != nil
    }

    @Test(
        "counts nothing as typed before it was read, and gets all of it when it continues",
        arguments: kinds, [mixed, greek, plain])
    func goesOn(kind: Sink.Kind, text: String) async throws {
        let display = try TestDisplay()
        let sink = try Sink(kind, on: display, title: "target")
        let before = try display.keyboardMap()
        do {
            let typist = try Self.typist(display)
            let window = try #require(try await typist.focusedWindow())
            signal(sink, SIGSTOP)
            let record = TypingRecord(text: "a text", scalars: 0)
            let outcome = try await typist.type(text, into: window, record: record) { #expect($0.read == 0) }
            #expect(outcome == .stopped(0, reason: .notResponding))
            // The keys stay bound all the time, and the typist sends none after them.
            try await typist.getReady()
            #expect(try await typist.type("more", into: window) == .stopped(0, reason: .notResponding))
            signal(sink, SIGCONT)
            let late = try await nextReading(typist)
            #expect(late == [TypingRecord(text: "a text", scalars: text.unicodeScalars.count)])
            #expect(try sink.waitFor(text) == text)
            #expect(try display.keyboardMap() == before)
            await typist.forgetUnfinished()
            let again = " and é again"
            #expect(try await typist.type(again, into: window) == .typed(again.count))
            let all = kind == .xterm ? again : text + again
            #expect(try sink.waitFor(all) == all)
        }
        #expect(try display.keyboardMap() == before)
        #expect(try !isListed(display))
    }

    @Test("gets no more of a long text than a slow window reads in time", arguments: kinds)
    func longText(kind: Sink.Kind) async throws {
        let display = try TestDisplay()
        let sink = try Sink(kind, on: display, title: "target")
        let typist = try Self.typist(display)
        let text = (0..<400).map { "word\($0)" }.joined(separator: " ")
        signal(sink, SIGSTOP)
        let record = TypingRecord(text: "a text", scalars: 0)
        #expect(try await typist.type(text, record: record) == .stopped(0, reason: .notResponding))
        signal(sink, SIGCONT)
        let late = try await nextReading(typist)
        let count = try #require(late.first?.scalars)
        let most = TypingLimits.mostUnread + TypingPlan.batchLimit
        #expect(late.count == 1 && (1...most).contains(count) && most < text.count)
        let arrived = String(text.prefix(count))
        #expect(try sink.waitFor(arrived) == arrived)
    }

    @Test("is left to the next typist, if the first one ends before", arguments: kinds)
    func successor(kind: Sink.Kind) async throws {
        let display = try TestDisplay()
        let sink = try Sink(kind, on: display, title: "target")
        let before = try display.keyboardMap()
        let record = TypingRecord(text: "a text", scalars: 0)
        do {
            let typist = try Self.typist(display)
            signal(sink, SIGSTOP)
            let outcome = try await typist.type(Self.mixed, record: record)
            #expect(outcome == .stopped(0, reason: .notResponding))
        }
        do {
            let typist = try Self.typist(display)
            #expect(typist.unfinished == [] && typist.unread == ["a text"])
        }
        let typist = try Self.typist(display)
        #expect(typist.unfinished == [] && typist.unread == ["a text"])
        signal(sink, SIGCONT)
        #expect(try await nextReading(typist) == [.init(text: "a text", scalars: Self.mixed.count)])
        #expect(try sink.waitFor(Self.mixed) == Self.mixed)
        #expect(try display.keyboardMap() == before)
    }

    @Test("is left to the next typist, if the first one is killed in the middle", arguments: kinds)
    func killed(kind: Sink.Kind) async throws {
        let display = try TestDisplay()
        let sink = try Sink(kind, on: display, title: "target")
        let before = try display.keyboardMap()
        let text = Self.mixed + ". " + Self.greek
        let way = try CutConnection(to: display)
        let first = try Typist(display: way.name, answerLimit: Self.limit)
        signal(sink, SIGSTOP)
        // A key needs some 150 bytes, with its note.
        way.cut(after: way.sent + 7_000, isReadToEnd: true)
        _ = try? await first.type(text, record: .init(text: "a text", scalars: 0))
        way.end()
        let typist = try Self.typist(display)
        #expect(typist.unfinished == [] && typist.unread == ["a text"])
        signal(sink, SIGCONT)
        let late = try await nextReading(typist)
        let count = try #require(late.first?.scalars)
        let arrived = String(text.prefix(count))
        #expect(late.count == 1 && (1...text.count).contains(count))
        #expect(try sink.waitFor(arrived) == arrived)
        #expect(try display.keyboardMap() == before)
    }

    @Test("does not keep other windows from being typed into, as long as there are free keys")
    func others() async throws {
        let display = try TestDisplay()
        let still = try Sink(.gtk, on: display, title: "still")
        let other = try Sink(.xterm, on: display, title: "other")
        let typist = try Self.typist(display)
        let before = try display.keyboardMap()
        try display.activate("still")
        signal(still, SIGSTOP)
        #expect(try await typist.type(Self.mixed) == .stopped(0, reason: .notResponding))
        try display.activate("other")
        #expect(try await typist.type("é Ελλάδα") == .typed(8))
        #expect(try other.waitFor("é Ελλάδα") == "é Ελλάδα")
        signal(still, SIGCONT)
        _ = try await nextReading(typist)
        #expect(try still.waitFor(Self.mixed) == Self.mixed)
        #expect(try display.keyboardMap() == before)

        // Now all of them are used.
        try display.activate("still")
        signal(still, SIGSTOP)
        #expect(try await typist.type(Self.greek) == .stopped(0, reason: .notResponding))
        try display.activate("other")
        #expect(try await typist.type("one é") == .stopped(0, reason: .noKeys))
        #expect(try await typist.type("plain") == .typed(5))
        #expect(try other.waitFor("plain") == "plain")
        signal(still, SIGCONT)
        _ = try await nextReading(typist)
        #expect(try still.waitFor(Self.mixed + Self.greek) == Self.mixed + Self.greek)
        #expect(try await typist.type("one é") == .typed(5))
        #expect(try other.waitFor("one é") == "one é")
        #expect(try display.keyboardMap() == before)
    }

    @Test("is forgotten when it is closed")
    func closed() async throws {
        let display = try TestDisplay()
        let sink = try Sink(.gtk, on: display, title: "target")
        let typist = try Self.typist(display)
        let before = try display.keyboardMap()
        signal(sink, SIGSTOP)
        let outcome = try await typist.type(Self.mixed, record: .init(text: "a text", scalars: 0))
        #expect(outcome == .stopped(0, reason: .notResponding))
        signal(sink, SIGKILL)
        #expect(try await nextReading(typist) == [])
        #expect(try display.keyboardMap() == before)
    }

    @Test("a text that is typed again elsewhere is not counted by what the first window reads")
    func claimedAgain() async throws {
        let display = try TestDisplay()
        let still = try Sink(.gtk, on: display, title: "still")
        let other = try Sink(.xterm, on: display, title: "other")
        let typist = try Self.typist(display)
        let record = TypingRecord(text: "a text", scalars: 0)
        try display.activate("still")
        signal(still, SIGSTOP)
        #expect(try await typist.type(Self.mixed, record: record) == .stopped(0, reason: .notResponding))
        try display.activate("other")
        #expect(try await typist.type(Self.mixed, record: record) == .typed(Self.mixed.count))
        #expect(try other.waitFor(Self.mixed) == Self.mixed)
        signal(still, SIGCONT)
        #expect(try await nextReading(typist) == [])
        #expect(try still.waitFor(Self.mixed) == Self.mixed)
    }

    @Test("a text that is asked for again while its window hangs comes once", arguments: kinds)
    func askedForMeanwhile(kind: Sink.Kind) async throws {
        let display = try TestDisplay()
        let sink = try Sink(kind, on: display, title: "target")
        let typist = try Self.typist(display)
        let window = try #require(try await typist.focusedWindow())
        signal(sink, SIGSTOP)
        let first = TypingRecord(text: "claim-1 text", scalars: 0)
        #expect(
            try await typist.type(Self.mixed, into: window, record: first)
                == .stopped(0, reason: .notResponding))
        signal(sink, SIGCONT)
        // The window reads now, and the store has not counted it yet.
        let second = TypingRecord(text: "claim-2 text", scalars: 0)
        #expect(
            try await typist.type(Self.mixed, into: window, record: second)
                == .stopped(0, reason: .notResponding))
        let late = await typist.takeLateReadings()
        #expect(late == [TypingRecord(text: "claim-1 text", scalars: Self.mixed.count)])
        await typist.forgetUnfinished()
        // Another text comes after it, and the typed text comes once.
        #expect(try await typist.type(".", into: window) == .typed(1))
        let all = Self.mixed + "."
        #expect(try sink.waitFor(all) == all)
    }

    @Test("nor is it pasted there before the keys that were read are counted", arguments: kinds)
    func pastedMeanwhile(kind: Sink.Kind) async throws {
        let display = try TestDisplay()
        let sink = try Sink(kind, on: display, title: "target")
        let typist = try Self.typist(display)
        let window = try #require(try await typist.focusedWindow())
        signal(sink, SIGSTOP)
        #expect(
            try await typist.type(
                Self.mixed, into: window, record: TypingRecord(text: "claim-1 text", scalars: 0))
                == .stopped(0, reason: .notResponding))
        signal(sink, SIGCONT)
        let outcome = try await typist.paste(
            Self.mixed, into: window, keys: .shiftInsert, isTerminal: false,
            record: TypingRecord(text: "claim-2 text", scalars: 0), adding: Self.mixed.unicodeScalars.count)
        #expect(outcome == .stopped(.notResponding))
        #expect(
            await typist.takeLateReadings()
                == [TypingRecord(text: "claim-1 text", scalars: Self.mixed.count)])
        #expect(try await typist.type(".", into: window) == .typed(1))
        let all = Self.mixed + "."
        #expect(try sink.waitFor(all) == all)
    }
}
