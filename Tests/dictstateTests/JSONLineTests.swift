import DictationProgram
import Foundation
import Testing

@Suite("A line of JSON")
struct JSONLineTests {
    @Test("has no control character, and says the same")
    func controls() throws {
        let texts = ["a\u{1B}]0;title\u{7}b\u{9B}31mc\u{7F}\u{80}\u{9F}", "two\nlines", "Grüße / 日本語 \u{A0}"]
        let line = try JSONLine.text(["z": texts, "a": []])
        #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
        #expect(line.hasPrefix(#"{"a":[],"z":"#) && line.contains("Grüße / 日本語"))
        let read = try JSONDecoder().decode([String: [String]].self, from: Data(line.utf8))
        #expect(read == ["z": texts, "a": []])
    }
}
