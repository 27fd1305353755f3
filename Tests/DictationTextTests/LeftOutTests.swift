import DictationText
import Testing

@Suite("What is left out, waited for, answered and excused")
struct LeftOutTests {
    private let cleaner = TextCleaner()

    static let leftAlone = [
        // A “no” with a comma before it and none after it.
        "I ordered tea, no milk, no sugar.", "He speaks French, no English, no German.",
        "They serve chicken, no beef, no pork.", "We accept euros, no dollars, no pounds.",
        "She drinks water, no juice, no beer.", "I ordered tea, no milk.", "We have coffee, no tea.",
        "The store has milk, no beer.", "The package has emails, no letters.",
        "Take it in the morning, no evening dose.", "Seen on Monday, no Tuesday visit needed.",
        "We work in spring, no summer courses.", "Drive north, no south exit.",
        "Turn left, no right turn allowed.", "I take 5 mg, no 10 mg tablets anymore.",
        // “Only”.
        "64-bit only, no 32-bit support.", "Adults only, no kids under 12.",
        "You need version 3 only, no version 2 plugin.", "Is it decaf only, no regular coffee?",
        // Something takes its time.
        "Add 2 eggs, wait 5 minutes, add 3 more.", "Take 2 tablets, wait 6 hours, take 1 more.",
        "Retry after 5 seconds, wait 10 seconds, then fail.", "Add the yeast, wait half an hour, knead it.",
        "Take 1 pill, wait an hour, take another one.",
        // An answer to each.
        "Yes for Anna, no for Tom.", "Yes to pasta, no to pizza.", "Q1 yes, Q2 no, Q3 yes.",
        "Anna yes, Tom no, Peter yes.", "Milk yes, sugar no, honey yes.",
        // A clause follows.
        "We're closed on Monday, sorry, Tuesday we open at 9.",
        "He's away on Monday, sorry, Tuesday he works from home.",
        "Out of coffee, sorry, tea is available.", "Out of milk, sorry, cream is in the fridge.",
        "No table for 5, sorry, 4 is our maximum.", "No seats for 6, sorry, 4 is the most we have.",
        "I lost the ticket, sorry, Anna has hers.",
        // An excuse.
        "Meet me at the bank, sorry for the rush, by noon.",
        "I'll be in the garden, sorry about the mess, all day.",
        // A question of its own.
        "I love Rome, I mean who doesn't?", "The test failed, I mean how could it pass?",
        "He quit his job, I mean why would he stay?",
        // A second order.
        "Call the client, cancel that contract.", "Book the flight or cancel that hotel.",
        "Open the file, or forget that window.", "Mail the report, delete that draft, and close the ticket.",
        // One more to choose from.
        "Do you want tea or coffee, or maybe just water?", "Monday or Tuesday, or maybe Friday.",
        // An abbreviation.
        "The OR is on 3, the ER on 1.", "The ICU is on 4, the ER on 1.",
    ]

    static let bare = [
        Row("black coffee no milk", "Black coffee no milk."),
        Row("cold beer no wine", "Cold beer no wine."),
        Row("just coffee no milk please", "Just coffee no milk please."),
        Row("I drink tea no coffee", "I drink tea no coffee."),
        Row("she ate fish no pork", "She ate fish no pork."),
        Row("we invited friends no family no neighbors", "We invited friends no family no neighbors."),
        Row("stage one only no stage two findings", "Stage 1 only no stage 2 findings."),
        Row("adults only no kids under twelve", "Adults only no kids under twelve."),
        Row("wait five minutes wait ten if it is cold", "Wait five minutes wait ten if it is cold."),
        Row("wait ten seconds wait twenty if it fails", "Wait ten seconds wait 20 if it fails."),
        Row("press record wait five seconds press stop", "Press record wait five seconds press stop."),
        Row("vote yes on two no on three", "Vote yes on two no on three."),
        Row("yes for anna no for tom", "Yes for Anna no for Tom."),
        Row("anna yes tom no peter yes", "Anna yes Tom no Peter yes."),
        Row("we were late sorry for the trouble", "We were late sorry for the trouble."),
        Row(
            "would you rather copy this account or change that calendar",
            "Would you rather copy this account or change that calendar?"),
        Row("book the flight or cancel that hotel", "Book the flight or cancel that hotel."),
    ]

