import TestSupport

@testable import StoreTorture

/// Texts as they are dictated: of words that keyboards have, and of those that they have not.
enum TortureText {
    private static let plain = [
        "the", "patient", "took", "Two", "tablets", "at", "noon,", "said", "Dr.", "Smith;", "fix", "#42:",
        "it",
        "is", "well!", "(really)", "Is", "it?", "100%", "a/b", "x_y", "no-one", "\"quoted\"", "it's",
        "e@mail",
    ]
    private static let beyondTheKeyboard = [
        "Grüße", "naïve", "café", "“curly”", "‘so’", "an — and", "½", "€20", "Łódź", "世界", "привет", "→", "🙂",
        "e\u{301}", "🇩🇪🇫🇷", "👩‍👧",
    ]

    /// Some 20 to 600 characters: from a fraction of a batch of keys to dozens of batches.
    static func random(_ random: inout SeededGenerator) -> String {
        let words = Int.random(in: 4...Int.random(in: 5...120, using: &random), using: &random)
        // Each character that no key has costs a change of the keyboard map: some texts have some.
        let isForeign = Int.random(in: 0..<4, using: &random) == 0
        var text = ""
        for _ in 0..<words {
            let list = isForeign && Int.random(in: 0..<6, using: &random) == 0 ? beyondTheKeyboard : plain
            text += list.randomElement(using: &random) ?? ""
            text += Int.random(in: 0..<25, using: &random) == 0 ? "\n" : " "
        }
        return text
    }
}
