/// The kind of text that a dictation becomes, and so how a language model is to write it.
public enum TextStyle: String, Sendable, CaseIterable {
    /// Sentences, as anywhere.
    case plain
    case mail
    case chat
    /// A comment in a program.
    case code
    /// The rules' text as it is: no model is asked.
    case verbatim
}

/// How a language model is to write a text: one of the styles that are known, or one of the user's own.
public enum WritingStyle: Equatable, Sendable {
    case known(TextStyle)
    /// With what the user asks of the model, in words.
    case own(prompt: String)
}
