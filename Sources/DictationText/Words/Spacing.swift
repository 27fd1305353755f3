/// White space and invisible characters.
enum Spacing {
    /// The lines of a text, without what must not reach an app, and whether anything was dropped.
    static func lines(of raw: String) -> (lines: [String], droppedAny: Bool) {
        // Nearly every text is one line of plain letters, with nothing to drop.
        if raw.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return ([raw], false) }
        var kept = String.UnicodeScalarView()
        var droppedAny = false
        var previous: Unicode.Scalar = " "
        for scalar in raw.unicodeScalars {
            switch scalar {
            case "\n" where previous == "\r": break
            case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": kept.append("\n")
            case "\t", "\u{0B}", "\u{0C}": kept.append(" ")
            default:
                if isHidden(scalar) {
                    droppedAny = true
                } else {
                    // One kind of space is left, so that words can be told apart by a byte.
                    kept.append(!scalar.isASCII && scalar.properties.isWhitespace ? " " : scalar)
                }
            }
            previous = scalar
        }
        let lines = String(kept).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return (lines, droppedAny)
    }

    /// Lines put together again: none empty at either end, and never two empty ones in a row.
    static func joined(_ lines: [String]) -> String {
        var text = ""
        var isGap = false
        for line in lines {
            if line.isEmpty {
                isGap = !text.isEmpty
            } else {
                if !text.isEmpty { text += isGap ? "\n\n" : "\n" }
                text += line
                isGap = false
            }
        }
        return text
    }

    /// Control characters would be commands to an app, and marks that turn the direction of writing show another
    /// text than the one that is there. Joiners stay: emoji and several scripts are written with them.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: true
        case 0x200B, 0x2060, 0xFEFF, 0xFFF9...0xFFFB: true
        case 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
