/// The tables of docs/configuration.md, made from the definitions, so that they cannot drift from them.
public enum SettingsReference {
    /// Markdown: for each section its purpose and a table of its keys.
    public static var text: String {
        Settings.parts.map { part in
            var lines = [
                "### `\(part.isList ? "[[\(part.name)]]" : "[\(part.name)]")`", "", flowing(part.about), "",
            ]
            lines += ["| key | default | what it does |", "|---|---|---|"]
            lines += part.keys.map { key in
                let late = key.effect == .atRestart ? " Takes effect at the next start." : ""
                return "| `\(key.name)` | `\(cell(key.defaultTOML))` "
                    + "| \(cell(key.help)) Allowed: \(cell(key.expectation)).\(late) |"
            }
            return lines.joined(separator: "\n") + "\n"
        }.joined(separator: "\n")
    }

    private static func flowing(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    /// A bar would end the cell of a table, an asterisk may begin emphasis.
    private static func cell(_ text: String) -> String {
        flowing(text).replacing("|", with: "\\|").replacing("*", with: "\\*")
    }
}
