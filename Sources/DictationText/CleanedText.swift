/// A cleaned text and all changes, which show why a word is missing.
public struct CleanedText: Sendable, Equatable {
    /// One change made by one rule.
    public struct Action: Sendable, Equatable, CustomStringConvertible {
        public let rule: CleaningRule
        /// The words before the change.
        public let before: String
        /// The words after it; empty if they were removed.
        public let after: String

        public init(rule: CleaningRule, before: String, after: String) {
            self.rule = rule
            self.before = before
            self.after = after
        }

        public var description: String { "\(rule.rawValue): ‘\(before)’ → ‘\(after)’" }
    }

    /// The cleaned text; empty if only fillers were said.
    public let text: String
    /// All changes, in order.
    public let actions: [Action]
    /// A command to carry out when the text is inserted.
    public let command: Command?
    /// The user's patterns that were not used because the search would have taken too long.
    public let abandonedPatterns: [String]

    public enum Command: Sendable, Equatable {
        case pressEnter
    }

    public init(
        text: String, actions: [Action], command: Command? = nil, abandonedPatterns: [String] = []
    ) {
        self.text = text
        self.command = command
        self.actions = actions
        self.abandonedPatterns = abandonedPatterns
    }

    /// Whether "scratch that" took all of it back.
    public var isScratched: Bool { text.isEmpty && rules.contains(.scratching) }

    /// Whether the user's own words left nothing of it.
    public var isEmptied: Bool { text.isEmpty && !isScratched && rules.contains(.dictionary) }

    /// Whether it is nothing but new lines.
    public var isLayout: Bool { !text.isEmpty && text.allSatisfy(\.isNewline) }

    /// The rules that changed something.
    public var rules: Set<CleaningRule> { Set(actions.map(\.rule)) }
}
