import DictationSystem
import Foundation

/// Until when nothing is offered, kept across restarts.
struct QuietTime: Sendable {
    let url: URL

    /// Whether `now` is within it. A file that cannot be read costs one notification.
    func contains(_ now: Date) -> Bool {
        let text = try? String(contentsOf: url, encoding: .utf8)
        guard
            let end = text.flatMap({
                try? Date($0.trimmingCharacters(in: .whitespacesAndNewlines), strategy: .iso8601)
            })
        else { return false }
        // A clock that was wrong once must not silence it for years.
        return now < end && end < now.addingTimeInterval(2 * (OfferFlow.month / .seconds(1)))
    }

    /// - Throws: ``SystemError``.
    func extend(to end: Date) throws {
        try replaceFile(at: url.path(percentEncoded: false), with: Array("\(end.formatted(.iso8601))\n".utf8))
    }
}
