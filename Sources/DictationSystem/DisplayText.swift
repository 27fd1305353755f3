extension String {
    /// The text as a terminal may get it: control characters (C0 without newline and tab, DEL, C1) are written as `\x1B`,
    /// so that none of them changes colors, titles or the clipboard, or rings the bell.
    ///
    /// All text from outside goes through this before it is shown: texts, window titles, paths, server
    /// answers.
    public var displaySafe: String {
        guard unicodeScalars.contains(where: \.isTerminalControl) else { return self }
        var safe = ""
        for scalar in unicodeScalars {
            if scalar.isTerminalControl {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                safe += "\\x" + String(repeating: "0", count: max(0, 2 - digits.count)) + digits
            } else {
                safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }

    /// ``displaySafe`` in one line, for a name or a cell of a table: newlines and tabs are spaces.
    public var displaySafeLine: String {
        displaySafe.replacing("\n", with: " ").replacing("\t", with: " ")
    }

    /// The text without control characters, newline and tab apart; a carriage return becomes a newline. Text
    /// that comes in is cleaned by this once.
    public var withoutControls: String {
        guard unicodeScalars.contains(where: \.isTerminalControl) else { return self }
        var clean = String.UnicodeScalarView()
        var isAfterReturn = false
        for scalar in unicodeScalars {
            if scalar == "\r" {
                clean.append("\n")
            } else if !scalar.isTerminalControl, !(isAfterReturn && scalar == "\n") {
                clean.append(scalar)
            }
            isAfterReturn = scalar == "\r"
        }
        return String(clean)
    }

    /// The control characters that ``withoutControls`` drops.
    public var droppedControls: [Unicode.Scalar] {
        unicodeScalars.filter { $0.isTerminalControl && $0 != "\r" }
    }
}

extension Unicode.Scalar {
    fileprivate var isTerminalControl: Bool {
        (value < 0x20 && value != 0x0A && value != 0x09) || (0x7F...0x9F).contains(value)
    }
}
