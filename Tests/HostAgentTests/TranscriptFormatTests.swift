import Foundation
import Testing

@testable import HostAgent

@Suite("How transcripts are written")
struct TranscriptFormatTests {
    private static let transcript = FileTranscript(
        file: "talk.wav", text: "One < two. --> Three", seconds: 4000, decodingSeconds: 400,
        segments: [
            .init(text: "One < two.", start: 0.25, end: 1.5, words: []),
            .init(
                text: "--> Three", start: 3661.0015, end: 3662,
                words: [
                    .init(text: "-->", start: 3661.1, end: 3661.2, confidence: 0.5),
                    .init(text: "Three", start: 3661.5, end: 3661.9, confidence: nil),
                ]),
        ])

    @Test(
        "each format has its times, marks and escapes",
        arguments: [
            (TranscriptFormat.text, "One < two. --> Three\n"),
            (
                .srt,
                """
                1
                00:00:00,250 --> 00:00:01,500
                One < two.

                2
                01:01:01,100 --> 01:01:01,900
                -> Three

                """
            ),
            (
                .vtt,
                """
                WEBVTT

                00:00:00.250 --> 00:00:01.500
                One &lt; two.

                01:01:01.100 --> 01:01:01.900
                --&gt; Three

                """
            ),
            (.tsv, "start\tend\ttext\n250\t1500\tOne < two.\n3661002\t3662000\t--> Three\n"),
        ])
    func formats(format: TranscriptFormat, expected: String) throws {
        #expect(try format.contents(of: Self.transcript) == expected)
    }

    @Test("JSON is one line with segments and words")
    func json() throws {
        struct Line: Decodable {
            struct Segment: Decodable { let text: String, start: Double, end: Double }
            struct Word: Decodable { let text: String, start: Double, confidence: Double? }
            let file: String, text: String, seconds: Double, realTimeFactor: Double
            let segments: [Segment], words: [Word]
        }
        let text = try TranscriptFormat.json.contents(of: Self.transcript)
        #expect(text.split(separator: "\n").count == 1)
        let line = try JSONDecoder().decode(Line.self, from: Data(text.utf8))
        #expect(line.file == "talk.wav" && line.realTimeFactor == 0.1)
        #expect(line.segments.map(\.text) == ["One < two.", "--> Three"])
        #expect(line.words.map(\.confidence) == [0.5, nil])
    }

    @Test("a long segment becomes cues of two lines and seven seconds, in order and without a word lost")
    func cues() {
        let sentence = "The quick brown fox jumps over the lazy dog and goes on to the next hill. "
        let text = String(repeating: sentence, count: 6).trimmingCharacters(in: .whitespaces)
        let segment = FileTranscript.Segment(text: text, start: 10, end: 40, words: [])
        let cues = SubtitleCue.cues(of: Self.transcript(segment))
        #expect(cues.count == 6)
        #expect(cues.flatMap(\.lines).joined(separator: " ") == text)
        #expect(cues.first?.start == 10 && abs((cues.last?.end ?? 0) - 40) < 0.001)
        for (cue, next) in zip(cues, cues.dropFirst()) {
            #expect(cue.lines.count <= 2 && cue.lines.allSatisfy { $0.count <= SubtitleCue.lineLength })
            #expect(cue.end - cue.start <= SubtitleCue.longest && cue.end <= next.start + 0.001)
        }
    }

    @Test("writing without spaces is divided too")
    func withoutSpaces() {
        let text = String(repeating: "語", count: 200)
        let cues = SubtitleCue.cues(of: Self.transcript(.init(text: text, start: 0, end: 20, words: [])))
        #expect(cues.flatMap(\.lines).joined() == text)
        #expect(cues.allSatisfy { $0.lines.allSatisfy { $0.count <= SubtitleCue.lineLength } })
    }

    private static func transcript(_ segment: FileTranscript.Segment) -> FileTranscript {
        FileTranscript(
            file: "", text: segment.text, seconds: segment.end, decodingSeconds: 1, segments: [segment])
    }

    @Test("the time left is that of the sound that is left, and is shown when it can be known")
    func progress() {
        var progress = TranscriptionProgress(seconds: [100, 300, nil])
        #expect(progress.text(elapsed: 0) == "0 % · 0 of 3 files")
        for file in 0..<3 { progress.update(file, to: 0) }
        progress.update(0, to: 1)
        #expect(progress.text(elapsed: 20) == "21 % · 1 of 3 files · 1:12 left")
        progress.update(1, to: 0.5)
        progress.update(1, to: 0.4)
        #expect(progress.fraction == 250.0 / 460)
        progress.update(1, to: 1)
        progress.update(2, to: 1)
        #expect(progress.text(elapsed: 100) == "100 % · 3 of 3 files")
        var one = TranscriptionProgress(seconds: [36_000])
        one.update(0, to: 0)
        one.update(0, to: 0.5)
        #expect(one.text(elapsed: 3_725) == "50 % · 1:02:05 left")
        // The part that an earlier run has done took no time of this one.
        var resumed = TranscriptionProgress(seconds: [1_000])
        resumed.update(0, to: 0.5)
        #expect(resumed.text(elapsed: 10) == "50 %")
        resumed.update(0, to: 0.75)
        #expect(resumed.text(elapsed: 60) == "75 % · 1:00 left")
    }

    @Test("two recordings whose transcripts would have the same name are found")
    func collision() {
        let files = ["/a/talk.wav", "/b/talk.flac", "/b/other.wav"]
        #expect(TranscriptDestination.folder("/out").collision(of: files, as: .srt)?.1 == "/b/talk.flac")
        #expect(TranscriptDestination.beside.collision(of: files, as: .srt) == nil)
        #expect(TranscriptDestination.standardOutput.collision(of: files, as: .text) == nil)
        #expect(
            TranscriptDestination.beside.transcript(of: "/a/my talk.wav", as: .text) == "/a/my talk.txt")
    }
}
