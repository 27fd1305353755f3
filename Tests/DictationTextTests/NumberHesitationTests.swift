import DictationText
import Testing

@Suite("Hesitations next to numbers")
struct NumberHesitationTests {
    private static let englishRows: [Row] = [
        // One number in place of another.
        Row("blood pressure one forty uh one forty five over ninety", "Blood pressure 145 over 90."),
        Row("blood pressure one twenty um one thirty over eighty", "Blood pressure 130 over 80."),
        Row(
            "one hundred forty uh one hundred forty five over ninety", "145 over 90."),
        Row("140 uh 145 over 90", "145 over 90."),
        Row("Blood pressure 140, uh, 145 over 90.", "Blood pressure 145 over 90."),
        Row("room two oh four uh two fourteen", "Room 214."),
        Row("call room three ten um three twelve", "Call room 312."),
        // A number that continues.
        Row("two thousand uh twenty four", "2024."),
        Row("in two thousand um fifteen we moved", "In 2015 we moved."),
        Row("it costs two hundred uh fifty dollars", "It costs $250."),
        Row("three hundred uh forty", "340."),
        Row("about two uh hundred people", "About 200 people."),
        Row("about three thousand um five hundred people", "About 3500 people."),
        Row("set a timer for twenty uh five minutes", "Set a timer for 25 minutes."),
        Row("at ten uh thirty", "At 10:30."),
        Row("in nineteen uh eighty four", "In 1984."),
        Row("call five five five uh one two three four", "Call 5551234."),
        Row("the code is four oh uh seven seven one", "The code is 40771."),
        Row("one forty uh five over ninety", "145 over 90."),
        Row("set a timer for ten uh fifteen minutes", "Set a timer for 15 minutes."),
        // Two numbers that would be read as one.
        Row("the scores were one forty uh one fifty", "The scores were one forty, one fifty."),
        Row("give five uh fifty milligrams", "Give five, 50 mg."),
        Row("take one um twenty milligrams", "Take one, 20 mg."),
        Row("he has twenty uh thirty cows", "He has 20, 30 cows."),
        Row("ten thirty um eleven fifteen", "10:30, 11:15."),
        Row("at five thirty uh six pm", "At 5:30, 6 PM."),
        Row("sodium one thirty five uh one thirty eight", "Sodium 135, 138."),
        Row("room twelve uh fourteen", "Room 12, 14."),
        Row("turn to page twenty um twenty two", "Turn to page 20, 22."),
        // Two that would not.
        Row("remind me at five uh six hundred", "Remind me at five 600."),
        Row("eight uh nine hundred", "Eight 900."),
        // Nobody says "um" for micrometers.
        Row("five five five oh one two three um after six pm", "5550123 after 6 PM."),
        Row("twelve um boxes", "Twelve boxes."),
        Row("It is 5 um wide.", "It is 5 um wide."),
        Row("it is two mm wide", "It is two mm wide."),
    ]

    private static let germanRows: [Row] = [
        Row("zwei tausend äh vier und zwanzig", "2024."),
        Row("zimmer zwei null vier äh zwei eins vier", "Zimmer 214."),
    ]

    private static let spanishRows: [Row] = [Row("dos mil eh veinticuatro", "2024.")]

    @Test("English", arguments: englishRows) func english(_ row: Row) { row.check(in: .english) }
    @Test("German", arguments: germanRows) func german(_ row: Row) { row.check(in: .german) }
    @Test("Spanish", arguments: spanishRows) func spanish(_ row: Row) { row.check(in: .spanish) }
}
