import DictationText
import Testing

@Suite("Sentences begun again")
struct RestartTests {
    private let cleaner = TextCleaner()

    static let begunAnew = [
        Row("pause the resume the music", "Resume the music."),
        Row("call john uh mary", "Call Mary."),
        Row("please remind me on monday uh tuesday", "Please remind me on Tuesday."),
        Row("set a timer for five uh six minutes", "Set a timer for six minutes."),
        Row("set an alarm for um seven uh um eight", "Set an alarm for eight."),
        Row("open uh close the window", "Close the window."),
        Row("i just i can't see it", "I can't see it."),
        Row("it will normally it will come on", "It will come on."),
        Row("and it just it's not fair", "And it's not fair."),
        Row("i just there's no way for us", "There's no way for us."),
        Row("we hope that it it's done", "We hope that it's done."),
        Row("i think it it's fine", "I think it's fine."),
        Row("it it it's late", "It's late."),
        Row("it is it's hard to say", "It's hard to say."),
        Row("so but i think it works", "But I think it works."),
        Row("find the my keys", "Find my keys."),
        Row("does do they recycle where you live", "Do they recycle where you live?"),
        Row("we went camping in the on the beach", "We went camping on the beach."),
        Row("they're they don't want it", "They don't want it."),
        Row("i i've lived here", "I've lived here."),
        Row("there there's not much to see", "There's not much to see."),
        Row("he my father was a teacher", "My father was a teacher."),
        Row("i was we lived in texas", "We lived in Texas."),
        Row("it was they were very helpful", "They were very helpful."),
        Row("i'd like i would like a pizza", "I would like a pizza."),
        Row("can i can you turn it off", "Can you turn it off?"),
        Row("what is what's the score", "What's the score?"),
        Row("i was do i have any meetings", "Do I have any meetings?"),
        Row("the call is was cancelled", "The call was cancelled."),
        Row("so i so we left", "So we left."),
        Row("and but we liked it", "But we liked it."),
        Row("set change the temperature", "Change the temperature."),
        Row("set a timer for set an alarm for seven", "Set an alarm for seven."),
        Row("create a delete the branch", "Delete the branch."),
        Row("i need a where is the closest hospital", "Where is the closest hospital?"),
        Row("show me the restaurants the italian restaurants", "Show me the Italian restaurants."),
        Row("buy two tickets three tickets for the concert", "Buy three tickets for the concert."),
        Row("move it to monday to thursday", "Move it to Thursday."),
        Row("turn off turn on the fan", "Turn on the fan."),
        Row("we have a we live in a house with a yard", "We live in a house with a yard."),
        Row("there's a there are many people here", "There are many people here."),
        Row("it depends on how much you you earn", "It depends on how much you earn."),
        Row("i have been to you know to both places", "I have been to both places."),
        Row("set an alarm at five at six", "Set an alarm at six."),
        Row("please book a table for two for four people", "Please book a table for four people."),
        Row("buy the red the blue one", "Buy the blue one."),
        Row("play the next the previous song", "Play the previous song."),
        Row("read my messages my emails", "Read my emails."),
        Row("send this to bob to alice", "Send this to Alice."),
        Row("translate hello into german into french", "Translate hello into French."),
        Row("i want to i'd like to order a pizza", "I'd like to order a pizza."),
        Row("do i do we have any milk left", "Do we have any milk left?"),
        Row("lower raise the thermostat by two degrees", "Raise the thermostat by two degrees."),
        Row("i need gas yeah gas", "I need gas."),
        Row("show yeah show me the way", "Show me the way."),
        Row("put it on the tracker yes, on the tracker", "Put it on the tracker."),
        Row("drive to oh okay to the airport", "Drive to the airport."),
        Row("make a new, a note", "Make a note."),
        Row("make new a new note", "Make a new note."),
        Row("read my new my unread messages", "Read my unread messages."),
        Row("pay my bill phone bill", "Pay my phone bill."),
        Row("send an, a message", "Send a message."),
        Row("check the price of can you check the price of gold", "Can you check the price of gold?"),
        Row("i need to log can you log my lunch", "Can you log my lunch?"),
        Row("i need directions to give me directions to the mall", "Give me directions to the mall."),
        Row("make a note put a note in my calendar", "Put a note in my calendar."),
        Row("cancel my cancel all alarms", "Cancel all alarms."),
        Row("how do i what is the fastest way", "What is the fastest way?"),
        Row("how tall is how old is the queen", "How old is the queen?"),
        Row("oh so i think we should go", "I think we should go."),
        Row("open the settings the preferences", "Open the preferences."),
        Row("turn off the lights the lamp in the bedroom", "Turn off the lamp in the bedroom."),
        Row("when does the store the pharmacy open", "When does the pharmacy open?"),
        Row("find me a good restaurant a cheap restaurant nearby", "Find me a cheap restaurant nearby."),
        Row("tell dad i am i will be late", "Tell dad I will be late."),
        Row("please call please text my brother", "Please text my brother."),
        Row("is it going to will it rain tomorrow", "Will it rain tomorrow?"),
        Row("On Monday we'll, on Tuesday we'll meet at the office.", "On Tuesday we'll meet at the office."),
        Row("We'll, they'll call you back tomorrow.", "They'll call you back tomorrow."),
        Row("He's, she's coming at eight.", "She's coming at eight."),
        Row("If you're. When you're ready, press the button.", "When you're ready, press the button."),
        Row("Wash the, cut the potatoes into small pieces.", "Cut the potatoes into small pieces."),
        Row("On Tuesday the, on Wednesday the team will meet.", "On Wednesday the team will meet."),
        Row("Sarah will, Tom will talk to the client.", "Tom will talk to the client."),
        Row("The first item was, the second item was sold last week.", "The second item was sold last week."),
        Row("When the file is, if the file is missing, we stop.", "If the file is missing, we stop."),
        Row("You need to, you have to restart the service.", "You have to restart the service."),
    ]

