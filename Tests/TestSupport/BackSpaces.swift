extension String {
    /// The text of a window that has received this: a terminal reports each BackSpace as a character.
    public var applyingBackSpaces: String {
        guard unicodeScalars.contains(where: { $0 == "\u{7f}" || $0 == "\u{8}" }) else { return self }
        return reduce(into: "") { shown, character in
            if character == "\u{7f}" || character == "\u{8}" {
                if !shown.isEmpty { shown.removeLast() }
            } else {
                shown.append(character)
            }
        }
    }
}
