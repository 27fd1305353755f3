import Foundation

@testable import DictationShared

/// Dictations as the store would give them, for what is decided by them.
public enum States {
    /// - Parameter seconds: after a certain day, for those that are to be in an order.
    public static func state(
        _ phase: DictationState.Phase, text: String = "", partial: String = "", id: DictationID? = nil,
        at seconds: Double = 0, timings: Timings = Timings()
    ) -> DictationState {
        let date = Date(timeIntervalSince1970: 1_790_000_000 + seconds)
        var state = DictationState(
            id: id ?? DictationID(date: date), revision: 1, timestamp: date, phase: phase, target: nil,
            engine: "pocketsphinx", locale: "en-US")
        state.cleanedText = text
        state.partialText = partial
        state.timings = timings
        return state
    }
}
