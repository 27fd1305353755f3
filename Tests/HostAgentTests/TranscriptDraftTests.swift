import DictationSpeech
import DictationSystem
import Foundation
import TestSupport
import Testing

@testable import HostAgent

@Suite("The draft of a transcript")
struct TranscriptDraftTests {
    private static func result(_ text: String, _ range: Range<Double>) -> TranscriptionResult {
        var text = AttributedString(text)
        text[AudioTimeRangeAttribute.self] = range
        text[TranscriptionConfidenceAttribute.self] = 0.5
        var result = TranscriptionResult(text: text, isFinal: true, range: range)
        result.fallbackEngine = "pocketsphinx"
        return result
    }

    private static let results = [
        result("One", 0..<1.5), result("zwei “\\\n", 2..<3.25), result("drei", 4..<5),
    ]

    private let folder: TemporaryFolder
    private let recording: FileStamp
    private var transcript: String { folder.file("talk.txt") }
    private var path: String { TranscriptDraft.path(beside: transcript) }

    init() throws {
        folder = try TemporaryFolder("draft")
        recording = try #require(FileStamp(of: try folder.write("sound", to: "talk.wav")))
    }

    private func open(_ recording: FileStamp? = nil, _ fingerprint: String = "a") -> TranscriptDraft? {
        TranscriptDraft(beside: transcript, of: recording ?? self.recording, by: fingerprint)
    }

    /// A run that ends in the middle.
    private func breakOff(after results: [TranscriptionResult] = Self.results) throws {
        let draft = try #require(open())
        for (index, result) in results.enumerated() { draft.add(result, after: Double(index + 1)) }
    }

    @Test("has what was recognized when the run is gone, and the next one adds to it")
    func goesOn() throws {
        try breakOff()
        do {
            let draft = try #require(open())
            #expect(draft.earlier == Self.results)
            #expect(draft.earlierSeconds == 2 && draft.place == "0:00:03")
            // The last one is made again.
            draft.add(Self.result("three", 4..<5), after: 0.5)
        }
        let draft = try #require(open())
        #expect(draft.earlier.map(\.plainText) == ["One", "zwei “\\\n", "three"])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        draft.remove()
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("one without a result leaves no file; one with a result stays")
    func empty() throws {
        let draft = try #require(open())
        draft.removeIfEmpty()
        #expect(!FileManager.default.fileExists(atPath: path))
        try breakOff()
        let later = try #require(open())
        later.removeIfEmpty()
        #expect(later.earlier == Self.results && FileManager.default.fileExists(atPath: path))
    }

    @Test("another recording, or another recognizer, starts again")
    func changed() throws {
        try breakOff()
        let longer = try #require(FileStamp(of: try folder.write("sounds", to: "talk.wav")))
        #expect(open(longer)?.earlier == [])
        #expect(open(longer)?.place == nil)
        try breakOff()
        #expect(open(nil, "b")?.earlier == [])
        // A draft with a single result has nothing to continue from.
        try breakOff(after: [Self.results[0]])
        #expect(open()?.earlierSeconds == 0)
        #expect(open()?.earlier == [])
    }

    @Test(
        "a draft that a power failure or another program has damaged does no harm",
        arguments: ["{\"result\":{\"text\":\"dr", "\0\0\0\0\n", "\n\n", "{\"seconds\":1}\n", "\u{ff}\n"])
    func torn(end: String) throws {
        try breakOff(after: Array(Self.results.prefix(2)))
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data(end.utf8))
        try file.close()
        #expect(open()?.earlier == Array(Self.results.prefix(2)))
        try Data(end.utf8).write(to: URL(filePath: path))
        #expect(open()?.earlier == [])
    }

    @Test("one run has it at a time; the other goes without. A draft of a finished transcript is removed")
    func locked() throws {
        let first = try #require(open())
        #expect(open() == nil)
        TranscriptDraft.removeLeft(beside: transcript)
        #expect(FileManager.default.fileExists(atPath: path))
        first.add(Self.results[0], after: 1)
        withExtendedLifetime(first) {}
        let other = folder.file("other.txt")
        _ = TranscriptDraft(beside: other, of: recording, by: "a")
        TranscriptDraft.removeLeft(beside: other)
        #expect(!FileManager.default.fileExists(atPath: TranscriptDraft.path(beside: other)))
        // A link at that path is not followed.
        let target = try folder.write("precious", to: "precious")
        try FileManager.default.createSymbolicLink(
            atPath: TranscriptDraft.path(beside: other), withDestinationPath: target)
        #expect(TranscriptDraft(beside: other, of: recording, by: "a") == nil)
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "precious")
        #expect(TranscriptDraft(beside: "/nonexistent/talk.txt", of: recording, by: "a") == nil)
    }
}
