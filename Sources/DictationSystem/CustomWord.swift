/// A word of the user's own: a setting, and what the speech library learns.
public struct CustomWord: Sendable, Equatable {
    /// Its spelling.
    public var text: String
    /// Its sounds, separated by spaces, in the engine's own alphabet: for PocketSphinx that of the CMU dictionary,
    /// "K UW B ER N EH T IY Z".
    public var pronunciation: String

    public init(text: String, pronunciation: String) {
        self.text = text
        self.pronunciation = pronunciation
    }
}
