import CleanupSets
import DictationText
import Foundation

/// The clean-up's results on a set of spoken numbers, dates and the like.
struct FormScores: Encodable {
    let set: String
    let texts: Int
    /// Word for word as in the set.
    let exact: Double
    /// The same, but a text that differs only by one of the ``FormConventions`` counts too.
    let agreed: Double
    /// Written texts that stay as they are.
    let safe: Double

    /// The rules that write in another way; capitals, marks and fillers are another matter.
    static let rules: Set<CleaningRule> = [
        .addresses, .abbreviations, .money, .measures, .dates, .versions, .digitRows, .times, .codes,
        .fractions,
        .decimals, .ordinals, .cardinals,
    ]

    init(_ set: CleanupSet, cleaner: TextCleaner, failures: (CleanupSet.Pair, String) -> Void) {
        var (exact, agreed, safe) = (0, 0, 0)
        for pair in set.pairs {
            let text = cleaner.clean(pair.spoken).text
            let wanted = Self.spaced(pair.written)
            if text == wanted { exact += 1 }
            if text == wanted || FormConventions.applied(to: wanted) == FormConventions.plain(text) {
                agreed += 1
            } else {
                failures(pair, text)
            }
            if cleaner.clean(pair.written).text == wanted { safe += 1 }
        }
        self.set = set.name
        texts = set.pairs.count
        self.exact = DisfluencyScores.percent(exact, texts)
        self.agreed = DisfluencyScores.percent(agreed, texts)
        self.safe = DisfluencyScores.percent(safe, texts)
    }

    /// White space and marks as every rule sees them.
    private static func spaced(_ text: String) -> String {
        TextCleaner(options: .verbatim).clean(text).text
    }
}

/// Spellings of the reference that are wrong in a dictated text, and what we write instead. Each applies to a
/// kind of text and not to single ones, so that it applies to unseen sets as well.
enum FormConventions {
    struct Convention: Sendable {
        let name: String
        let reason: String
        let apply: @Sendable (String) -> String
    }

    static let all: [Convention] = [
        Convention(name: "hour", reason: "people write 2:30, not 02:30") {
            $0.replacing(/\b0(\d:\d\d)/) { String($0.output.1) }
        },
        Convention(
            name: "half of the day", reason: "5 PM, not 05:00 p.m.: shorter, and it cannot end a sentence"
        ) {
            $0.replacing(/(?i)(:00)? ([ap])\.m\./) { " " + $0.output.2.uppercased() + "M" }
        },
        Convention(name: "time zone", reason: "an abbreviation has capitals") {
            $0.replacing(/\b(gmt|utc|est|pst)\b/) { $0.output.1.uppercased() }
        },
        Convention(name: "percent", reason: "English puts no space before the sign") {
            $0.replacing(" %", with: "%")
        },
        Convention(
            name: "unit", reason: "mW is a thousandth of a watt, MW a million; Hz, V, B, S have capitals"
        ) {
            $0.replacing(/(?i)(\d) (mw|[gmk]wh|[kmg]hz|mv|[kmgtp]b|ms|[kmg]bps)$/) {
                "\($0.output.1) \($0.output.2.lowercased())"
            }
        },
        Convention(name: "hours", reason: "a sentence says three hours, not 3 h") {
            $0.replacing(/^(\d+) h$/) { "\($0.output.1) hours" }
        },
        Convention(name: "era", reason: "750 BC, with a space") {
            $0.replacing(/(\d)(BC|AD)\b/) { "\($0.output.1) \($0.output.2)" }
        },
        Convention(name: "mark", reason: "a mark follows its word without a space") {
            $0.replacing(/\ ([!?.,])$/) { String($0.output.1) }
        },
    ]

    /// The reference's text with our conventions.
    static func applied(to written: String) -> String {
        all.reduce(written) { $1.apply($0) }
    }

    /// Our own text if only the case of a unit would differ, and small hours as words.
    static func plain(_ text: String) -> String {
        let unit = all.first { $0.name == "unit" }
        let small = [
            "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        ]
        var text = unit.map { $0.apply(text) } ?? text
        for (index, word) in small.enumerated() where text == "\(word) hours" { text = "\(index + 1) hours" }
        return text
    }
}
