/// The possibilities of a display's keyboard, read before anything is typed.
public struct KeyboardSurvey: Equatable, Sendable {
    /// How many characters the active layout has keys for.
    public let characters: Int
    /// How many keys give nothing, so that other characters can be bound to them for a moment.
    public let spareKeys: Int

    init(characters: Int, spareKeys: Int) { (self.characters, self.spareKeys) = (characters, spareKeys) }

    /// - Parameters:
    ///   - display: such as ":0"; nil takes `DISPLAY`.
    ///   - isXWayland: as for ``Typist``.
    /// - Throws: ``DesktopError``
    public init(display: String? = nil, isXWayland: Bool = false) throws {
        let keyboard = try TypingKeyboard(
            connection: DisplayConnection(name: display), isXWayland: isXWayland)
        keyboard.takeOver()
        try keyboard.refresh()
        characters = keyboard.map.strokes.count
        spareKeys = keyboard.map.spareKeycodes.count
    }
}
