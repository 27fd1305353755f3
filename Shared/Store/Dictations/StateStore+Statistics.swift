import Foundation
import GRDB

/// The figures of a spoken dictation that has words.
public struct SpokenMeasure: Equatable, Sendable {
    /// When it began.
    public let date: Date
    public let words: Int
    /// Milliseconds of sound.
    public let recording: Int
    /// Milliseconds from the end of the recording to the last key, as far as these steps were taken.
    public let delay: Int
    /// Whether it was typed to its end.
    public let isTyped: Bool

    public init(date: Date, words: Int, recording: Int, delay: Int, isTyped: Bool) {
        self.date = date
        self.words = words
        self.recording = recording
        self.delay = delay
        self.isTyped = isTyped
    }
}

extension StateStore {
    /// Spoken dictations, the oldest first; read from an index, without the texts.
    public func measures(since date: Date? = nil) throws -> [SpokenMeasure] {
        try read { db in
            var rows = try DirectStatement(
                """
                SELECT timestamp, words, recording_ms,
                        ifnull(recognition_ms, 0) + ifnull(cleaning_ms, 0) + ifnull(typing_ms, 0), typing_ms IS NOT NULL
                    FROM dictation INDEXED BY dictation_statistics
                    WHERE words > 0 AND recording_ms IS NOT NULL AND timestamp >= ? ORDER BY timestamp
                """, db)
            try rows.bind(date.map(DictationRow.milliseconds) ?? .min)
            var measures: [SpokenMeasure] = []
            while try rows.step() {
                measures.append(
                    SpokenMeasure(
                        date: DictationRow.date(rows.integer(0)), words: Int(rows.integer(1)),
                        recording: Int(rows.integer(2)), delay: Int(rows.integer(3)),
                        isTyped: rows.integer(4) != 0))
            }
            return measures
        }
    }
}
