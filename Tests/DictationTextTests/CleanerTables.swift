import DictationText
import Testing

/// A text as it was heard, and as it is to be typed.
struct Row: Sendable, CustomTestStringConvertible {
    let raw: String
    let clean: String

    init(_ raw: String, _ clean: String) {
        self.raw = raw
        self.clean = clean
    }

    var testDescription: String { raw }

    /// It becomes what it should, and cleaning that again changes nothing.
    func check(in language: Language, _ place: SourceLocation = #_sourceLocation) {
        let cleaner = TextCleaner(language: language)
        #expect(cleaner.clean(raw).text == clean, sourceLocation: place)
        #expect(cleaner.clean(clean).text == clean, sourceLocation: place)
    }
}

enum Tables {
    /// For each rule a text on which it acts.
    static let acting: [CleaningRule: String] = [
        .spokenMarks: "yes comma please", .scratching: "I come on monday scratch that",
        .selfCorrections: "come at five no wait at six", .dictionary: "cooper netties runs",
        .marks: "however it was late", .pauses: "", .addresses: "see example dot com",
        .abbreviations: "dear mister brown",
        .money: "five dollars", .measures: "two hundred meters", .dates: "in nineteen eighty four",
        .versions: "version two point one", .digitRows: "call five five five one two three four",
        .times: "at half past three", .codes: "an x eighty six", .fractions: "two thirds of it",
        .decimals: "sixty point two", .ordinals: "the twenty first", .cardinals: "two hundred five",
        .properWords: "on monday", .hesitations: "um yes", .fillerPhrases: "well, you know, yes",
        .stutters: "w- well", .restarts: "find the my keys", .repetitions: "i want the the dog",
        .capitals: "yes", .finalMark: "yes",
    ]

    static let hesitations = [
        Row("i want a um uh apple", "I want an apple."),
        Row("write an uh html page", "Write an HTML page."),
        Row("ask an uh hr manager", "Ask an hr manager."),
        Row("she drew a uh unicorn and a um unusual horse", "She drew a unicorn and an unusual horse."),
        Row("An um uniform, a uh hour.", "A uniform, an hour."),
        Row("take vitamin a um every day", "Take vitamin a every day."),
        Row("set a timer for twenty uh five minutes", "Set a timer for 25 minutes."),
        Row("please call tom uh mary and bob", "Please call Tom Mary and Bob."),
        Row("book a flight to paris uh texas", "Book a flight to Paris Texas."),
        Row("we met tom uh mary there", "We met Tom Mary there."),
        Row("remind me at five uh six hundred", "Remind me at five 600."),
        Row("um i think so", "I think so."),
        Row("umm uhh we should er go", "We should go."),
        Row("uhm erm hmm mm let's see", "Let's see."),
        Row("Um, I think so.", "I think so."),
        Row("I, um, think so.", "I think so."),
        Row("Yes, um, we can.", "Yes, we can."),
        Row("We went there um. And then we left.", "We went there. And then we left."),
        Row("You said that, um?", "You said that?"),
        Row("It was, uh... late.", "It was late."),
        Row("Uuuummmm okay", "Okay."),
        Row("ahmm I think so uhhh yes", "I think so yes."),
        Row("mmhm that is fine", "That is fine."),
        Row("Err… that is fine.", "That is fine."),
        Row("We waited, uh.", "We waited."),
        Row("But, um, we waited.", "But we waited."),
        Row("we read the er report", "We read the report."),
        Row("er i think so", "I think so."),
        Row("i went to the er the shop", "I went to the shop."),
        Row("it was an er apple", "It was an apple."),
        Row("the, er, report", "The report."),
    ]