    static let corrected = [
        Row("send it to bob no alice", "Send it to Alice."),
        Row("meet me at five no six", "Meet me at six."),
        Row("call bob no alice no tom", "Call Tom."),
        Row("Meet me at 5, no, 6.", "Meet me at 6."),
        Row("Set it for 5, no 6 minutes.", "Set it for 6 minutes."),
        Row("Take 5 mg, no, 10 mg.", "Take 10 mg."),
        Row("I ordered tea, no, coffee.", "I ordered coffee."),
        Row("order tea no coffee", "Order coffee."),
        Row("I said coffee no tea", "I said tea."),
        Row("I speak French, no, German.", "I speak German."),
        Row("Turn left, no, right.", "Turn right."),
        Row("Turn left, no right.", "Turn right."),
        Row("Move the red, no blue car.", "Move the blue car."),
        Row("It's on Monday, no, Tuesday.", "It's on Tuesday."),
        Row("Room 5, no, suite 6.", "Suite 6."),
        Row("Yes, send it to Bob, no, Alice.", "Yes, send it to Alice."),
        Row("yes send it to bob no alice", "Yes send it to Alice."),
        Row("set a timer for five minutes wait ten minutes", "Set a timer for ten minutes."),
        Row("Set a timer for 5 minutes, wait, 10 minutes.", "Set a timer for 10 minutes."),
        Row("We meet on Monday, sorry, Tuesday at nine.", "We meet on Tuesday at nine."),
        Row("book it for monday sorry for tuesday", "Book it for Tuesday."),
        Row("a table for five sorry for six", "A table for six."),
        Row("The train to Paris, sorry, London is late.", "The train to London is late."),
        Row("I know the Smiths, sorry, the Millers live here.", "I know the Millers live here."),
        Row("The dog, no, cat is out.", "The cat is out."),
        Row("What did he, I mean what does she want?", "What does she want?"),
        Row("At five, no, half past six.", "At 6:30."),
        Row("Call the client, cancel that, the contractor.", "Call the contractor."),
        Row("order pizza or make that pasta", "Order pasta."),
        Row("send it to bob change that to alice", "Send it to Alice."),
        Row("Set an alarm for six, cancel that, seven.", "Set an alarm for seven."),
    ]

    @Test("nothing is taken away", arguments: leftAlone)
    func untouched(_ text: String) { #expect(cleaner.clean(text).text == text) }

    @Test("and not without marks", arguments: bare)
    func untouchedBare(_ row: Row) { #expect(cleaner.clean(row.raw).text == row.clean) }

    @Test("and no word of a list that the marks divide")
    func dividedList() {
        let text = cleaner.clean("drink water no coffee no tea and no alcohol").text
        #expect(text.filter { $0 != "." }.lowercased() == "drink water no coffee no tea and no alcohol")
        let order = cleaner.clean("he asked for coffee no milk no sugar").text
        #expect(order.filter { $0 != "." }.lowercased() == "he asked for coffee no milk no sugar")
    }

    @Test("corrections of the same shape are still made", arguments: corrected)
    func correctedRow(_ row: Row) { #expect(cleaner.clean(row.raw).text == row.clean) }

    @Test(
        "also in German",
        arguments: [
            Row("Ja am Montag, nein am Dienstag.", "Ja am Montag, nein am Dienstag."),
            Row("Ja zu Berlin, nein zu Hamburg.", "Ja zu Berlin, nein zu Hamburg."),
            Row("Frage 1 ja, Frage 2 nein, Frage 3 ja.", "Frage 1 ja, Frage 2 nein, Frage 3 ja."),
            Row("Es ist 5, nein, halb 6.", "Es ist 5, nein, halb 6."),
            Row("Am Montag, nein, am Dienstag.", "Am Dienstag."),
        ])
    func german(_ row: Row) { #expect(TextCleaner(language: .german).clean(row.raw).text == row.clean) }

    @Test(
        "and in Spanish",
        arguments: [
            Row(
                "Añade 2 huevos, espera 5 minutos, añade 3 más.",
                "Añade 2 huevos, espera 5 minutos, añade 3 más."),
            Row(
                "Estoy en el banco, perdón por la prisa, hasta las cinco.",
                "Estoy en el banco, perdón por la prisa, hasta las cinco."),
            Row("Nos vemos el lunes, espera, el martes.", "Nos vemos el martes."),
        ])
    func spanish(_ row: Row) { #expect(TextCleaner(language: .spanish).clean(row.raw).text == row.clean) }
}
