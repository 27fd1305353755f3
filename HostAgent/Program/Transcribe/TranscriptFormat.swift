import ArgumentParser
import DictationService
import Foundation

/// How a transcript is written.
enum TranscriptFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
    case text, json, srt, vtt, tsv

    var fileExtension: String { self == .text ? "txt" : rawValue }

    /// Whether the transcripts of several files can follow each other.
    var canFollow: Bool { self == .text || self == .json }

    /// The whole file, with a newline at its end.
    func contents(of transcript: FileTranscript) throws -> String {
        switch self {
        case .text: transcript.text + "\n"
        case .json: try Self.json(transcript) + "\n"
        case .srt: Self.srt(SubtitleCue.cues(of: transcript))
        case .vtt: Self.vtt(SubtitleCue.cues(of: transcript))
        case .tsv: Self.tsv(transcript.segments)
        }
    }

    private static func json(_ transcript: FileTranscript) throws -> String {
        struct Line: Encodable {
            struct Segment: Encodable { let text: String, start: Double, end: Double }
            let file: String, text: String, seconds: Double, decodingSeconds: Double, realTimeFactor: Double
            let segments: [Segment]
            let words: [FileTranscript.Word]
        }
        let line = Line(
            file: transcript.file, text: transcript.text, seconds: transcript.seconds,
            decodingSeconds: transcript.decodingSeconds,
            realTimeFactor: transcript.seconds > 0 ? transcript.decodingSeconds / transcript.seconds : 0,
            segments: transcript.segments.map { .init(text: $0.text, start: $0.start, end: $0.end) },
            words: transcript.segments.flatMap(\.words))
        return try JSONLine.text(line)
    }

    /// SubRip: numbered cues. It has no escapes; an arrow in a text would be read as a line of times.
    private static func srt(_ cues: [SubtitleCue]) -> String {
        cues.enumerated().map { index, cue in
            let lines = cue.lines.map { $0.replacing("-->", with: "->") }.joined(separator: "\n")
            return "\(index + 1)\n\(time(cue.start, ",")) --> \(time(cue.end, ","))\n\(lines)\n"
        }.joined(separator: "\n")
    }

    /// WebVTT (https://www.w3.org/TR/webvtt1).
    private static func vtt(_ cues: [SubtitleCue]) -> String {
        let blocks = cues.map { cue in
            let lines = cue.lines.map {
                $0.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            }
            return "\n\(time(cue.start, ".")) --> \(time(cue.end, "."))\n\(lines.joined(separator: "\n"))\n"
        }
        return "WEBVTT\n" + blocks.joined()
    }

    /// A line for each segment: start and end in milliseconds, and the text.
    private static func tsv(_ segments: [FileTranscript.Segment]) -> String {
        segments.reduce("start\tend\ttext\n") { lines, segment in
            let text = segment.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            return lines + "\(milliseconds(segment.start))\t\(milliseconds(segment.end))\t\(text)\n"
        }
    }

    private static func milliseconds(_ seconds: Double) -> Int { Int((max(0, seconds) * 1000).rounded()) }

    private static func time(_ seconds: Double, _ point: String) -> String {
        let all = milliseconds(seconds)
        func padded(_ number: Int, _ width: Int = 2) -> String {
            String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
        }
        return "\(padded(all / 3_600_000)):\(padded(all / 60_000 % 60)):\(padded(all / 1000 % 60))\(point)"
            + padded(all % 1000, 3)
    }
}
