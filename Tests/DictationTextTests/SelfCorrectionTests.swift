import DictationText
import Testing

@Suite("Self-corrections")
struct SelfCorrectionTests {
    private let cleaner = TextCleaner()

    static let corrections = [
        Row("send it to bob no wait to alice", "Send it to Alice."),
        Row("set an alarm for five sorry six", "Set an alarm for six."),
        Row("we need ten no wait twelve chairs", "We need twelve chairs."),
        Row("call the plumber wait no the electrician", "Call the electrician."),
        Row("i will call john or rather mary tomorrow", "I will call Mary tomorrow."),
        Row("turn on the um no turn off the lights", "Turn off the lights."),
        Row("open the first file scratch that open the second file", "Open the second file."),
        Row("The left, I mean, the right.", "The right."),
        Row("the invoice goes to anna no wait to david", "The invoice goes to David."),
        Row("we met in london no in paris last year", "We met in Paris last year."),
        Row("What is the longest river no sorry the highest mountain?", "What is the highest mountain?"),
        Row("who wrote no make that who sang this song", "Who sang this song?"),
        Row("set an alarm for five, sorry, six", "Set an alarm for six."),
        Row(
            "Who was the first husband of, I should have said, wife of John D. Rockefeller?",
            "Who was the first wife of John D. Rockefeller?"),
        Row("five sorry six", "Six."),
        Row("turn left no turn right at the corner", "Turn right at the corner."),
        Row("let's meet on tuesday no wednesday", "Let's meet on Wednesday."),
        Row("um so send it to uh to bob no wait to alice", "Send it to Alice."),
        Row("send it to doctor miller no wait mister brown", "Send it to Mr. Brown."),
        Row("ask doctor miller no mister brown to call back", "Ask Mr. Brown to call back."),
        Row("what's the weather like in paris sorry london", "What's the weather like in London?"),
        Row("the patient has pain in the left no right knee", "The patient has pain in the right knee."),
        Row("meet me at half past two no wait a quarter to three", "Meet me at 2:45."),
        Row("close the window no sorry close the door", "Close the door."),
        Row("send an email no a text to anna", "Send a text to Anna."),
        Row("send an email i mean text to anna", "Send a text to Anna."),
        Row("put the book on the table no in the drawer", "Put the book in the drawer."),
        Row("open spotify i mean youtube", "Open YouTube."),
        Row("remind me to buy bread oh no milk tomorrow", "Remind me to buy milk tomorrow."),
        Row("show me flights from boston no chicago to denver", "Show me flights from Chicago to Denver."),
        Row("increase the no decrease the brightness", "Decrease the brightness."),
        Row("send it to bob no not bob but alice", "Send it to Alice."),
        Row("send it to bob no not to bob to alice", "Send it to Alice."),
        Row("let's meet on tuesday no not tuesday wednesday", "Let's meet on Wednesday."),
        Row("We need it by Friday, no, not Friday but Monday.", "We need it by Monday."),
        Row("take the red pills no not the red pills the blue ones", "Take the blue ones."),
        Row("book a table for four sorry no not four five people", "Book a table for five people."),
        Row("put it in the drawer no not the drawer but on the shelf", "Put it on the shelf."),
        Row("she lives in paris no wait not paris london", "She lives in London."),
        Row("did you eat the cake no the pie", "Did you eat the pie?"),
        Row("can you call me back at six no seven", "Can you call me back at seven?"),
        Row("how do i get to the station no the airport", "How do I get to the airport?"),
        Row("i bought apples, no, not apples, pears", "I bought pears."),
        Row("A yellow, I mean cream sofa.", "A cream sofa."),
        Row("The cat, I mean dog ate the cake.", "The dog ate the cake."),
        Row("She takes ibuprofen, I mean acetaminophen, for pain.", "She takes acetaminophen for pain."),
        Row("He drives a truck, no, a van.", "He drives a van."),
        Row("The capital of Australia is Sydney, no, Canberra.", "The capital of Australia is Canberra."),
        Row("We went to the cinema, sorry, theater last night.", "We went to the theater last night."),
        Row("Three make that four coffees please.", "Four coffees please."),
        Row("The pressure was 130 over 80, correction, 90.", "The pressure was 130 over 90."),
        Row("the code is five five five one two no wait one three", "The code is 55513."),
        Row("Call 555, sorry, 556.", "Call 556."),
        Row("the train to boston sorry chicago is late", "The train to Chicago is late."),
    ]

    static let late = [
        Row(
            "what do beroids use to capture their prey no rather cydippids",
            "What do cydippids use to capture their prey?"),
        Row(
            "What did the Mongols think of the class system, no, the Turks?",
            "What did the Turks think of the class system?"),
        Row("when did bob arrive in paris no alice", "When did Alice arrive in Paris?"),
        Row(
            "how many people live in spain according to the census no wait portugal",
            "How many people live in Portugal according to the census?"),
        Row("when was the company founded no where", "Where was the company founded?"),
        Row("send the report to bob by friday no wait to alice", "Send the report to Alice by Friday."),
        Row(
            "Send the report to Bob by Friday, no, to Alice. Then call me.",
            "Send the report to Alice by Friday. Then call me."),
        Row("put the milk in the fridge tonight no in the freezer", "Put the milk in the freezer tonight."),
        Row("can you send the file to bob tomorrow no to alice", "Can you send the file to Alice tomorrow?"),
        Row("set an alarm for seven tomorrow no for eight", "Set an alarm for eight tomorrow."),
        // A day or a time that is said again retracts the first one.
        Row("send it to bob on friday no to alice on monday", "Send it to Alice on Monday."),
    ]

