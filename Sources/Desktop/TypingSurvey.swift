/// The effort of typing a text into a window.
public struct TypingSurvey: Equatable, Sendable {
    public var characterCount: Int
    /// How often the keyboard map must be changed: 0 if the layout has all characters.
    public var mapChanges: Int
    /// Characters that no key can enter here, control characters apart: they would be left out.
    public var untypable: Int
    /// Whether the application reports when it has read its keys. Otherwise each change of the keyboard map
    /// takes half a second.
    public var tellsReading: Bool
    /// Whether keys go through an input method that composes, reorders or swallows them.
    public var hasInputMethod: Bool
    /// Whether a paste is possible there at all.
    public var canPaste: Bool
    /// Whether Enter, Tab and Escape are keys there, and not characters of a text.
    public var pressesKeys: Bool
    /// Set if the typist cannot get the text into the focused part of the window, and an input method can:
    /// what that must confirm there.
    public var onlyCommits: CommitConfirmation?

    public init(
        characterCount: Int, mapChanges: Int = 0, untypable: Int = 0, tellsReading: Bool = true,
        hasInputMethod: Bool = false, canPaste: Bool = true, pressesKeys: Bool = false,
        onlyCommits: CommitConfirmation? = nil
    ) {
        self.characterCount = characterCount
        self.mapChanges = mapChanges
        self.untypable = untypable
        self.tellsReading = tellsReading
        self.hasInputMethod = hasInputMethod
        self.canPaste = canPaste
        self.pressesKeys = pressesKeys
        self.onlyCommits = onlyCommits
    }
}
