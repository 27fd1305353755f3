import DictationShared
import Testing

@testable import DictationSettings

@Suite("Limits that have just changed")
struct RecentLimitsTests {
    private static let (all, few, none) = (limits(.all), limits(.upTo(5)), limits(.upTo(0)))
    private let start = ContinuousClock.now

    private static func limits(_ count: RetentionLimit) -> KeepingLimits {
        KeepingLimits(count: count, days: .all, recordings: .never)
    }

    @Test("the earlier ones count for a minute")
    func minute() {
        var recent = RecentLimits(Self.all)
        #expect(recent.all(at: start) == [Self.all])
        recent.take(Self.few, at: start)
        recent.take(Self.none, at: start + .seconds(20))
        #expect(recent.all(at: start + .seconds(59)) == [Self.none, Self.few, Self.all])
        #expect(recent.all(at: start + .seconds(60)) == [Self.none, Self.few])
        #expect(recent.all(at: start + .seconds(80)) == [Self.none])
    }

    @Test("a file that is put right at once counts as never changed once the minute is over")
    func putRight() {
        var recent = RecentLimits(Self.all)
        recent.take(Self.none, at: start)
        recent.take(Self.all, at: start + .seconds(1))
        #expect(recent.all(at: start + .seconds(1)) == [Self.all, Self.none])
        #expect(recent.all(at: start + .seconds(61)) == [Self.all])
    }

    @Test("a change of other settings is none")
    func others() {
        var recent = RecentLimits(Self.all)
        recent.take(Self.all, at: start)
        #expect(recent.all(at: start) == [Self.all])
    }
}
