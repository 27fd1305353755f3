/// The kind of text that a dictation becomes, which determines how a language model writes it.
public enum TextStyle: String, Sendable, CaseIterable {
    /// Sentences, as anywhere.
    case plain
    case mail
    case chat
    /// A comment in a program.
    case code
    /// The text of the rules, unchanged: no model is asked.
    case verbatim
}

/// How a language model should write a text: one of the styles that are known, or one of the user's own.
public enum WritingStyle: Equatable, Sendable {
    case known(TextStyle)
    /// With the user's own instruction to the model.
    case own(prompt: String)
}
