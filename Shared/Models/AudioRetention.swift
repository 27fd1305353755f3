import Foundation

/// How long the sound of a dictation is kept after its text was typed. Undelivered sound is kept in any case.
public enum AudioRetention: Equatable, Sendable {
    /// Removed as soon as the text is delivered.
    case never
    /// For this many days after it was spoken; at least 1.
    case days(Int)
    /// Of this many newest dictations; at least 1.
    case count(Int)

    /// The delivered recordings to remove now.
    public func superfluous(among delivered: some Collection<DictationID>, at now: Date) -> [DictationID] {
        switch self {
        case .never:
            return Array(delivered)
        case .days(let days):
            let oldest = now.addingTimeInterval(-Double(max(0, days)) * 86_400)
            // A clock that was set back makes a recording come from the future: it is kept.
            return delivered.filter { $0.date < oldest }
        case .count(let count):
            return Array(delivered.sorted(by: >).dropFirst(max(0, count)))
        }
    }
}
