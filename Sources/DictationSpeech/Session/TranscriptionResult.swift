import Foundation

/// Seconds of the recording in which a word was spoken.
public enum AudioTimeRangeAttribute: AttributedStringKey {
    public typealias Value = Range<TimeInterval>
    public static let name = "VoiceDictation.audioTimeRange"
}

/// How sure the recognizer is of a word, 0…1.
public enum TranscriptionConfidenceAttribute: AttributedStringKey {
    public typealias Value = Double
    public static let name = "VoiceDictation.transcriptionConfidence"
}

extension AttributeScopes {
    /// The attributes of a transcript's words.
    public struct SpeechAttributes: AttributeScope {
        public let audioTimeRange: AudioTimeRangeAttribute
        public let transcriptionConfidence: TranscriptionConfidenceAttribute
    }

    public var speech: SpeechAttributes.Type { SpeechAttributes.self }
}

extension AttributeDynamicLookup {
    public subscript<Key: AttributedStringKey>(
        dynamicMember keyPath: KeyPath<AttributeScopes.SpeechAttributes, Key>
    ) -> Key { self[Key.self] }
}

/// A piece of a live transcript.
///
/// A final result is appended to those before it. A volatile one replaces the last volatile one, and goes when
/// the next final one comes.
public struct TranscriptionResult: Sendable, Equatable {
    /// The words; final ones carry `audioTimeRange` and `transcriptionConfidence` if the engine knows them.
    public var text: AttributedString
    public var isFinal: Bool
    /// Seconds from the beginning of the recording.
    public var range: Range<TimeInterval>
    /// Other readings, the likeliest first; empty unless ``SpeechSession/setAlternativeCount(_:)`` asks for some.
    public var alternatives: [AttributedString]
    /// The engine that recognized in place of the session's own, such as a local one for a server that did not answer; nil if
    /// none had to.
    public var fallbackEngine: String?

    public init(
        text: AttributedString, isFinal: Bool, range: Range<TimeInterval>,
        alternatives: [AttributedString] = []
    ) {
        self.text = text
        self.isFinal = isFinal
        self.range = range
        self.alternatives = alternatives
    }

    /// The words without attributes.
    public var plainText: String { String(text.characters) }

    init(final recognition: Recognition) {
        self.init(
            text: Self.attributed(recognition), isFinal: true, range: recognition.range,
            alternatives: recognition.alternatives.map { AttributedString($0) })
        fallbackEngine = recognition.fallbackEngine
    }

    /// The text as the engine wrote it, with the known attributes of its words.
    private static func attributed(_ recognition: Recognition) -> AttributedString {
        var text = AttributedString(recognition.text)
        var rest = text.startIndex..<text.endIndex
        for word in recognition.words {
            guard let range = text[rest].range(of: word.text) else { continue }
            text[range][AudioTimeRangeAttribute.self] = word.range
            text[range][TranscriptionConfidenceAttribute.self] = word.confidence
            rest = range.upperBound..<rest.upperBound
        }
        return text
    }
}

/// A whole recording as text.
public struct Transcript: Sendable, Equatable {
    /// The final results in order.
    public var results: [TranscriptionResult] = []
    /// Seconds of sound.
    public var duration: TimeInterval = 0

    public init(results: [TranscriptionResult] = [], duration: TimeInterval = 0) {
        self.results = results
        self.duration = duration
    }

    /// The engines that recognized it, in the order in which they did.
    ///
    /// - Parameter engine: the session's own.
    public func engines(of engine: String) -> [String] {
        let all = results.filter(\.isFinal).map { $0.fallbackEngine ?? engine }
        return all.enumerated().filter { !all[..<$0.offset].contains($0.element) }.map(\.element)
    }

    /// All final words, with one space between the segments.
    public var text: AttributedString {
        results.filter { $0.isFinal && !$0.text.characters.isEmpty }.reduce(into: AttributedString()) {
            text, result in
            if !text.characters.isEmpty { text += AttributedString(" ") }
            text += result.text
        }
    }

    /// The words without attributes.
    public var plainText: String { String(text.characters) }
}

/// The place where an interrupted recognition of a recording continues: in the middle of the pause before its
/// last result. The sound after a result is known only when the next one is there, so the last one is
/// recognized again.
///
/// ```
/// results so far   |--- one ---|   |--- two ---|  |- three -|
/// kept             |--- one ---|   |--- two ---|
/// goes on                                       ^
/// ```
struct TranscriptResumption: Equatable {
    let kept: [TranscriptionResult]
    /// Seconds from the beginning of the recording.
    let start: TimeInterval

    init(after results: [TranscriptionResult]) {
        guard let last = results.last, let before = results.dropLast().last else {
            (kept, start) = ([], 0)
            return
        }
        kept = results.dropLast()
        // Results of sound that is heard with the silence around it overlap in a short pause.
        start = max(0, (before.range.upperBound + last.range.lowerBound) / 2)
    }
}

/// A final result with its words, to be kept in a file. Alternatives are left out.
extension TranscriptionResult: Codable {
    private struct Word: Codable {
        let text: String
        let start: TimeInterval
        let end: TimeInterval
        let confidence: Double
    }

    private enum CodingKeys: String, CodingKey {
        case text, words, start, end
        case fallbackEngine = "engine"
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let (start, end) = (
            try values.decode(Double.self, forKey: .start), try values.decode(Double.self, forKey: .end)
        )
        let words = try values.decodeIfPresent([Word].self, forKey: .words) ?? []
        guard start <= end, words.allSatisfy({ $0.start <= $0.end }) else {
            throw DecodingError.dataCorruptedError(
                forKey: .end, in: values, debugDescription: "it ends before it begins")
        }
        self.init(
            final: Recognition(
                text: try values.decode(String.self, forKey: .text),
                words: words.map {
                    .init(text: $0.text, range: $0.start..<$0.end, confidence: $0.confidence)
                },
                range: start..<end))
        fallbackEngine = try values.decodeIfPresent(String.self, forKey: .fallbackEngine)
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(plainText, forKey: .text)
        try values.encode(range.lowerBound, forKey: .start)
        try values.encode(range.upperBound, forKey: .end)
        try values.encodeIfPresent(fallbackEngine, forKey: .fallbackEngine)
        let words = text.runs.compactMap { run in
            run.audioTimeRange.map {
                Word(
                    text: String(text[run.range].characters), start: $0.lowerBound, end: $0.upperBound,
                    confidence: run.transcriptionConfidence ?? 1)
            }
        }
        if !words.isEmpty { try values.encode(words, forKey: .words) }
    }
}
