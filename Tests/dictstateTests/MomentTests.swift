import Foundation
import Testing

@testable import dictstate

@Suite("Times as people write them")
struct MomentTests {
    /// Noon of the first of March, in the test's time zone.
    private static let now = Moment.parse("2026-03-01 12:00", now: Date()) ?? .distantPast

    private static func date(_ text: String) -> String? {
        Moment.parse(text, now: now).map(Description.time)
    }

    @Test(
        "are understood in the user's time zone",
        arguments: [
            ("2026-02-14", "2026-02-14 00:00:00"), ("2026-02-14 17:03", "2026-02-14 17:03:00"),
            ("2026-02-14T17:03:12", "2026-02-14 17:03:12"), ("9:05", "2026-03-01 09:05:00"),
            ("today", "2026-03-01 00:00:00"), ("Yesterday", "2026-02-28 00:00:00"),
            ("now", "2026-03-01 12:00:00"), ("2 hours ago", "2026-03-01 10:00:00"),
            ("30min", "2026-03-01 11:30:00"), ("1 week", "2026-02-22 12:00:00"),
            ("10d", "2026-02-19 12:00:00"),
        ])
    func understood(text: String, time: String) { #expect(Self.date(text) == time) }

    @Test("with a Z are those of Greenwich")
    func universal() {
        #expect(Moment.parse("1970-01-02T00:00:10Z", now: Self.now)?.timeIntervalSince1970 == 86_410)
    }

    @Test("a time that a list shows can be read back")
    func roundTrip() {
        let date = Date(timeIntervalSince1970: 1_700_000_000)
        #expect(Moment.parse(Description.time(date), now: Self.now) == date)
    }

    @Test(
        "that are none are refused",
        arguments: [
            "", "soon", "2026-02-31", "2026-13-01", "2026-02-14 25:00", "24:00", "12:60", "-3 days",
            "3 moons",
            "99999999999 days", "2026-2-1",
        ])
    func refused(text: String) { #expect(Self.date(text) == nil) }
}
