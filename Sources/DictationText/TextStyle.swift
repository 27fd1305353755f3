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
