import DictationText
import Testing

/// If two numbers are read as one, a dose is wrong.
@Suite("Doses and how often they are taken")
struct DoseNumberTests {
    private static let englishRows: [Row] = [
        // The noun shows that the last digit counts.
        Row(
            "ibuprofen six hundred one tablet three times a day",
            "Ibuprofen 600 one tablet three times a day."),
        Row("lisinopril twenty one tablet daily", "Lisinopril 20 one tablet daily."),
        Row(
            "start ibuprofen four hundred one capsule every eight hours",
            "Start ibuprofen 400 one capsule every eight hours."),
        Row(
            "paracetamol one thousand one tablet four times a day",
            "Paracetamol 1000 one tablet four times a day."),
        Row("warfarin two point five one tablet daily", "Warfarin 2.5 one tablet daily."),
        Row("take one hundred twenty one tablet daily", "Take 120 one tablet daily."),
        // It may count, or belong to the number.
        Row(
            "metformin five hundred two tablets twice a day",
            "Metformin five hundred two tablets twice a day."),
        Row(
            "amoxicillin five hundred three times a day", "Amoxicillin five hundred three times a day."),
        Row(
            "gabapentin three hundred two capsules at bedtime",
            "Gabapentin three hundred two capsules at bedtime."),
        Row("atorvastatin forty one at bedtime", "Atorvastatin forty one at bedtime."),
        Row("prednisone twenty two tablets daily", "Prednisone twenty two tablets daily."),
        Row("ibuprofen six hundred one two times a day", "Ibuprofen six hundred one two times a day."),
        Row("two hundred five two milligram tablets", "Two hundred five 2 mg tablets."),
        Row(
            "augmentin eight seventy five one tablet twice daily",
            "Augmentin eight seventy five one tablet twice daily."),
        // One number.
        Row("twenty one tablets", "21 tablets."),
        Row("dispense a twenty one tablet pack", "Dispense a 21 tablet pack."),
        Row("one hundred and two tablets", "102 tablets."),
        Row("i take twenty one pills a day", "I take 21 pills a day."),
        Row("albuterol ninety two puffs as needed", "Albuterol 92 puffs as needed."),
        Row("the bottle holds two hundred tablets", "The bottle holds 200 tablets."),
        Row("aspirin eighty one milligrams daily", "Aspirin 81 mg daily."),
        Row("insulin glargine twenty two units at bedtime", "Insulin glargine 22 units at bedtime."),
        Row("twenty one daily flights leave", "21 daily flights leave."),
        Row("it happened six hundred three times", "It happened 603 times."),
        Row("we had two hundred five guests", "We had 205 guests."),
    ]

    private static let germanRows: [Row] = [
        // Ones come before tens: these are two numbers.
        Row("wir waren zwanzig fünf blieben da", "Wir waren zwanzig fünf blieben da."),
        Row("zwanzig drei waren es", "Zwanzig drei waren es."),
        Row("es waren dreißig zwei kamen später", "Es waren dreißig zwei kamen später."),
        // Parts of one number.
        Row("hundert eins", "101."),
        Row("zweihundert fünf leute", "205 leute."),
        Row("drei tausend zwei hundert", "3200."),
        Row("sechs und dreißig", "36."),
        Row("ein und zwanzig euro", "21 €."),
        Row("es kostet hundert zwanzig euro", "Es kostet 120 €."),
        // How many are taken in the morning, at noon, in the evening and at night.
        Row("metoprolol fünfzig eins null eins", "Metoprolol 50 1-0-1."),
        Row("pantoprazol vierzig eins null null", "Pantoprazol 40 1-0-0."),
        Row("ibuprofen sechshundert eins null eins", "Ibuprofen 600 1-0-1."),
        Row("metformin tausend eins null eins", "Metformin 1000 1-0-1."),
        Row("torasemid zehn eins null null null", "Torasemid 10 1-0-0-0."),
        Row("novalgin fünfhundert eins eins eins eins", "Novalgin 500 1-1-1-1."),
        Row("ramipril fünf milligramm eins null null", "Ramipril 5 mg 1-0-0."),
        Row("fünfundzwanzig milligramm eins null eins null", "25 mg 1-0-1-0."),
        Row("bisoprolol zwei komma fünf eins null eins", "Bisoprolol zwei komma fünf eins null eins."),
        Row("ramipril fünf eins null eins", "Ramipril fünf eins null eins."),
        // Numbers that are none.
        Row("die pin ist eins null null eins", "Die pin ist 1001."),
        Row("raum zwanzig eins null eins", "Raum 20 eins null eins."),
        Row("es steht eins null", "Es steht eins null."),
        Row("null komma null null eins", "0,001."),
        Row("fünfhundert zwei tabletten", "Fünfhundert zwei tabletten."),
        Row("metformin tausend zwei tabletten täglich", "Metformin tausend zwei tabletten täglich."),
        Row("ibuprofen vierhundert eine tablette", "Ibuprofen 400 eine tablette."),
        Row("einundzwanzig tabletten", "21 tabletten."),
    ]

    private static let spanishRows: [Row] = [
        Row("quinientos dos comprimidos", "Quinientos dos comprimidos."),
        Row("amoxicilina quinientos tres veces al día", "Amoxicilina quinientos tres veces al día."),
        Row("tome quinientos una pastilla", "Tome 500 una pastilla."),
        Row("treinta y dos comprimidos", "32 comprimidos."),
        Row("doscientas una personas", "201 personas."),
        Row("tres veces al día", "Tres veces al día."),
        Row("doscientos cinco", "205."),
    ]

    @Test("English", arguments: englishRows) func english(_ row: Row) { row.check(in: .english) }
    @Test("German", arguments: germanRows) func german(_ row: Row) { row.check(in: .german) }
    @Test("Spanish", arguments: spanishRows) func spanish(_ row: Row) { row.check(in: .spanish) }
}
