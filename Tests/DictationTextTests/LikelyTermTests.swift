import CleanupSets
import Foundation
import TestSupport
import Testing

@testable import DictationText

@Suite("Terms that are likely now")
struct LikelyTermTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let terms: [String]
        let heard: String
        let text: String
        var testDescription: String { heard }

        init(_ terms: [String], _ heard: String, _ text: String) {
            (self.terms, self.heard, self.text) = (terms, heard, text)
        }
    }

    private func cleaner(_ terms: [String], _ language: Language = .english) -> TextCleaner {
        TextCleaner(options: .init(likelyTerms: terms), language: language)
    }

    @Test(
        "replace similar sounds that are not words themselves",
        arguments: [
            Row(["Zabrowski"], "ask zabrofsky about it", "Ask Zabrowski about it."),
            Row(["Zabrowski"], "Ask Sabrowski's team, please.", "Ask Zabrowski's team, please."),
            Row(["Zabrowski"], "zabrowski called", "Zabrowski called."),
            Row(["Müller", "Lüdenscheidt"], "from Muller to Ludenscheid", "From Müller to Lüdenscheidt."),
            Row(
                ["Lindqvist", "Zabrowski"], "tell Lindkovist (not Zabrofski) now",
                "Tell Lindqvist (not Zabrowski) now."),
            Row(["Takahashi"], "with Taka Fashi tomorrow", "With Takahashi tomorrow."),
            Row(["Kubernetes"], "the cooper netties cluster", "The Kubernetes cluster."),
            Row(["PyTorch"], "with pietorch", "With PyTorch."),
            Row(["Sara", "Erik"], "sarah met Eric and Philip", "Sara met Erik and Philip."),
            // The nearest one, and the first of two that are the same.
            Row(["Zabrowska", "Zabrowski"], "ask zabrofski", "Ask Zabrowski."),
            // Ordinary words stay, one or several.
            Row(
                ["Marc", "Zabrowsky", "Brandywell"], "mark my words, the browser is as brandy well was",
                "Mark my words, the browser is as brandy well was."),
            Row(
                ["WhatsApp", "Anthropic"], "hey what's up and tropic fish", "Hey, what's up and tropic fish?"),
            // And so do names that sound otherwise, or are names of their own.
            Row(["Zabrowski"], "at Zabriskie Point", "At Zabriskie Point."),
            Row(
                ["Marie", "Jun", "Mundy"], "Maria comes in June, on Monday", "Maria comes in June, on Monday."
            ),
            Row(["Schmitz"], "Schulz knows it", "Schulz knows it."),
            // Ordinary words in capitals on the screen, and words that are too short.
            Row(["LaTeX", "URL", "Abo"], "latex gloves and an ebo", "Latex gloves and an ebo."),
            // Other forms of a name are right as they are.
            Row(
                ["Mongol", "Islamist", "Germanic", "Zabrowski"],
                "mongols islamism germanica and the zabrowskis",
                "Mongols islamism germanica and the zabrowskis."),
            Row(
                ["Arabia", "Americans", "Christianity"], "arab christians of the americas",
                "Arab christians of the americas."),
            Row(["Dimitriadis"], "ask dimitriadism", "Ask Dimitriadis."),
            Row(
                ["Islamic", "Takahashi"], "he said islam is to taka is she",
                "He said islam is to taka is she."),
            // Abbreviations are spelled, and names that only begin alike are others.
            Row(["NASAL", "Kearney"], "nazal jerne", "Nazal jerne."),
            // No word is made of the end of a sentence and the beginning of the next one.
            Row(["Takahashi"], "Taka. Fashi came.", "Taka. Fashi came."),
            Row(["Zabrowski"], "room 5 zabrofski7", "Room 5 zabrofski7."),
        ])
    func rows(row: Row) {
        let cleaner = cleaner(row.terms)
        let cleaned = cleaner.clean(row.heard)
        #expect(cleaned.text == row.text)
        #expect(cleaner.clean(cleaned.text).text == row.text)
    }

    @Test("the dictionary comes first, and its rule can be turned off")
    func dictionary() {
        var options = TextCleaner.Options(
            dictionary: TextDictionary(names: ["Zabrofsky"], untouchable: ["sabrowski"]),
            likelyTerms: ["Zabrowski"])
        #expect(
            TextCleaner(options: options).clean("zabrofsky sabrowski zabrowsky").text
                == "Zabrofsky sabrowski Zabrowski.")
        options.rules.remove(.dictionary)
        #expect(TextCleaner(options: options).clean("ask zabrowsky").text == "Ask zabrowsky.")
    }

    @Test("a language whose ordinary words are not known keeps its words")
    func otherLanguages() {
        let german = cleaner(["Zabrowski"], .german)
        #expect(german.clean("frag Zabrofski").text == "Frag Zabrofski.")
    }

    @Test("words of a text that is still spoken wait for those that may belong to them")
    func settled() {
        let cleaner = cleaner(["Takahashi"])
        #expect(cleaner.settledPrefix(of: "we met Taka") == "We")
        let said = "we met Taka Fashi and all the others of them".split(separator: " ")
        let whole = cleaner.clean(said.joined(separator: " ")).text
        let settled = (1...said.count).map { count in
            cleaner.settledPrefix(of: said.prefix(count).joined(separator: " "))
        }
        #expect(settled.allSatisfy(whole.hasPrefix), "\(settled)")
        #expect(settled.last?.hasPrefix("We met Takahashi and") == true)
    }

    @Test("ordinary words are known, with their endings; names are none")
    func ordinary() {
        for word in ["browser", "dog's", "they've", "well-known", "colour", "color", "o'clock", "a", "42"] {
            #expect(Language.english.isOrdinary(word), "\(word)")
        }
        for word in ["zabrowski", "o'farrell", "kubectl", "sarah", "zabrowski's"] {
            #expect(!Language.english.isOrdinary(word), "\(word)")
        }
        // The first and the last of the list.
        #expect(OrdinaryWords(of: "en")?.contains("aardvark") == true)
        #expect(OrdinaryWords(of: "en")?.contains("zygotes") == true)
        #expect(OrdinaryWords(of: "en")?.contains("") == false)
        #expect(OrdinaryWords(of: "xx") == nil)
    }

    @Test("fluent texts keep their words next to a hundred names")
    func fluent() throws {
        let sets = try CleanupSet.find(
            in: URL(filePath: repositoryFile("Tests/Cleanup"), directoryHint: .isDirectory))
        var generator = SeededGenerator(seed: 23)
        let source = FluentTexts()
        let texts =
            FluentTextTests.orders + (0..<1_000).map { _ in source.text(using: &generator) }
            + sets.flatMap { $0.pairs.map(\.written) }
        let (plain, biased) = (cleaner([]), cleaner(Self.names))
        let changed = texts.filter { plain.clean($0).text != biased.clean($0).text }
        #expect(changed == [])
    }

    /// As screens have them.
    private static let names = """
        Zabrowski Kowalczyk Grokster Kubernetes Anthropic Schwarzkopf Zorbax Takahashi Venkataraman Okonkwo Lindqvist \
        Vasquenetti Terraform Brandywell Nakamura Halvorsen Quillerby Postgres Ansible Grafana Haverbrook Dimitriadis \
        GitHub GitLab LibreOffice Thunderbird Mozilla Firefox Chromium Slack Zoom Figma Notion Jira Trello Asana Dropbox \
        WhatsApp Skype Spotify Netflix Debian Ubuntu Fedora GNOME Wayland PipeWire Rustacean Xcode PyTorch NumPy Pandas \
        Marc Jon Katharina Zoë Aoife Siobhan Nguyen Rodriguez Fernandez Gutierrez Hernandez Oliveira \
        Schmidt Schmitz Schneider Maier Meyer Müller Becker Wagner Hoffmann Neumann Richter Krueger Lehmann Werner \
        Dubois Laurent Moreau Lefebvre Rossi Ferrari Esposito Bianchi Ricci Novak Svoboda Horvat Kovac Popescu Ionescu \
        Petrov Ivanov Sokolov Kuznetsov Papadopoulos
        """.split(separator: " ").map(String.init)
}
