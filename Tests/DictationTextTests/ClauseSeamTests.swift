import DictationText
import Testing

@Suite("A word that ends one clause and begins the next")
struct ClauseSeamTests {
    private let cleaner = TextCleaner()

    static let leftAlone = [
        "He signed the will, the will was witnessed.",
        "The heart pumps blood to the lungs, the lungs give it oxygen.",
        "Take the bus, the bus leaves at nine.", "He told the king, the king told the queen.",
        "She sold her car, her car was too old.", "The people who came came late.",
        "The one who won won by a mile.", "The man I met met my sister too.",
        "I don't mean today, I mean tomorrow.", "Take the bus, no the train is too slow.",
    ]

    static let bare = [
        Row("he wrote a letter the letter never arrived", "He wrote a letter the letter never arrived."),
        Row("call john john knows the code", "Call John John knows the code."),
        Row("i met anna anna said hi", "I met Anna Anna said hi."),
        Row("check the pulse pulse should be strong", "Check the pulse pulse should be strong."),
        Row("toilet paper paper towels milk", "Toilet paper paper towels milk."),
        Row("orange juice juice boxes", "Orange juice juice boxes."),
        Row("check the oil change the oil", "Check the oil change the oil."),
        Row("watch the game and tell me who won", "Watch the game and tell me who won."),
    ]

    static let saidAgain = [
        Row("the weather the weather is nice", "The weather is nice."),
        Row("open the report the report please", "Open the report please."),
        Row("make a note put a note", "Put a note."),
        Row("show me the photo of, of the wedding", "Show me the photo of the wedding."),
        Row("Show me Show me the list.", "Show me the list."),
        Row("I li- I like it.", "I like it."),
        Row("the con- the contract is signed", "The contract is signed."),
    ]

    @Test("stays", arguments: leftAlone)
    func untouched(_ text: String) { #expect(cleaner.clean(text).text == text) }

    @Test("stays without marks", arguments: bare)
    func untouchedBare(_ row: Row) { #expect(cleaner.clean(row.raw).text == row.clean) }

    @Test("what is only said again goes", arguments: saidAgain)
    func again(_ row: Row) { #expect(cleaner.clean(row.raw).text == row.clean) }
}
