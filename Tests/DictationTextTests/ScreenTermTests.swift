import TestSupport
import Testing

@testable import DictationText

@Suite("Names on the screen")
struct ScreenTermTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let title: String
        var selection = ""
        let terms: [String]
        var language = "en"
        var testDescription: String { "\(title) | \(selection.prefix(40))" }

        init(_ title: String, selected selection: String = "", _ terms: [String], language: String = "en") {
            (self.title, self.selection, self.terms, self.language) = (title, selection, terms, language)
        }
    }

    @Test(
        "are words that are no ordinary ones, of the title first",
        arguments: [
            Row("Re: Offer for Zabrowski – Mail", ["Zabrowski"]),
            Row("Meeting Notes - Quarterly Report", []),
            Row(
                "Re: Offer", selected: "Please ask Ms. O’Farrell and Jørgen Müller-Lüdenscheidt's team.",
                ["O'Farrell", "Jørgen", "Müller", "Lüdenscheidt"]),
            Row("Zabrowski", selected: "zabrowski ZABROWSKI Zabrowski's QUILLERBY", ["Zabrowski"]),
            // Small letters alone say nothing: it may be a slip, or another language.
            Row("teh kubectl guide", []),
            // Capitals inside do.
            Row("GitHub – iPhone and LaTeX, by McDonald", ["GitHub", "iPhone", "LaTeX", "McDonald"]),
            // Identifiers and names of files: their parts; the suffix is not a term.
            Row("parse_kubectl.py — ~/src/Grokster/LikelyTerms.swift", ["kubectl", "LikelyTerms"]),
            Row("Zabrowski.docx — LibreOffice Writer", ["Zabrowski", "LibreOffice"]),
            // Addresses of mail, and of the web.
            Row(
                "",
                selected:
                    "anna.zabrowski@example.org, JO.QUILLERBY@EXAMPLE.ORG, info@example.org; noreply@shop.example.org",
                ["Anna", "Zabrowski", "Quillerby"]),
            Row("", selected: "a@b user@host https://zabrowski.example.org/Grokster www.Grokster.org", []),
            // Words that are not spoken as they are written.
            Row("x86 a3F9cDe b64Zx9 INV-2026-0815 Q3", []),
            Row("", selected: String(repeating: "Aa", count: 30), []),
            Row("Al Jo Li", []),
            // Names that the language knows: it may be told how they are spelled.
            Row("Sara, Jonathan, Monday, London", ["Sara", "Jonathan", "London"]),
            Row("…", []), Row("—  ', \u{0}\u{202e}", []),
            Row("会议 会议记录 Совещание с Забровским", ["Совещание", "Забровским"]),
            // If ordinary words are unknown, a capital is no sign of a name.
            Row(
                "Besprechung mit Zabrowski – GitHub", selected: "anna.zabrowski@example.org",
                ["GitHub", "Anna", "Zabrowski"],
                language: "de"),
        ])
    func rows(row: Row) {
        let language = Language.matching(row.language)
        let found = ScreenTerms.found(inTitle: row.title, selection: row.selection, language: language)
        #expect(found == row.terms)
    }

    @Test("are at most a hundred, and of a long text only those of its beginning are found")
    func bounds() {
        let letters = Array("bcdfghjklmnprstvwz")
        let names = (0..<300).map { "Zo\(letters[$0 % 18])u\(letters[$0 / 18])o" }
        #expect(Set(names).count == 300)
        let found = ScreenTerms.found(inTitle: "Zabrowski", selection: names.joined(separator: " "))
        #expect(found.count == ScreenTerms.most && found.first == "Zabrowski")
        let filler = String(repeating: "word ", count: ScreenTerms.longestSelection / 5)
        #expect(ScreenTerms.found(inTitle: "", selection: filler + "Zabrowski").isEmpty)
        #expect(
            ScreenTerms.found(inTitle: "", selection: filler.dropLast(20) + " Zabrowski") == ["Zabrowski"])
        // A word that is cut by the limit does not count.
        #expect(ScreenTerms.found(inTitle: "", selection: filler.dropLast(5) + "Zabrowski").isEmpty)
        // 10 MB take no longer than the part that is read.
        func time(letters count: Int) -> Double {
            let text = String(repeating: "Ä", count: count)
            let began = ProcessorTime.thread
            #expect(ScreenTerms.found(inTitle: text, selection: text).isEmpty)
            return ProcessorTime.thread - began
        }
        // The first run includes one-time work.
        _ = time(letters: ScreenTerms.longestSelection)
        let (short, long) = (time(letters: ScreenTerms.longestSelection), time(letters: 5_000_000))
        #expect(long <= max(short, 0.01) * 5, "\(short) s, and \(long) s for 500 times as much")
    }
}
