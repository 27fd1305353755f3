import DictationText
import Testing

@Suite("Beginnings that are meant: a verb in a contraction, a list, a thing that is named like an order")
struct NamedThingTests {
    private let cleaner = TextCleaner()

    static let leftAlone = [
        // The contraction has the verb.
        "She's my sister.", "He's our new neighbor.", "They're her parents, the Millers.", "I'm my own boss.",
        "We've our reasons.", "We're their biggest customer.", "You're my hero.",
        "I've my doubts about this.",
        "Because he's my friend, I helped.", "And she's my boss and my mentor.",
        "So I'm your new contact here.",
        // Three of a kind.
        "Read the first, the third, and the fifth chapter.", "Delete the first, the third, and the last row.",
        "The good, the bad, and the ugly.", "The best, the worst, and the funniest moments.",
        // An order and a thing that has its name.
        "Open the open issue.", "Add an add button.", "Cancel the cancel button.", "Close the close dialog.",
        "Delete the delete key.", "Save the save file.", "Create the create form.", "Get the get method.",
        "Add the add on.", "Cancel our cancel policy page.",
        // A letter.
        "Plan A, a good plan, failed.", "Vitamin A, a fat-soluble vitamin, helps.",
        "The team got an A, a great result.", "Option A, a cheap one, won.",
    ]

    static let bare = [
        Row("she's my sister", "She's my sister."),
        Row("he's our landlord", "He's our landlord."),
        Row("they're my colleagues", "They're my colleagues."),
        Row("but we're their guests", "But we're their guests."),
        Row(
            "the first the third and the fifth of the month",
            "The first the third and the fifth of the month."),
        Row("the small the medium and the large size", "The small the medium and the large size."),
        Row("the old the young and the rich people", "The old the young and the rich people."),
        Row(
            "the new the old the lost and the broken files", "The new the old the lost and the broken files."),
        Row("delete the first the third and the fifth row", "Delete the first the third and the fifth row."),
        Row("open the open issue", "Open the open issue."),
        Row("cancel the cancel request", "Cancel the cancel request."),
        Row("plan a a good plan failed", "Plan a a good plan failed."),
    ]

    static let begunAgain = [
        Row("he my father was a teacher", "My father was a teacher."),
        Row("we our team won", "Our team won."),
        Row("make a new a note and send it", "Make a note and send it."),
        Row("make a new, a note", "Make a note."),
        Row("buy the red the blue one", "Buy the blue one."),
        Row("cancel my cancel all alarms", "Cancel all alarms."),
        Row("play the play some music", "Play some music."),
        Row("delete the delete my last message", "Delete my last message."),
        Row("he's she's my sister", "She's my sister."),
        Row("the plan is a a good plan", "The plan is a good plan."),
        Row("a message from a a friend", "A message from a friend."),
    ]

    @Test("nothing is taken away", arguments: leftAlone)
    func untouched(_ text: String) { #expect(cleaner.clean(text).text == text) }

    @Test("and not without marks", arguments: bare)
    func untouchedBare(_ row: Row) { #expect(cleaner.clean(row.raw).text == row.clean) }

    @Test("what was begun again goes", arguments: begunAgain)
    func givenUp(_ row: Row) { #expect(cleaner.clean(row.raw).text == row.clean) }
}