    static let hesitationsLeftAlone = [
        Row("To err is human.", "To err is human."),
        Row("She was taken to the ER.", "She was taken to the ER."),
        Row("er visit for chest pain", "ER visit for chest pain."),
        Row("seen in the er yesterday", "Seen in the ER yesterday."),
        Row("he came to the er", "He came to the ER."),
        Row("from the er to the icu", "From the ER to the ICU."),
        Row("the er is full", "The ER is full."),
        Row("the er doctor said no", "The ER doctor said no."),
        Row("Uh huh.", "Uh huh."),
        Row("Uh-huh.", "Uh-huh."),
        Row("mm hmm", "Mm hmm."),
        Row("Uh oh.", "Uh oh."),
        Row("It is 5 mm wide.", "It is 5 mm wide."),
        Row("It is two mm wide.", "It is two mm wide."),
        Row("The word “um” is short.", "The word “um” is short."),
        Row("He said \"er\" twice.", "He said \"er\" twice."),
        Row("An umbrella for her.", "An umbrella for her."),
        Row("Oh, ah, eh.", "Oh, ah, eh."),
    ]

    static let phrases = [
        Row("and you know gags and stuff like that", "And gags and stuff like that."),
        Row("it depends on you know how much it costs", "It depends on how much it costs."),
        Row("we liked the place you know we went there twice", "We liked the place. We went there twice."),
        Row("you know in that sense it works", "In that sense, it works."),
        Row("you know there is no harm in that", "There is no harm in that."),
        Row("it was so bad you know it had a smell", "It was so bad. It had a smell."),
        Row("sometimes i feel i mean i do go there", "Sometimes I feel I do go there."),
        Row("i mean if he came it would help", "If he came it would help."),
        Row("oh uh yeah right", "Yeah right."),
        Row("let's see um find a flight to rome", "Find a flight to Rome."),
        Row("It was, you know, great.", "It was great."),
        Row("You know, I like it.", "I like it."),
        Row("It's hard, you know.", "It's hard."),
        Row("it was you know really good", "It was really good."),
        Row("the you know thing", "The thing."),
        Row("I mean, it works.", "It works."),
        Row("i mean it's fine", "It's fine."),
        Row("but i mean he was late", "But he was late."),
        Row("I was, like, really tired.", "I was really tired."),
        Row("it was like totally empty", "It was totally empty."),
        Row("Like, I was there.", "I was there."),
    ]

    static let phrasesLeftAlone = [
        "You know and I know that it is late.", "Some of you know that.", "It was him, by you know who.",
        "And you know it too.", "Because you know my sister.", "Uh oh, I forgot it.",
        "The one I mean is here.",
        "I thought that you know the answer.", "You know if it rains.",
        "I like it.", "It looks like rain.", "I would like tea.", "Do it like this.", "It feels like summer.",
        "I would like, if I may, a word.", "It was like a dream.", "There were like 20 people.",
        "Words like these.", "He was like a father to me.", "People like you know the answer.",
        "It's like so many other things.", "I like, want, and need it.",
        "Verbs such as want, like, and need.",
        "Love, like, hate.", "Like father, like son.", "Do you know him?", "You know that.",
        "You know the answer.",
        "As you know, we moved.", "If you know, tell me.", "I thought you knew.", "All of you know that.",
        "I told her you know.", "You know what I mean.", "It was you know who.", "I mean it.",
        "I mean what I say.",
        "I mean you no harm.", "And I mean it.", "What do I mean?",
        "I mean business.", "Let me know what you know.", "You know?",
    ]

    static let stutters = [
        Row("w- w- we should go", "We should go."),
        Row("w-w-we should go", "We should go."),
        Row("b-b-but why", "But why?"),
        Row("the transcr- transcription is done", "The transcription is done."),
        Row("I — I think so", "I — I think so."),
        Row("th— the end", "The end."),
        Row("what is the calor calorie count", "What is the calorie count?"),
        Row("look in my ph phone", "Look in my phone."),
        Row("th, th, the status", "The status."),
        Row("call um scot um scotty", "Call scotty."),
        Row("show me the, uh, sta status", "Show me the status."),
        Row("set the therm the thermostat to seventy", "Set the thermostat to 70."),
        Row("what's the wea what's the weather like in boston", "What's the weather like in Boston?"),
        Row("jus just call me", "Just call me."),
        Row("ga ga get the phone", "Get the phone."),
        Row("show me the wa, wa, weather", "Show me the weather."),
    ]

