import DictationText
import Testing

@Suite("A number that is corrected with what it counts")
struct CorrectedMeasureTests {
    static let english = [
        Row("take twenty five milligrams sorry fifty milligrams", "Take 50 mg."),
        Row("Take twenty five milligrams, no, fifty milligrams.", "Take 50 mg."),
        Row("take twenty five milligrams no wait thirty five milligrams", "Take 35 mg."),
        Row("give zero point five milligrams no zero point two five milligrams", "Give 0.25 mg."),
        Row("We paid four hundred dollars, sorry, five hundred dollars.", "We paid $500."),
        Row("one hundred twenty over eighty no one hundred thirty over eighty", "130 over 80."),
        Row("two hundred and fifty grams no three hundred and fifty grams", "350 g."),
        Row("four hundred and fifty sorry sixty", "460."),
    ]

    @Test("in English", arguments: english)
    func inEnglish(_ row: Row) { row.check(in: .english) }

    @Test(
        "in German",
        arguments: [
            Row("zweitausend fünfhundert euro nein dreitausend euro", "3000 €."),
            Row("zwei komma fünf kilo nein drei komma fünf kilo", "3,5 kg."),
        ])
    func inGerman(_ row: Row) { row.check(in: .german) }

    @Test(
        "in Spanish",
        arguments: [
            Row("toma treinta y cinco miligramos perdón cuarenta y cinco miligramos", "Toma 45 mg."),
            Row("Los precios subieron un 12 por ciento.", "Los precios subieron un 12 por ciento."),
        ])
    func inSpanish(_ row: Row) { row.check(in: .spanish) }

    /// No part of the first number is left before the second one.
    @Test(
        "the number is never made of two",
        arguments: ["sorry", "no", "no wait", "i mean", "make that", "actually", "correction", "or rather"])
    func oneOrBoth(cue: String) {
        let numbers = [
            ("twenty five", "25"), ("two hundred fifty", "250"), ("one point five", "1.5"), ("fifty", "50"),
            ("three thousand two hundred", "3200"),
        ]
        for (first, wrong) in numbers {
            for (second, right) in numbers where second != first {
                let text = TextCleaner().clean("we got \(first) liters \(cue) \(second) liters").text
                let found = text.matches(of: /\d+(\.\d+)?/).map { String($0.output.0) }
                #expect(found == [right] || found == [wrong, right], "\(first), \(second): \(text)")
            }
        }
    }
}
