import DictationText
import Testing

@Suite("“You know” with an object, names of marks before a verb, and commas around what was corrected")
struct MeantPhraseTests {
    private let cleaner = TextCleaner()

    static let leftAlone = [
        "Anna, you know the password, right?", "Tom, you know the rules, so explain them.",
        "First the hall, then the kitchen, you know the way.", "Sarah, you know your schedule best.",
        "If you get lost, you know my number.", "It's the old house, you know the one.",
        "Open bracket is missing on line 12.", "Open parenthesis does not match.",
    ]

    static let rows = [
        Row("anna you know the password right", "Anna you know the password right?"),
        Row("it was you know the best day", "It was the best day."),
        Row("we went to you know the store", "We went to the store."),
        Row("The lamp, you know, the old one, broke.", "The lamp, the old one, broke."),
        Row("open bracket is missing on line twelve", "Open bracket is missing on line twelve."),
        Row("open quote was never closed", "Open quote was never closed."),
        Row("open bracket is this right close bracket", "(Is this right)?"),
        Row("open quote is missing close quote", "“Is missing”."),
        Row("Patient denies, um, chest pain", "Patient denies chest pain."),
        Row("Tell Anna, I mean Anja, that I'm running late.", "Tell Anja that I'm running late."),
        Row("Remind Tom, I mean Tim, that we leave at six.", "Remind Tim that we leave at six."),
        Row("Tell Anna, I mean Anja, I'm late.", "Tell Anja, I'm late."),
        Row("The king, I mean the prince, that I met, left.", "The prince, that I met, left."),
    ]

    @Test("nothing is taken away", arguments: leftAlone)
    func untouched(_ text: String) { #expect(cleaner.clean(text).text == text) }

    @Test("what says nothing goes", arguments: rows)
    func cleaned(_ row: Row) { #expect(cleaner.clean(row.raw).text == row.clean) }
}
