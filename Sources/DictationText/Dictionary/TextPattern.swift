import Foundation

extension TextDictionary {
    /// A regular expression (ICU), and what it becomes; `$1` is its first group.
    public struct Pattern: Sendable, Equatable {
        public let pattern: String
        public let template: String
        private let expression: NSRegularExpression

        /// - Returns: nil where `pattern` is no regular expression.
        public init?(_ pattern: String, template: String) {
            guard let expression = try? NSRegularExpression(pattern: pattern) else { return nil }
            self.pattern = pattern
            self.template = template
            self.expression = expression
        }

        public static func == (first: Pattern, second: Pattern) -> Bool {
            first.pattern == second.pattern && first.template == second.template
        }

        /// How often the search may report that it goes on, beside once for each place of the text: it does so after each
        /// 10,000 steps or so (ICU's `uregex_setMatchCallback`), a fifth of a millisecond. Counted rather than timed,
        /// so that a text is written the same on every machine.
        private static let patience = 256

        /// The text with each match replaced.
        ///
        /// - Returns: nil where the search was given up: of an expression like `(\w+\s*)+:` the steps double with each
        ///   word that does not fit, and nobody is to wait for that.
        func replacingMatches(in text: String) -> String? {
            let whole = NSString(string: text)
            var reportsLeft = whole.length + Self.patience
            var replaced = ""
            var end = 0
            expression.enumerateMatches(
                in: text, options: .reportProgress, range: NSRange(location: 0, length: whole.length)
            ) { match, _, stop in
                guard let match else {
                    reportsLeft -= 1
                    if reportsLeft < 0 { stop.pointee = true }
                    return
                }
                replaced += whole.substring(with: NSRange(location: end, length: match.range.location - end))
                replaced += expression.replacementString(
                    for: match, in: text, offset: 0, template: template)
                end = match.range.location + match.range.length
            }
            return reportsLeft < 0 ? nil : replaced + whole.substring(from: end)
        }
    }
}
