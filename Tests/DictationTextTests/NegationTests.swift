import DictationText
import Testing

@Suite("What is denied, chosen, counted, and set off by commas")
struct NegationTests {
    private let cleaner = TextCleaner()

    private func check(_ row: Row) { #expect(cleaner.clean(row.raw).text == row.clean) }

    /// "No" before a noun denies it, and corrects nothing.
    static let denied = [
        "No known allergies, no known medications.",
        "No history of stroke, no history of diabetes.",
        "No chest pain at rest, no chest pain on exertion.",
        "No nausea, no vomiting, no abdominal pain, no abdominal distension.",
        "No change in weight or no change in appetite.",
        "No meat on Friday, no meat on Sunday.",
        "He has a brother, no sister.",
        "One son, no daughter, two cats.",
        "Two cats, no dogs, please.",
        "A tea, no milk.",
        "There was one vote against, no vote was counted twice.",
        "He was given a warning, no fine was imposed.",
        "Tea, no. Coffee, yes.",
        "We live at no. 5 in this street.",
        "No history of asthma, no, wait, she had it as a child.",
        "Would you like tea or coffee, or no drink at all?",
        "Is that a no, or are you not sure?",
        "I did do that.",
        "Please turn it on on Monday.",
        "Bring it in in the morning.",
        "What is done is done, and so be it.",
        "I think so. I think it is fine.",
        "She did not want to. She stayed home.",
        "Yes, we can. Yes, we can do it.",
        "He was, he is, and he always will be my friend.",
        "I gave him an A, I gave her a B.",
        "It is what it is, it is fine.",
        "It costs $20, no, 25.",
        "From 30%, no, 40 people.",
    ]

    static let bare = [
        Row("one coffee no milk", "One coffee no milk."),
        Row("is it monday no it is tuesday", "Is it Monday? No, it is Tuesday."),
        Row("either there is a bug or no test covers it", "Either there is a bug or no test covers it."),
        Row("is it at two or uh three", "Is it at two or three?"),
        Row("is it on friday or um saturday", "Is it on Friday or Saturday?"),
        Row("do you want the red one or um the blue one", "Do you want the red one or the blue one?"),
        Row("open the door close the door", "Open the door close the door."),
        Row("um what do you call it in english", "What do you call it in English?"),
        Row("and um what's it called again", "And what's it called again?"),
        Row("on monday on tuesday and on friday", "On Monday on Tuesday and on Friday."),
    ]

    static let corrected = [
        Row("send it to bob no to alice", "Send it to Alice."),
        Row("Send it to Bob, no, Alice.", "Send it to Alice."),
        Row("turn left no turn right", "Turn right?"),
        Row("there is no meeting on monday no tuesday", "There is no meeting on Tuesday."),
        Row("get a red no blue shirt", "Get a blue shirt."),
        Row("I'd like a latte, no, a cappuccino", "I'd like a cappuccino."),
        Row("what kind or no type of tea is it", "What type of tea is it?"),
    ]

    /// A number is said in place of another one, and what it counts only once.
    static let counted = [
        Row("Take 20 mg, no, 40.", "Take 40 mg."),
        Row("Let it cool for ten minutes, make that twenty.", "Let it cool for 20 minutes."),
        Row("Add 2 cups of sugar, no, 3.", "Add 3 cups of sugar."),
        Row("He is 54 years old, sorry, 45.", "He is 45 years old."),
        Row("three hundred grams make that two fifty of dark chocolate", "250 g of dark chocolate."),
        Row("set a timer for ten minutes no fifteen seconds", "Set a timer for 15 seconds."),
        Row("It's 3 million, I mean, billion.", "It's 3 billion."),
        Row(
            "The price is four hundred and fifty, sorry, five hundred and fifty dollars.",
            "The price is $550."),
        Row("two hundred and fifty no three hundred euros", "€300."),
        Row("Blood pressure is 150 over 90, no, 160 over 90.", "Blood pressure is 160 over 90."),
        Row(
            "the price dropped from fifty to forty sorry thirty five euros",
            "The price dropped from 50 to €35."),
        Row("from eight to nine no nine thirty", "From eight to 9:30."),
        Row("May 4th, sorry, June 4th", "June 4th."),
        Row("The lease starts on April 1st, no, May 1st, 2025.", "The lease starts on May 1st, 2025."),
    ]

    /// Two commas around words that are removed go with them.
    static let commas = [
        Row("The king, I mean the prince, rode off.", "The prince rode off."),
        Row(
            "The plaintiff, I mean the defendant, shall pay the costs.", "The defendant shall pay the costs."),
        Row("The amount of $2,000, sorry, $2,500, is due.", "The amount of $2,500 is due."),
        Row("The meeting, um, starts at nine.", "The meeting starts at nine."),
        Row("How many people, you know, signed up?", "How many people signed up?"),
        Row("I saw him, uh, at the gym.", "I saw him at the gym."),
        Row("Yes, um, we can.", "Yes, we can."),
        Row("In the morning, um, call Bob.", "In the morning, call Bob."),
        Row("It was late, um, and we left.", "It was late, and we left."),
        Row("Buy bread, uh, milk, and eggs.", "Buy bread, milk, and eggs."),
        Row("Bob, um, can you come?", "Bob, can you come?"),
    ]

    /// Recognizers end a sentence where the speaker broke off.
    static let broken = [
        Row(
            "If you could. If you could send it again, that would be great.",
            "If you could send it again, that would be great."),
        Row("I'm going to the. I'm at the supermarket.", "I'm at the supermarket."),
        Row("The patient was, the patient has been stable.", "The patient has been stable."),
        Row("If you look at the, if you look at line 40, you see it.", "If you look at line 40, you see it."),
        Row("There's a, there's no reason to wait.", "There's no reason to wait."),
        Row("Do you know if. Do you know where the keys are?", "Do you know where the keys are?"),
        Row("give me the um what do you call it the wrench", "Give me the wrench."),
        Row("Don't forget the, um, what's it called, the charger.", "Don't forget the charger."),
    ]

    @Test("what is denied stays", arguments: Self.denied)
    func keepsDenied(text: String) { #expect(cleaner.clean(text).text == text) }

    @Test("also without marks; and a choice is none that was corrected", arguments: Self.bare)
    func bareRow(row: Row) { check(row) }

    @Test("“no” still corrects", arguments: Self.corrected)
    func correctedRow(row: Row) { check(row) }

    @Test("a corrected number keeps what it counts", arguments: Self.counted)
    func countedRow(row: Row) { check(row) }

    @Test("no comma is left over, and none is missed", arguments: Self.commas)
    func commasRow(row: Row) { check(row) }

    @Test("a sentence that was broken off goes", arguments: Self.broken)
    func brokenRow(row: Row) { check(row) }
}
