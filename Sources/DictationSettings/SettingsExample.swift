/// A complete example settings file, generated from the definitions.
public enum SettingsExample {
    /// Each setting with its purpose, its values and its default, commented out: unmodified, the file changes
    /// nothing.
    public static var text: String { text(for: Settings.self) }

    static func text<Root: SettingsRoot>(for root: Root.Type) -> String {
        var lines = [
            "# The settings of VoiceDictation. Remove the # before a line to change what it sets. The agents",
            "# read a changed file at once. If it has an error, they keep the last good settings.",
        ]
        for part in Root.parts {
            lines.append("")
            lines += comment(part.about)
            // The head of a section that is a list would add an element.
            lines.append(part.isList ? "# [[\(part.name)]]" : "[\(part.name)]")
            for key in part.keys {
                lines.append("")
                lines += comment(key.help)
                lines += comment(
                    "Allowed: \(key.expectation).\(key.effect == .atRestart ? " Takes effect at the next start." : "")"
                )
                lines.append("# \(key.name) = \(key.defaultTOML)")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Breaks a text into comment lines of at most 100 columns.
    private static func comment(_ text: String) -> [String] {
        var lines: [String] = []
        var line = "#"
        for word in text.split(whereSeparator: \.isWhitespace) {
            if line.count + 1 + word.count > 100, line != "#" {
                lines.append(line)
                line = "#"
            }
            line += " " + word
        }
        return lines + [line]
    }
}
