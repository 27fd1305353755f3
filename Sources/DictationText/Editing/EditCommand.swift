/// A command that edits the last insertion.
public enum EditCommand: Equatable, Sendable {
    /// "Scratch that": removes the last insertion.
    case scratch
    /// "Undo that": undoes the last edit, or the last insertion if it was not edited.
    case undo
    /// "Delete last word", "delete the last two sentences".
    case delete(EditUnit, count: Int)
    /// "Replace Monday with Tuesday". If the word between the two is said more than once, each reading is a
    /// separate replacement.
    case replace([Replacement])
    /// "All caps that".
    case setCase(EditCase)
    /// "Select that".
    case select
    /// "New line", "new paragraph": a text of newlines.
    case insert(String)
    /// "Press tab".
    case press(EditKey)
    /// "Stop listening".
    case stopListening

    public struct Replacement: Equatable, Sendable {
        /// The spoken words.
        public let old: String
        public let new: String

        public init(_ old: String, with new: String) { (self.old, self.new) = (old, new) }
    }

    /// Whether it contains words of the user's own: then it may be an ordinary sentence as well.
    public var hasFreeWords: Bool { if case .replace = self { true } else { false } }
}

/// The unit of text that "delete last …" removes.
public enum EditUnit: String, Equatable, Sendable, CaseIterable {
    case word, sentence, line
}

/// How "… that" writes the last insertion.
public enum EditCase: Equatable, Sendable, CaseIterable {
    /// The first letter of each word is a capital.
    case capitalized
    case upper
    case lower
}

/// The keys that "press …" presses.
public enum EditKey: String, Equatable, Sendable, CaseIterable {
    case enter, tab, escape

    /// The control character that names it in a text to type.
    public var character: Character {
        switch self {
        case .enter: "\n"
        case .tab: "\t"
        case .escape: "\u{1b}"
        }
    }
}
