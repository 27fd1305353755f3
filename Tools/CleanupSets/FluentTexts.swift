/// Fluent texts of many shapes, made from templates: orders, requests, questions, statements, mail, medical notes and
/// commit messages. They have no corrections, so a clean-up that removes a word does harm.
package struct FluentTexts {
    /// A slot in angle brackets becomes one of its phrases, which may have slots of their own.
    private static let templates = [
        // Orders and requests that begin with what a self-correction might.
        "<ask> <what>", "<ask> <thing>", "<ask> how <much> <owed>", "<ask> if <clause>", "<ask> why <clause>",
        "<look> <what>", "<look> <thing>", "<look> how <much> <owed>", "<look> if <clause>",
        "let me see <thing>", "let's see <thing>", "let me know if <clause>", "let me know when <clause>",
        "<order> <thing>", "<order> <thing> <when>", "<please> <order> <thing>",
        "<please> <order> <thing> <when>",
        "<order> <thing> and <order> <thing>", "remind me to <order> <thing> <when>",
        "tell <person> that <clause>", "tell <person> <what>", "ask <person> if <clause>",
        "add <item> to my to do list",
        "put <item> on the list and <order> <thing>", "send <thing> to <person> and <person>",
        "set a timer for <number> minutes", "wait for <person> before you <order> <thing>",
        "hold on to <thing> until <clause>", "make that <item> a priority",
        "make it <number> instead of <number>",
        "call <person> or <person> <when>", "turn off <thing> and turn on <thing>",
        "go get <item> and bring it to <person>",
        // Questions.
        "how long is the wait at <place>", "how long do I have to wait for <thing>",
        "is there a hold on <thing>",
        "why was a hold put on <thing>", "who or what is <thing>", "what or who changed <thing>",
        "who do I go to to <order> <thing>",
        "which <noun> is the one that <clause>", "what time is <thing> <when>", "do you know <what>",
        "did you find no <noun>",
        "would you rather <order> <thing> or <order> <thing>", "should we wait or should we <order> <thing>",
        "what do you mean by <noun>", "are you sorry about <thing>", "is it the <noun> or the <noun>",
        "can I say no to <thing>",
        "what is the best <noun> you know", "how do you say sorry in <language>",
        "when is <thing> due and who pays for it",
        // Statements.
        "I think <clause>", "I know that <clause>", "I am sorry that <clause>", "<person> said no to <thing>",
        "there is no <noun> in <thing>", "we have no <noun> and no <noun>", "I actually like <thing>",
        "I would rather <order> <thing> than <order> <thing>", "he got an A on his exam",
        "<person> got a B on the <noun>",
        "it was an all white panel with <item>", "we need an all new <noun> for <thing>",
        "all <number> of them are here",
        "what I mean is that <clause>", "I mean what I say about <thing>", "it looks like <clause>",
        "I feel like <clause>",
        "the more <noun> we have the better <thing> gets", "<thing> is very very good",
        "what it is is <thing>",
        "I know that that <noun> is new", "she had had <item> before <clause>",
        "<person> and <person> will <order> <thing> <when>",
        "if <clause> then <clause>", "<clause> because <clause>", "<clause> and <clause>",
        "<clause> but <clause>",
        "not only <thing> but also <thing>", "from <number> to <number> and from <number> to <number>",
        "day by day and step by step <clause>", "we talked and talked about <thing>",
        "they said yes and I said no",
        // Mail.
        "dear <person> thank you for <thing> I will get back to you <when> best regards <person>",
        "hi <person> please find attached <thing> let me know if <clause> thanks <person>",
        "hello <person> I am sorry for the delay <clause> I hope that is okay with you",
        "hi <person> just a quick note that <clause> see you <when>",
        "I wanted to ask you if <clause> because <clause>", "I'm writing to tell you that <clause>",
        "I would like to know <what> and <what>", "as you know <clause>", "you know that <clause>",
        // Medical notes.
        "patient is a <number> year old <sex> with no history of <illness> or <illness>",
        "no fever no chills no night sweats and no weight loss",
        "denies <illness> denies numbness reports <illness>",
        "start <drug> <number> milligrams twice a day for <number> days",
        "lungs are clear heart is regular no murmurs no rubs",
        "the patient was not able to tolerate <drug> and was changed to <drug>",
        "left knee pain right knee without pain",
        "follow up in <number> weeks or sooner if <illness> gets worse", "he has had <illness> since <when>",
        // Commit messages and code.
        "fix <bug> in <code>", "add <code> and remove <code>", "make <code> wait for <code>",
        "do not <order> <thing> if there is no <code>",
        "rename <code> to <code>", "make sure that <code> is not called before <code> is ready",
        "use <code> instead of <code>",
        "revert the change that <bug>", "let <code> know when <code> is done",
        "hold the lock while <code> is read",
        "what the bug report names is not a typo in <code>", "wait until <code> is done then <order> <thing>",
    ]

    private static let phrases: [String: [String]] = [
        "ask": [
            "can you tell me", "could you tell me", "would you please tell me", "can you please tell me",
            "tell me",
            "please tell me", "I want to know", "I would like to know", "can someone tell me",
            "can you show me",
            "show me", "let me ask you", "do you know", "could you find out", "will you tell me",
        ],
        "look": [
            "check", "please check", "can you check", "look up", "find out", "see", "let me check",
            "could you look up",
        ],
        "please": [
            "please", "can you", "could you", "would you please", "I want you to", "I need to", "you should",
            "we have to",
        ],
        "what": [
            "what <thing> costs", "what my balance is", "who made <thing>", "where <thing> is",
            "when <thing> opens",
            "what time it is in <place>", "which <noun> is new", "how long <thing> takes",
            "what the wait is like",
            "why there is a hold on <thing>", "how to get to <place>", "what kind of <noun> this is",
        ],
        "much": ["much", "many"],
        "owed": [
            "I owe", "I have left", "it costs", "we spent last month", "there are in <thing>",
            "is left in <thing>",
        ],
        "thing": [
            "the <noun>", "my <noun>", "our new <noun>", "the last <noun>", "<person>'s <noun>",
            "that <noun>", "all my <noun>",
            "the <noun> in <place>", "the price of <item>", "the current <noun>", "last month's <noun>",
            "a <noun>", "this week's <noun>",
            "the <noun> and the <noun>", "the <noun> from <person>",
        ],
        "noun": [
            "report", "bill", "meeting", "account", "stock price", "light", "door", "order", "list", "song",
            "credit card",
            "calendar", "budget", "kitchen", "ticket", "flight", "update", "invoice", "contract", "weather",
            "call", "plan",
        ],
        "item": [
            "milk", "two eggs", "apples and pears", "bread", "a new phone", "coffee", "ten stamps",
            "green paint",
        ],
        "order": [
            "send", "open", "check", "change", "cancel", "move", "read", "buy", "book", "find", "copy",
            "show", "print", "call about",
            "delete", "turn off", "look at", "ask about", "pay for", "talk about",
        ],
        "when": [
            "tomorrow", "on Monday", "at five", "next week", "this evening", "in the morning",
            "at half past two", "today",
            "by Friday at noon", "from now on", "before lunch",
        ],
        "person": [
            "Bob", "Alice", "my mother", "the doctor", "Mr. Miller", "my boss", "Sarah", "our team", "him",
            "her",
        ],
        "place": ["London", "the office", "Rome", "that restaurant", "the airport", "the back", "New York"],
        "number": ["two", "five", "ten", "twenty", "thirty five", "ninety", "sixteen"],
        "language": ["Spanish", "French", "Japanese"],
        "clause": [
            "<thing> is late", "it is too late", "we are ready", "I have no time", "there is no <noun>",
            "<person> has not called",
            "they want to wait", "you can wait for <thing>", "it will be done <when>",
            "<thing> was sent <when>", "nobody told me",
            "I have to go", "that is what <person> said", "it looks good to me", "we can not find <thing>",
            "she is sorry",
            "I would rather wait", "this is the one that I meant",
        ],
        "sex": ["male", "female"],
        "illness": [
            "chest pain", "asthma", "diabetes", "headache", "high blood pressure", "cough", "nausea",
        ],
        "drug": ["aspirin", "ibuprofen", "metformin", "amoxicillin"],
        "bug": ["a crash", "an off by one error", "a race", "broke the build", "a leak", "a typo"],
        "code": [
            "the parser", "the test", "the cache", "the old lock", "the worker", "the queue", "a flag",
            "the log file", "the store",
        ],
    ]

    package init() {}

    /// A text, bare as a recognizer without marks writes it.
    package func text(using generator: inout some RandomNumberGenerator) -> String {
        Self.filled(Self.templates.randomElement(using: &generator) ?? "", using: &generator)
    }

    private static func filled(
        _ template: String, using generator: inout some RandomNumberGenerator
    ) -> String {
        var text = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
            text += rest[..<open]
            let phrase = phrases[String(rest[rest.index(after: open)..<close])]?.randomElement(
                using: &generator)
            text += filled(phrase ?? "", using: &generator)
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }
}
