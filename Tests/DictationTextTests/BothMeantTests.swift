import DictationText
import Testing

@Suite("Words that are both meant, although an edit term is between them")
struct BothMeantTests {
    private let cleaner = TextCleaner()

    static let leftAlone = [
        // After the edit term another clause begins.
        "I told Anna, sorry, Maria is out today.", "Tell Peter I'm sorry, Paul can't come.",
        "He lives in Paris, actually London is his home town.",
        "The food was good, I mean the best I ever had.",
        "Nobody came, I mean nobody.",
        // Two sentences that are alike.
        "Maybe Monday, maybe Tuesday.", "Cancel that order, cancel this one too.",
        "Never mind the rain, never mind the cold.", "Let's say ten people, let's say twelve at most.",
        // What is denied.
        "There are no cats, no dogs, and no birds here.", "I ordered tea, sorry, no milk please.",
        "It is cold, no, not cold.", "When that happens, there's no point in trying.",
        "When used with braces no white space is allowed.",
        "If the file cannot be read an error is given, no further file is read.",
        "Look for blocks with no block header.", "Use a local variable instead, no function is changed.",
        // The edit term is something else.
        "The tool applies the gamma correction to the picture.", "Here is a minor correction to the text.",
        "It is one call so just make that call directly.", "I need six of them, make that clear to the team.",
        "If there is a job with errors, delete that job at once.", "This is the only change that is needed.",
        "It was not done; instead the result is returned.",
        // More of the same.
        "He was tall, I mean really tall.", "It was cold, I mean freezing.",
        "He did nothing, I mean nothing at all.",
        "I need pages five, six, no, seven.",
        // What is meant instead of what is denied.
        "Not on Monday, no, on Tuesday.", "It is not the left hand, no, the right hand.",
        "The meeting is not at 3, no, at 4.",
        // A clause ends with its verb, and the next one begins with its own.
        "What he has has to go.", "Where we are are two trees.", "Those who are are fine.",
        "If it is is it okay to call?",
        "If you can can you call me.", "What I did did not help.",
        // On and on.
        "It goes up and down up and down all day.",
    ]

    static let bare = [
        Row("i told anna sorry maria is out today", "I told Anna sorry Maria is out today."),
        Row("there are no cats no dogs and no birds", "There are no cats no dogs and no birds."),
        Row("cancel that order cancel this one too", "Cancel that order. Cancel this one too."),
        Row("not on monday no on tuesday", "Not on Monday no on Tuesday."),
        Row("maybe monday maybe tuesday", "Maybe Monday maybe Tuesday."),
        Row("this argument is the gamma correction", "This argument is the gamma correction."),
    ]

    @Test("nothing is taken away", arguments: leftAlone)
    func untouched(_ text: String) { #expect(cleaner.clean(text).text == text) }

    @Test("and not without marks", arguments: bare)
    func untouchedBare(_ row: Row) { #expect(cleaner.clean(row.raw).text == row.clean) }
}
