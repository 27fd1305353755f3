import DictationShared
import Foundation

/// Dictations as the store would return them, for tests of decisions.
public enum States {
    /// - Parameter seconds: after a certain day, for those that are to be in an order.
    public static func state(
        _ phase: DictationState.Phase, text: String = "", partial: String = "", id: DictationID? = nil,
        at seconds: Double = 0, timings: Timings = Timings()
    ) -> DictationState {
        let date = Date(timeIntervalSince1970: 1_790_000_000 + seconds)
        return DictationState(
            id: id ?? DictationID(date: date), timestamp: date, phase: phase, cleanedText: text,
            partialText: partial, timings: timings)
    }
}