    static let leftAlone = [
        "Play the search the band made.",
        "I know it it's mine.", "She does she helps me.", "It's just really it seems odd.",
        "It does it's late.", "It is really this much.", "This is just this much.",
        "I do yes I do.", "Call five oh five.", "Maybe yes maybe no.", "The good the bad and the ugly.",
        "On the other hand other people agree.", "It is another first the first of its kind.",
        "Call Mom can you call Dad?", "Can you check the oven can you check the stove?",
        "I thought too ill of him to invite him to the house.", "What do you like to do when you have time?",
        "Press okay press cancel.", "Type yes type again.", "Add the eggs the milk.", "Oh well I tried.",
        "Well well I hope so.", "Who am I what is this?", "My coffee shop has coffee.",
        "Buy a car sell a house.", "Give the dog the bone.", "Play the song the band wrote.",
        "Is the store the pharmacy?", "Show the user the page.", "Delete the file the script made.",
        "Tell them who I am I will wait.", "I moved back a little, a very little.",
        "From the best, the purest of motives.", "If we do that if we care we will see.",
        "It was, I think, a mistake.", "It was I think a mistake.", "It is they who know.",
        "I do I want it for a day.", "I am that's fine.", "At 10:30 am is fine.",
        "What's on my schedule this week?", "Are there meetings on the schedule this month?",
        "Where is he I do not see him?", "You can't can you?", "Who's who in the team?", "And that's that.",
        "Ah, don't do that.", "We will have it served at six.", "Don't you do that, Tom.",
        "Things as they aren't are what I care for.", "He is older than he looks.", "What it is is a shame.",
        "Vitamin A the doctor says is good for her.", "You and I and my sister.",
        "My wife and I we both work.",
        "If you want to we can go.", "I can't wait to see him.", "Go get the car.", "Set the table.",
        "I said I never said that.", "I think I know what I think.", "We the people.",
        "From Monday to Friday to Sunday.", "The man the dog bit left.", "Give the dog the bone.",
        "One step two steps three steps.", "The question is is it worth it.",
        "It was he, not the others, who named the place.",
        "Tell my mother my father is here.", "Remind me at five at seven and at nine.",
        "Send the red the green and the blue one.", "In the morning the evening shift leaves.",
        "Turn the heating on in Paris in France.", "Set the alarm from five to six to seven.",
        "I want to I really do.", "Do you do it often?", "Turn on turn signals.",
        "Add the red the green I do not need.",
        "Cut a two by four by three.", "Turn on the light turn off the fan.",
        // Ended, although another word could follow, or set off by commas.
        "If I can, you can do it.", "As you are, we are ready.", "Tom will, Anna will not come.",
        "Tom can, Anna can also swim.", "Tom can, Anna can too.", "He can, he will, he must.",
        "I don't want to, I have to do it now.", "I'd love to, I have to work late.",
        "I do, you do it wrong.",
        "I don't want to I have to do it now.", "He told her to, she told him to wait.",
        "They are, we are told, the best.", "It's easy, it's fun.", "He's here, he's there.",
        "I gave her the A, the B was mine.", "That is for the ITS rules.", "Use it via the MY class.",
        "The A, the B, and the C are letters.",
        "That was the how do you say last straw.", "What it does does not matter.", "If you know, you know.",
        // The second one is the subject of another clause.
        "If you read the output, the output may be lost.", "If it is an array, an array of them is returned.",
        "Note that if you read the file the file may be lost.",
        "When you use an object the whole object is moved.",
        "If they are not the same the server stops.", "Look in the reply a number is there.",
    ]

    @Test("abandoned words are removed", arguments: begunAnew)
    func givenUp(_ row: Row) { #expect(cleaner.clean(row.raw).text == row.clean) }

    @Test("words that only look alike stay", arguments: leftAlone)
    func untouched(_ text: String) { #expect(cleaner.clean(text).text == text) }

    @Test("cleaning twice is cleaning once", arguments: begunAnew.map(\.raw) + leftAlone)
    func stable(_ raw: String) {
        let once = cleaner.clean(raw).text
        #expect(cleaner.clean(once).text == once)
    }

    @Test("names of people and places have capitals, and what is another word as well has none")
    func names() {
        let text = cleaner.clean("alice's sister met oliver in new york and lisbon").text
        #expect(text == "Alice's sister met Oliver in New York and Lisbon.")
        let words = "Will mark hope for grace, art and a rose at dawn."
        #expect(cleaner.clean(words).text == words)
    }
}
