import DictationText
import Testing

@Suite("What is said of another place, added, offered and asked")
struct AddedPhraseTests {
    private let cleaner = TextCleaner()

    static let leftAlone = [
        // The same thing somewhere else.
        "He reports pain with movement, no pain at rest.",
        "We have tests for the parser, no tests for the lexer.",
        "She has swelling in the right ankle, no swelling in the left ankle.",
        "There is school on Thursday, no school on Friday.",
        "Smoking outside on the terrace, no smoking inside.",
        "He speaks French, no German.",
        // A statement, then a question.
        "The train was late, I'm sorry, did you wait long?",
        "The door is open, hold on, is someone in there?",
        "The report is done, actually, can you check it?", "Monday is full, what about Wednesday?",
        "Anna can't come, what about Ben?",
        // It adds, or offers something else.
        "It's in the drawer, or maybe in the closet.", "Come on Monday, maybe on Tuesday.",
        "Should we take the bus, or maybe the train?", "You can pay by card or, alternatively, by check.",
        "Call me or, better yet, come by.", "He lives in Berlin, to be precise in Mitte.",
        "The pain is in the leg, more specifically in the calf.", "I went with Tom instead, with his car.",
        // Something of its own.
        "Take the stairs, never mind the elevator.", "Save the file, wait, restart the server.",
        "Sorry about Monday, sorry about everything.",
        // No wait, and no way.
        "There was no wait at the clinic.", "The function has no wait, so the test fails.",
        "Haha, no way, he really did that?", "Any nausea: no, any vomiting: yes, twice.",
        "Is the report done, no, is the invoice done, yes.", "He kept saying no, no, no.",
        "He kept saying no, no, no, and then he signed it anyway.",
    ]

    static let bare = [
        Row(
            "he has pain in the left knee no pain in the right knee",
            "He has pain in the left knee no pain in the right knee."),
        Row("i can't do monday what about tuesday", "I can't do Monday what about Tuesday."),
        Row("any allergies no any regular medication no", "Any allergies no any regular medication no."),
        Row(
            "any pain no any swelling no any numbness yes in the left foot",
            "Any pain no any swelling no any numbness. Yes in the left foot."),
        Row(
            "any allergies no any chest pain no any fever no",
            "Any allergies no any chest pain. No any fever no."),
        Row("the sign says sorry no vacancies", "The sign says sorry no vacancies."),
        Row("the clinic has no wait on monday", "The clinic has no wait on Monday."),
    ]

    static let corrected = [
        Row("turn left no turn right at the light", "Turn right at the light."),
        Row("turn left no wait turn right at the light", "Turn right at the light."),
        Row("Who, or maybe what, did he see?", "What did he see?"),
        Row("i'll take the bus never mind i'll take the train", "I'll take the train."),
        Row("It was, no wait, it is Tuesday.", "It is Tuesday."),
        Row("Is it on Monday, no, on Tuesday?", "Is it on Tuesday?"),
        Row("So is it on Monday, no, on Tuesday?", "So is it on Tuesday?"),
    ]

    @Test("nothing is taken away", arguments: leftAlone)
    func untouched(_ text: String) { #expect(cleaner.clean(text).text == text) }

    @Test("and not without marks", arguments: bare)
    func untouchedBare(_ row: Row) { #expect(cleaner.clean(row.raw).text == row.clean) }

    @Test("corrections of the same shape are still made", arguments: corrected)
    func correctedRow(_ row: Row) { #expect(cleaner.clean(row.raw).text == row.clean) }
}
