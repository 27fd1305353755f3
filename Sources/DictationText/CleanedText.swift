/// A text and what was done to get there, so that a person can see why a word is missing.
public struct CleanedText: Sendable, Equatable {
    /// One change made by one rule.
    public struct Action: Sendable, Equatable, CustomStringConvertible {
        public let rule: CleaningRule
        /// The words as they stood before.
        public let before: String
        /// What took their place; empty where they went.
        public let after: String

        public init(rule: CleaningRule, before: String, after: String) {
            self.rule = rule
            self.before = before
            self.after = after
        }

        public var description: String { "\(rule.rawValue): ‘\(before)’ → ‘\(after)’" }
    }

    /// The cleaned text; empty where nothing was said but fillers.
    public let text: String
    /// What was done, rule by rule, in the order in which it was done.
    public let actions: [Action]
    /// What is to be done when the text is inserted.
    public let command: Command?
    /// The user's patterns that were not used, because the search for them would not have ended in reasonable time.
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

    /// Whether it is nothing but new lines.
    public var isLayout: Bool { !text.isEmpty && text.allSatisfy(\.isNewline) }

    /// The rules that changed something.
    public var rules: Set<CleaningRule> { Set(actions.map(\.rule)) }
}