    static let stuttersLeftAlone = [
        "Pre- and post-war houses.", "An x-ray.", "D-Day.", "A t-test.", "A well-known fact.",
        "Two- twofold.", "To be to begin.", "The play the players staged.",
        "I like the act I like the actor.", "Call Kris Kristofferson.", "Watch TV TVs.",
        "Ha ha hello.", "La la land.", "Da da dinner.", "Call Jo Joanna.",
        "Write it in an app apps use.",
        "Write to newmail@gmail.com comments.", "The mil is a unit.", "The US uses it.",
        "Add additional water.",
        "Ask Al Albertson.",
        "Plan A - a good one.", "A state-of-the-art one.",
    ]

    static let repetitions = [
        Row(
            "i do not know when we met but it seems it seems to work",
            "I do not know when we met but it seems to work."),
        Row("there there are many of them", "There are many of them."),
        Row("and then you you pour it in", "And then you pour it in."),
        Row("if the child is is happy we are happy", "If the child is happy, we are happy."),
        Row("the the dog", "The dog."),
        Row("the the the dog", "The dog."),
        Row("tell me if i should should go", "Tell me if I should go."),
        Row("what i can can do", "What I can do."),
        Row("i think that he has has a cold", "I think that he has a cold."),
        Row("I think I think so", "I think so."),
        Row("i i'm i'm here", "I'm here."),
        Row("we should we should go", "We should go."),
        Row("in the in the house", "In the house."),
        Row("I, I think so.", "I think so."),
        Row("I think, I think so.", "I think so."),
        Row("we need need more", "We need more."),
        Row("the um the dog", "The dog."),
        Row("can you can you hear me", "Can you hear me?"),
        Row("it it works", "It works."),
        Row("The the dog.", "The dog."),
        Row(
            "we were going to the we were going to the house",
            "We were going to the house."),
        Row("turn off turn off the light", "Turn off the light."),
        Row("it was it was it was late", "It was late."),
        Row("we live in in a small town", "We live in a small town."),
        Row("please please call the office", "Please call the office."),
        Row("in London in London", "In London."),
        Row("what do you what do you think", "What do you think?"),
        Row("you, you know, you could", "You could."),
        Row("what is my total due total due", "What is my total due?"),
        Row("show the last ten ten days", "Show the last ten days."),
        Row("i have to have to have to go", "I have to go."),
    ]

    static let repetitionsLeftAlone = [
        "If it works it works.", "When it rains it rains.",
        "We waited for years and years and years.", "That's right, that's right.",
        "There, there, it is all right.",
        "What it is is a shame.",
        "He had had enough.", "I know that that is true.", "What it is is a start.", "Call two two seven.",
        "It is very very good.", "No no no.", "Bye bye.",
        "I really really mean it.",
        "Ha ha.", "A long, long time.", "A long long time.", "Far far away.", "Knock knock.",
        "I told you you could.",
        "She gave her her book.", "Log in in the morning.", "Go on on Monday.", "New York New York.",
        "Duran Duran.",
        "Walla Walla.", "I saw the The.", "No. No.", "Over and over and over.",
        "Step by step by step.", "More and more and more.", "Thank you thank you.", "Come on come on.",
        "So so.",
        "Go go go.", "555 555 1234.", "Because of it it failed.", "And so on and so on.", "Blah blah blah.",
        "Will Will come?", "I hope that will Will.", "The word “the the” is odd.", "Day by day by day.",
        "Bora Bora.", "Oh oh.", "From day to day to day.", "In New York New York.",
        "Whom did they lend aid to, to rebuild?", "Had had.",
    ]

    static let capitals = [
        Row("hello. how are you", "Hello. How are you?"),
        Row(
            "so i said i'm here and i'll stay, i've time, i'd love to",
            "So I said I'm here and I'll stay, I've time, I'd love to."),
        Row("i’m here", "I’m here."),
        Row("éclairs are good", "Éclairs are good."),
        Row("“hello there”", "“Hello there”."),
        Row("wait... what", "Wait... what."),
        Row("we met mr. smith", "We met Mr. Smith."),
        Row("fruit, e.g. apples", "Fruit, e.g. apples."),
        Row("really? yes! fine", "Really? Yes! Fine."),
    ]

