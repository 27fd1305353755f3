import DictationSettings
import Testing

@Suite("Patterns for windows")
struct WindowPatternTests {
    struct Row: Sendable {
        let pattern: String
        let title: String
        let matches: Bool
    }

    private static let rows: [Row] = [
        Row(pattern: "", title: "Letter", matches: true),
        Row(pattern: "letter", title: "Letter", matches: true),
        Row(pattern: "letter", title: "Letters", matches: false),
        Row(pattern: "*vim*", title: "notes.txt - VIM", matches: true),
        Row(pattern: "*a*b*c", title: "xaxbxbxc", matches: true),
        Row(pattern: "*a*b*c", title: "xaxbxb", matches: false),
        Row(pattern: "*", title: "", matches: true),
        Row(pattern: "?", title: "", matches: false),
        Row(pattern: "l?tter", title: "letter", matches: true),
        // One character has several bytes.
        Row(pattern: "br?cke", title: "Brücke", matches: true),
        // Titles have brackets and backslashes, which mean nothing else here.
        Row(pattern: "[No Name]*", title: "[No Name] - VIM", matches: true),
        Row(pattern: "[No Name]", title: "N", matches: false),
        Row(pattern: "c:\\temp\\*", title: "C:\\temp\\notes.txt", matches: true),
        Row(pattern: "*/.config/*", title: "~/.config/sway/config", matches: true),
    ]

    @Test("“*” is any text, “?” one character, and all else is itself", arguments: rows)
    func matches(_ row: Row) {
        var profile = ProfileSettings()
        profile.name = "this"
        profile.title = row.pattern
        profile.windowClass = "*"
        let found = ProfileSettings.first(in: [profile], windowClass: "Editor", title: row.title)
        #expect((found != nil) == row.matches)
    }
}
