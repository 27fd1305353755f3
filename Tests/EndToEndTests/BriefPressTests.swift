import DictationShared
import Foundation
import TestSupport
import Testing

/// Presses that are a little too long for a tap: what they type depends on when somebody begins to speak.
@Suite("Brief presses", .serialized, .timeLimit(.minutes(10)))
struct BriefPressTests {
    /// Where the voice begins in `short.wav`, in samples.
    private static let onset = 6_400
    /// A longer press is an ordinary hold (`BriefPress.limit`).
    private static let limit: Duration = .milliseconds(400)
    private static let attempts = 30

    /// The sound in the microphone, from the moment at which it is opened.
    enum Sound: CaseIterable {
        /// "Has never been surpassed", begun after the press.
        case wordsAfterThePress
        /// The same; it had begun before.
        case talkNearby
        case nothing

        func samples() throws -> [Int16] {
            let file = try Data(contentsOf: URL(filePath: Desk.recording("short.wav")))
            let words = Array(
                file.dropFirst(44).withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
                    .dropFirst(BriefPressTests.onset))
            return switch self {
            case .wordsAfterThePress: Array(repeating: 0, count: 120 * 16) + words
            case .talkNearby: words
            case .nothing: Array(repeating: 0, count: words.count)
            }
        }
    }

    @Test("type what was begun while the key was down, and nothing else", arguments: Sound.allCases)
    func briefPress(sound: Sound) async throws {
        let desk = try await Desk.set(.plays(sound.samples()))
        // Speech that has begun is recorded to its end, however early the key is released.
        _ = try desk.folder.write("[audio]\ntail = 2000\n", to: "settings.toml")
        let window = try await TextWindow.start(.gtkText, on: desk.display, title: "Letter")
        let host = try await desk.startHost()
        let inserter = try await desk.startInserter()
        let (state, isFirst) = try await pressBriefly(desk)
        if sound == .wordsAfterThePress {
            #expect(state.delivery == .inserted)
            #expect(!state.cleanedText.isEmpty)
            try await window.waitForText { $0.hasSuffix(state.cleanedText) }
        } else {
            #expect(state.status == .cancelled)
            let line =
                "dictation \(state.id): a brief press, in which nobody began to speak; nothing is typed"
            try await host.waitForLine(containing: line)
            try tapKey("a", on: desk.display)
            try await window.waitForText { isFirst ? $0 == "a" : $0.hasSuffix("a") }
        }
        await desk.end(host, inserter)
    }

    /// Presses F9 for some 350 ms; again if a machine that stalled may have turned it into an ordinary hold.
    ///
    /// - Returns: the result of a press that certainly took less than 400 ms, and whether it was the first one.
    private func pressBriefly(_ desk: Desk) async throws -> (DictationState, isFirst: Bool) {
        var last: DictationID?
        for _ in 0..<Self.attempts {
            let length = try holdKey("F9", on: desk.display, milliseconds: 330)
            let state = try await desk.waitForDictation { state in
                state.isSettled && last.map { $0 < state.id } ?? true
            }
            if length < Self.limit { return (state, isFirst: last == nil) }
            last = state.id
        }
        throw AlwaysTooLong()
    }

    private struct AlwaysTooLong: Error {}
}