    static let capitalsLeftAlone = [
        "iPhone prices rose.", "eBay is old.", "example.com is down.", "me@example.com is mine.",
        "NASA did it.",
        "We use (i) and (ii).", "McDonald came.", "i.e. this one.",
    ]

    static let questions = [
        "who is there", "what do you think", "when are we leaving", "where did you go", "why is it dark",
        "how do i open this", "which one is yours", "whose book is this", "do you know him",
        "can you hear me", "whose car blocks the driveway",
        "could you send me the file", "is it raining", "are you there", "was the train late", "will it work",
        "would you like tea", "have you seen it", "has anyone called", "did they win", "does this work",
        "shall we go", "should i call him", "may i come in", "isn't it nice", "don't you think so",
        "what's the time",
        "who wants coffee", "how many people came", "how long will it take", "what time is it",
        "what about lunch",
        "why not", "how come", "so what do you think", "okay can you hear me",
        "in what country is normandy located",
        "from which station does it leave", "if you have time, can you call me", "it's nice, isn't it",
        "which of the two is better", "well, is it true", "what happened", "who was it", "aren't you tired",
    ]

    static let statements = [
        "what a day", "what a nice surprise", "what i want is tea", "what you see is what you get",
        "when i get home i will call", "where there is smoke there is fire", "how to open a file",
        "how much i love you", "which is why we left", "do it now", "do that again", "have a nice day",
        "have it your way", "had i known i would have come", "should you need help call me", "don't you dare",
        "will is here", "can openers are useful", "i wonder what it is", "tell me who you are",
        "may the force be with you", "whose it is does not matter",
        "in which case we will leave", "were it not for him we would win", "whatever you want",
        "however it was late",
        "is what i said", "do the dishes", "let me know if you can", "nor did you", "in time we will see",
    ]

    static let marks = [
        Row("hello", "Hello."),
        Row("hello.", "Hello."),
        Row("hello .", "Hello."),
        Row("hello ,", "Hello."),
        Row("hello,", "Hello."),
        Row("hello..", "Hello."),
        Row("hello...", "Hello..."),
        Row("hello…", "Hello…"),
        Row("hello?!", "Hello?"),
        Row("hello!", "Hello!"),
        Row("the list is:", "The list is:"),
        Row("i was going to —", "I was going to —"),
        Row("he said “hello”", "He said “hello”."),
        Row("He said “hello.”", "He said “hello.”"),
        Row("(an aside)", "(An aside)."),
        Row("it costs 5 €", "It costs 5 €."),
        Row("it rose by 5%", "It rose by 5%."),
        Row("thanks :)", "Thanks :)"),
        Row("thanks 😀", "Thanks 😀"),
        Row("are you there, john", "Are you there, John?"),
        Row("is it “true”", "Is it “true”?"),
    ]

    static let spacing = [
        Row("  Hello \t there.  ", "Hello there."),
        Row("Hello\u{0} the\u{1B}re\u{7F}.", "Hello there."),
        Row("\u{FEFF}Hello\u{202E} there.", "Hello there."),
        Row("Hello\u{A0}there.", "Hello there."),
        Row("one line\nanother line", "One line\nAnother line."),
        Row("one\r\ntwo\u{2028}three", "One\nTwo\nThree."),
        Row("\n\none\n\n\n\ntwo\n", "One\n\nTwo."),
        Row("one\num\ntwo", "One\nTwo."),
        Row("A family 👩‍👩‍👧.", "A family 👩‍👩‍👧."),
        Row("नमस्ते", "नमस्ते."),
        Row("你好", "你好."),
    ]

    static let silent = [
        "", " ", "\n\n", "um", "um, uh.", "Um...", "you know", "um you know", ".", "...", " , . ", "\u{0}",
        "hmm?", "“”",
    ]

    static let clean = [
        "Hello.", "I don’t think so.", "This is one. This is two.", "“Well,” he said, “it is late.”",
        "Are we there yet?", "No!", "It cost $3.50, i.e. too much.", "See https://example.com/a_b for more.",
    ]
}
