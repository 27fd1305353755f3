import Foundation
import GRDB

extension StateStore {
    /// The state of a typed dictation.
    package struct Delivered: Sendable {
        package let date: Date
        package let rawText: String
        package let cleanedText: String
        package let timings: Timings

        package init(date: Date, rawText: String, cleanedText: String, timings: Timings) {
            self.date = date
            self.rawText = rawText
            self.cleanedText = cleanedText
            self.timings = timings
        }
    }

    /// Writes typed dictations, all in one transaction: a long history, to measure its cost.
    package func add(_ delivered: [Delivered]) throws {
        try write { transaction in
            let revision = try transaction.revision(of: .finished)
            for item in delivered {
                var state = try DictationRow.insert(
                    DictationState(
                        id: DictationID(date: item.date), revision: revision, timestamp: item.date,
                        phase: .starting, target: nil, engine: "benchmark", locale: "en-US"),
                    transaction.db)
                state.phase = .ready(.inserted)
                state.rawText = item.rawText
                state.cleanedText = item.cleanedText
                state.insertedCount = item.cleanedText.count
                state.timings = item.timings
                try DictationRow.update(state, readyAt: item.date, transaction.db)
            }
        }
    }
}