    static let leftAlone = [
        "No, I don't think so.", "There is no reason to wait.", "I'm sorry I am late.", "Is it red or blue?",
        "Actually, it works.", "It is actually quite good.", "Wait until six.",
        "I would rather stay at home.",
        "I mean it.", "Make that call on Monday.", "She has no fever and no cough.",
        "Use two instead of three.",
        "Tell me what you know.", "Not Bob but Alice.", "Well, that was good.", "Sorry for the delay.",
        "What we need is what we have.", "He said no and left.", "Two or three days.", "Yes or no?",
        "We have tools for work and no tools for play.",
        "He worked for John D. Rockefeller.", "He wants people who work and no people who sleep.",
        "I like tea and I like coffee.", "When it rains and when it snows.", "The word “no” is short.",
        "Add a test for the empty list and wait for the lock before the file is opened.",
        "He told me that he would come but no one came and I mean no one.",
        "This goes on and I don't know what to say but rather than stop I go on.",
        "We are free on Tuesday or Wednesday and I am sorry that Monday is not possible.",
        "There was no pain in the left knee but some swelling, no redness, no fever.",
        "He wrote “five, sorry, six” on the wall.",
        "I would rather have the money.", "They have drawn no salary.",
        "At the meeting no decision was made.", "I am going to ask you to forgive me, to take me home.",
        "I called the doctor, no doctor came.", "And I said no and he said yes.",
        "The more we wait the worse it gets.", "The house we live in in summer is old.",
        "40 no 50 is too low.", "Log in in the morning.",
        "Order a coffee no sugar.", "Make sure there is no change in the plan.",
        "Call me if there is no order.",
        "Tell the boss sorry for the delay.", "Leave it on the table no matter what.",
        "Open the box wait for me at the door.", "Go to the bank wait in the car.",
        "Walk to the shop wait in the line and pay.",
        "What did the chemists make that could be used in a war?",
        "Which cells that should be tested were lost?",
        "What models are they trying to make that would explain it?",
        "It is not red but blue.", "No, not really, but thanks.", "I said no, not yet.",
        "We were allowed, sorry, not allowed to leave.",
        "Did you find no bugs?", "What happened when the nurse found no pulse?",
        "Why has she taken no notes?", "Why does the report list no causes?",
        "Which doctors saw no patients yesterday?", "How come I got no email?",
        "Why did they rather stay home?",
        "Why was no census taken?", "During which years was no census taken?",
        "Why did you scratch that car?",
        "Should I send it to Bob or Alice?", "Is there really no other way?",
        "Should we meet at noon or at one?", "Was it on Monday or on Tuesday?", "Who said no to that?",
        "Why would anyone rather pay cash?", "What would people rather drink tea or coffee?",
        "Would you rather have tea or coffee?", "Could you send me the report no rush?",
        "Did you get my message sorry I was busy?", "Do you have a minute no pressure?",
        "Will you be there tomorrow maybe with Bob?",
        "What should I wear instead?", "Where do you actually live?", "Did he say no more sugar?",
    ]

    @Test("retracted words go, with the edit term", arguments: corrections)
    func retracted(_ row: Row) { #expect(cleaner.clean(row.raw).text == row.clean) }

    @Test("a correction at the end is moved to its place, and no word between goes", arguments: late)
    func putRightLate(_ row: Row) { #expect(cleaner.clean(row.raw).text == row.clean) }

    @Test("a correction that comes late is named in the actions, and pauses do not move with its words")
    func lateAction() {
        let said = "when did bob leave the party no alice".split(separator: " ").map(String.init)
        let words = said.enumerated().map { place, word in
            // A second after "no" as after the end of a sentence.
            let start = Double(place) + (place == said.count - 1 ? 1 : 0)
            return TimedWord(text: word, start: start, end: start + 0.9)
        }
        let cleaned = cleaner.clean(words)
        #expect(cleaned.text == "When did Alice leave the party?")
        #expect(
            cleaned.actions.prefix(2) == [
                .init(
                    rule: .selfCorrections, before: "bob leave the party no alice",
                    after: "bob no alice leave the party"),
                .init(rule: .selfCorrections, before: "bob no", after: ""),
            ])
    }

    @Test("the same words stay if nothing is retracted", arguments: leftAlone)
    func untouched(_ text: String) { #expect(cleaner.clean(text).text == text) }

    static let hesitating = [
        Row("who won the the game uh last night", "Who won the game last night?"),
        Row("can you um check the the weather in uh london", "Can you check the weather in London?"),
        Row("what is the um population of sweden", "What is the population of Sweden?"),
        Row("is it um going to rain on uh monday", "Is it going to rain on Monday?"),
        Row("where did you uh put the er keys", "Where did you put the keys?"),
        Row("how long uh does it take to um get there", "How long does it take to get there?"),
    ]

    @Test("a hesitation alone removes no word", arguments: hesitating)
    func hesitations(_ row: Row) { #expect(cleaner.clean(row.raw).text == row.clean) }

    @Test("a bare question is read as it will be with its mark")
    func bareQuestion() {
        let said = "did the albany congress convene in june no sorry was the plan formalized"
        let once = cleaner.clean(said).text
        #expect(once == "Was the plan formalized?")
        #expect(cleaner.clean(once).text == once)
    }

    @Test("a correction is named in the actions")
    func actions() {
        let cleaned = cleaner.clean("set an alarm for five sorry six")
        #expect(cleaned.actions.first == .init(rule: .selfCorrections, before: "five sorry", after: ""))
    }

    @Test("cleaning twice is cleaning once", arguments: (corrections + late).map(\.raw) + leftAlone)
    func stable(_ raw: String) {
        let once = cleaner.clean(raw).text
        #expect(cleaner.clean(once).text == once)
    }
}
