import Foundation
import Glibc

/// A time as people write it: `2026-11-21`, `2026-11-21 17:03`, `17:03`, `today`, `yesterday`, `30 days`, `12h`.
enum Moment {
    static let forms = "2026-11-21, \"2026-11-21 17:03\", 17:03, today, yesterday, \"30 days\" or 12h (ago)"

    /// - Returns: nil if it is not a time.
    static func parse(_ text: String, now: Date) -> Date? {
        let text = text.trimmingCharacters(in: .whitespaces).lowercased()
        switch text {
        case "now": return now
        case "today": return midnight(now, days: 0)
        case "yesterday": return midnight(now, days: -1)
        default: break
        }
        return ago(text, now: now) ?? clock(text, now: now) ?? calendar(text)
    }

    /// "30 days", "30 days ago", "30d".
    private static func ago(_ text: String, now: Date) -> Date? {
        guard let match = text.wholeMatch(of: /(\d{1,9})\s*([a-z]+)(?:\s+ago)?/), let count = Double(match.1)
        else { return nil }
        let seconds: Double
        switch match.2 {
        case "m", "min", "minute", "minutes": seconds = 60
        case "h", "hour", "hours": seconds = 3_600
        case "d", "day", "days": seconds = 86_400
        case "w", "week", "weeks": seconds = 604_800
        default: return nil
        }
        return now.addingTimeInterval(-count * seconds)
    }

    /// "17:03", today.
    private static func clock(_ text: String, now: Date) -> Date? {
        guard let match = text.wholeMatch(of: /(\d{1,2}):(\d\d)/) else { return nil }
        var parts = local(now)
        parts.tm_hour = Int32(match.1) ?? -1
        parts.tm_min = Int32(match.2) ?? -1
        parts.tm_sec = 0
        return date(parts)
    }

    /// "2026-11-21", "2026-11-21 17:03", "2026-11-21T17:03:12Z".
    private static func calendar(_ text: String) -> Date? {
        let form = /(\d{4})-(\d\d)-(\d\d)(?:[ t](\d\d):(\d\d)(?::(\d\d))?(z)?)?/
        guard let match = text.wholeMatch(of: form) else { return nil }
        var parts = tm()
        parts.tm_year = (Int32(match.1) ?? 0) - 1900
        parts.tm_mon = (Int32(match.2) ?? 0) - 1
        parts.tm_mday = Int32(match.3) ?? 0
        parts.tm_hour = match.4.flatMap { Int32($0) } ?? 0
        parts.tm_min = match.5.flatMap { Int32($0) } ?? 0
        parts.tm_sec = match.6.flatMap { Int32($0) } ?? 0
        return date(parts, isUTC: match.7 != nil)
    }

    /// The beginning of a day in the user's time zone, `days` after that of `now`.
    static func midnight(_ now: Date, days: Int32) -> Date? {
        var parts = local(now)
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (0, 0, 0)
        parts.tm_mday += days
        // The day before the first of a month is mktime's result for day 0.
        parts.tm_isdst = -1
        return Date(timeIntervalSince1970: TimeInterval(mktime(&parts)))
    }

    private static func local(_ date: Date) -> tm {
        var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
        var parts = tm()
        localtime_r(&seconds, &parts)
        return parts
    }

    /// - Returns: nil for a day or an hour that there is not: the C library would take the 31st of February for a day
    ///   in March.
    private static func date(_ parts: tm, isUTC: Bool = false) -> Date? {
        var wanted = parts
        wanted.tm_isdst = isUTC ? 0 : -1
        var found = wanted
        let seconds = isUTC ? timegm(&found) : mktime(&found)
        let isSame =
            found.tm_year == wanted.tm_year && found.tm_mon == wanted.tm_mon
            && found.tm_mday == wanted.tm_mday
            && (0..<24).contains(wanted.tm_hour) && (0..<60).contains(wanted.tm_min)
            && (0..<60).contains(wanted.tm_sec)
        return isSame ? Date(timeIntervalSince1970: TimeInterval(seconds)) : nil
    }
}
