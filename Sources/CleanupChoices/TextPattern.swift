import Foundation

extension TextDictionary {
    /// A regular expression (ICU), and what it becomes; `$1` is its first group.
    public struct Pattern: Sendable, Equatable {
        public let pattern: String
        public let template: String
        package let expression: NSRegularExpression

        /// - Returns: nil if `pattern` is not a regular expression.
        public init?(_ pattern: String, template: String) {
            guard let expression = try? NSRegularExpression(pattern: pattern) else { return nil }
            self.pattern = pattern
            self.template = template
            self.expression = expression
        }

        public static func == (first: Pattern, second: Pattern) -> Bool {
            first.pattern == second.pattern && first.template == second.template
        }
    }
}
