import SelfCorrection

extension Language {
    /// English, British and American.
    public static let english = Language(
        identifier: "en",
        words: WordKinds.table(English.lists, numbers: .english, marks: .english),
        endings:
            "ation tion ment ness ious ing ity ies est ers ism ist ous ive ful ed er al ly ic an en es s y",
        hesitations: ["um", "uh", "uhm", "ehm", "er", "erm", "hm", "m"],
        notHesitations: ["err"],
        units: ["mm", "um"],
        answers: pairs("uh huh, uh oh, uh uh, mm hm, mm hmm, mm mm, hm mm"),
        fillerPhrases: EnglishFillers.phrases,
        phrasesMeantTwice: pairs(
            """
            thank you, come on, i do, you do, we do, of course, all right, let's go, oh my, oh my god, and so on, \
            and on, so on, here you, here we go, how dare you, do it, go for it, i know, i see, i am, it is, on and, \
            who you are, what you do, how are you, that is, as well
            """),
        corrections: corrections,
        timeWords: [
            "today", "tomorrow", "tonight", "yesterday", "morning", "afternoon", "evening", "night", "noon",
            "midnight",
            "week", "weekend", "month", "year",
        ],
        timeOpenings: [
            "at", "by", "on", "in", "before", "after", "until", "since", "this", "next", "last", "every",
            "the", "half",
            "quarter", "a",
        ],
        passedWords: [
            "instead", "better", "first", "just", "ok", "okay", "like", "really", "rather", "actually",
            "maybe",
        ],
        listWords: ["and", "or", "but", "nor", "to", "by"],
        denyingWords: ["not"],
        doubledWords: EnglishDoubles.words,
        restarts: .english,
        inversions: English.inversions,
        plainAuxiliaries: ["should", "had", "may", "might", "must", "am", "shall"],
        requestSubjects: ["you"],
        commands: pairs("don't you dare, don't you ever, do you good"),
        contractedQuestions: [
            "what's", "who's", "where's", "how's", "when's", "why's", "what're", "who're", "where're",
            "how're",
            "what'll", "who'll", "who'd", "what'd", "where'd", "how'd", "why'd",
        ],
        subjectQuestion: "who",
        questionPairs: pairs(
            """
            what about, what if, what else, what happened, what happens, what next, what for, how come, how about, \
            why not, why bother, how else, who else, where else, how many, how often, which one, \
            which ones, which of
            """),
        statementPairs: pairs("which is, which was, which are, which were, what a, what an, how to"),
        numbers: .english, marks: .english,
        negations: [
            "not", "no", "never", "none", "nothing", "nobody", "nowhere", "neither", "nor", "without",
            "cannot", "hardly", "barely", "scarcely", "rarely", "seldom", "unless", "except",
        ],
        snippetWords: ["insert", "snippet"])

    private static let corrections: CorrectionWords = {
        var words = CorrectionWords()
        words.editTerms = byFirstWord(
            """
            no, nope, nah, or, rather, sorry, i'm sorry, sorry about that, so sorry, wait, i mean, i meant, i mean to say, \
            i meant to say, make that, make it, scratch that, scratch this, strike that, delete that, forget that, \
            actually, instead, tell me, just tell me, and tell me, oops, oopsie, oop, opps, whoops, ugh, shoot, darn, damn, \
            dang it, darn it, let me say, let's say, should say, i should say, better yet, let me ask, \
            let me ask you, let me rephrase, i guess, i want to know, excuse me, pardon, pardon me, hold on, \
            my bad, my mistake, oh, ah, hmm, err, doh, d'oh, ah, not that, change that to, change this to, that should be, \
            never mind, nevermind, correction, yeah, maybe, specifically, what about, alternatively, on second thought, \
            that's wrong, what i meant was, what am i saying, ooh, oof, ooof, ahh, cancel that, cancel this, \
            or like, or should i say, i mean to ask, i meant to ask, meant to say, let me think, what in tarnation, \
            no fine, no not, or better, or more precisely, make it rather, to be precise, to be exact, \
            i wanted to say, i want to say, i should have said, i intended, i intended to say, what i want to know is, \
            what i actually want to know is, i actually want to know, i want to ask, i wanted to know, i want to know if, \
            i want to know what, i'd like to know, i'm wondering, swap that to, swap that, switch that to, switch that, \
            change that, nix that, hold up, apologies, my apologies, forgive me, whoopsie, whoopsidoodle, yikes, eek, oy, urgh, \
            ergh, erg, argh, dagnabbit, dammit, damnit, blast it, that's not right, that isn't right, wrong one, wrong word, \
            that doesn't make sense, that would be, i think it's called, i think it's, i think it might be, maybe it's, \
            more generally, more particularly, or more particularly, more broadly, or really, well really, or uh like, uh like, \
            er like, um like, not that but, not this but, let me restart, let me start over, let me start again, \
            let me rephrase that, let me say that again, let me put it another way, no just, no really, sorry just, \
            tell me about, just tell me about, i really mean, i mean really, well actually, i was thinking, and by that i mean, \
            what i mean is
            """)
        words.weak = pairs(
            """
            no, nope, nah, or, rather, sorry, i'm sorry, so sorry, sorry about that, wait, i mean, i meant, make that, \
            make it, actually, instead, tell me, just tell me, and tell me, ugh, shoot, darn, damn, let me say, let's say, \
            should say, i should say, better yet, let me ask, let me ask you, i guess, i want to know, excuse me, pardon, \
            pardon me, hold on, my bad, my mistake, oh, ah, hmm, err, not that, change that to, change this to, \
            that should be, never mind, nevermind, forget that, delete that, yeah, maybe, specifically, what about, \
            alternatively, that's wrong, ooh, oof, ooof, ahh, or like, i want to say, \
            i wanted to say, what i want to know is, what i actually want to know is, i actually want to know, i want to ask, \
            i wanted to know, i want to know if, i want to know what, i'd like to know, i'm wondering, change that, hold up, \
            apologies, my apologies, forgive me, yikes, eek, oy, urgh, ergh, erg, argh, that would be, i think it's called, \
            i think it's, i think it might be, maybe it's, more generally, more particularly, or more particularly, more broadly, \
            or really, well really, or uh like, uh like, er like, um like, not that but, not this but, no just, no really, \
            sorry just, tell me about, just tell me about, i really mean, i mean really, well actually, i was thinking, \
            what i mean is, no not, or better, let me think, or no, oh no, or sorry, or wait, or maybe, or yeah, or tell me, or actually, \
            or instead, oh yeah, oh i mean, maybe no, yeah no, no i mean, sorry i mean, no i meant
            """)
        words.notBefore = pairs(
            """
            instead of, rather than, no one, no longer, no more, no matter, no doubt, no problem, no worries, no thanks, \
            no idea, no need, no such, no other, wait for, wait until, or not
            """
        )
        words.notBetween = pairs(
            "what i mean is, what i meant is, what i meant was, what i mean by, what i meant by")
        words.inClauses = pairs("make that, make it, that should be, that would be, what about, specifically")
        words.behindVerbs = ["rather", "actually", "maybe", "instead"]
        words.preferring = ["would", "wouldn't"]
        words.denying = ["no"]
        words.deniedVerbs = EnglishDenials.verbs
        words.retracting = ["no", "nope", "sorry", "wait", "mean", "meant", "scratch", "oops"]
        words.verbs = [
            "wait", "hold", "scratch", "strike", "delete", "forget", "tell", "let", "make", "change",
            "cancel", "swap",
            "switch", "nix", "excuse", "pardon", "forgive",
        ]
        words.scratching = ["scratch", "strike", "rephrase"]
        words.afterthoughts = ["rather", "instead", "actually", "sorry"]
        words.contrasting = ["but"]
        return words
    }()

    /// Phrases of several words, written with commas between them.
    fileprivate static func pairs(_ list: String) -> Set<[String]> {
        Set(list.split(separator: ",").map { $0.split(whereSeparator: \.isWhitespace).map(String.init) })
    }
}

/// The lists of English.
private enum English {
    static let pronouns = "i you he she it we they there this that these those"
    static let firstPerson = "i i'm i've i'd i'll i'd've i'ma"
    static let numbers = """
        zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
        seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million
        billion double triple point oh
        """

    static let lists: [(WordKinds, String)] = [
        (.fillerStart, "you i like so well err eh ah let's let"),
        (.function, firstPerson + " " + pronouns + " " + functionWords),
        (.doubles, "you her it in on this these those what"),
        (.meantTwice, meantTwice),
        (.number, numbers),
        (.firstPerson, firstPerson),
        (
            .personal,
            firstPerson
                + " me my mine we us our ours you you're you've you'd you'll your yours we're we've we'll"
        ),
        (.conjunction, "and but or nor so because if when while although though that"),
        (.expectsMore, expectsMore),
        (.abbreviation, "mr mrs ms dr prof st vs etc e.g i.e approx fig no vol jr sr inc ltd dept est"),
        (
            .opener,
            "and but so or well okay ok hey hi hello oh ah yeah yes no now then also please right sorry anyway"
        ),
        (.question, "who whom whose what when where why how which"),
        (.determining, "what which whose how"),
        (.preposition, "in on at for from to of with by about during under after before since until through"),
        (.auxiliary, auxiliaries),
        (.pronoun, pronouns),
        (.subject, firstPerson + " " + pronouns + " " + subjects),
    ]

    private static let auxiliaries = """
        is are was were am be been being do does did have has had can could will would shall should may might must
        isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't can't couldn't won't wouldn't shouldn't
        """

    private static let subjects = """
        you're you've he's she's it's we're we've they're they've that's there's the a an my your his her our their
        everyone everybody somebody someone people
        """

    /// Said twice, these were sought. Words that grammar or emphasis doubles are in `meantTwice` beside it, which
    /// wins.
    private static let functionWords = """
        the a an my your his her its our their some any every each another
        you're you've you'll he's he'll she's she'll it's it'll we're we've we'll they're they've they'll that's
        there's let's
        to of in on at for with from by about into onto as than through between without
        and but or if when because while although so
        is are was were am be been will would can could should shall may might must has have had do does did
        isn't aren't wasn't weren't don't doesn't didn't can't couldn't won't wouldn't shouldn't
        what where when why how which who whose
        """

    private static let meantTwice = """
        very really so too much many more most far long big little tiny deep old new way ever never always again quite
        no yes yeah yep nope okay ok please sorry thanks hello hi hey bye now here there well wow oh ah ha haha ho hee
        knock tut tsk blah yada bla la na da choo chop ding dong tick hush shh aye hip go wait stop help come look
        listen run please good bad nice night bora pom cha can-can aga sing walla baden yo bon mama papa dada bling
        hubba rah pitter up down round over out plus
        had that is was been do did will may mark can who
        """

    private static let expectsMore = """
        the a an my your his our their its i we they he she
        i'm i've i'll i'd you're you've he's she's it's we're we've they're they've that's there's
        to of at for with from by into onto than as
        and but or nor because if so that
        is are was were am be been will would can could should shall has have had do does did
        very really just quite
        """

    private static func words(_ list: String) -> Set<String> {
        Set(list.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    private static let determiners =
        "the a an my your his her our their any anyone anybody everyone everybody someone"
    private static let persons = "i you he she we they it"

    /// Verb by verb, the subjects after which a sentence is a question. "Have it", "do that" and "had I known" are
    /// not, so each verb has a list of its own.
    static let inversions: [String: Set<String>] = {
        let all = words(pronouns + " " + determiners + " somebody people")
        let people = words(persons)
        var table: [String: Set<String>] = [
            "is": words("he she it this that there " + determiners),
            "was": words("i he she it this that there " + determiners),
            "are": words("you we they there these those all any both the my your his her our their people"),
            "were": words("you we they there these those all any the my your our their people"),
            "am": ["i"],
            "do": words("i you we they people these those"),
            "have": words("i you we they these those"),
            "has": words("he she it this that there " + determiners),
            "may": ["i", "we"],
            "might": ["i", "we"],
            "must": ["i", "we", "you"],
            "shall": ["i", "we"],
            "should": words("i we he she they"),
            "don't": words("i you we they people"),
            "haven't": words("i you we they"),
            "hadn't": people,
            "aren't": words("i you we they there these those the my your our their"),
            "weren't": words("you we they there these those the"),
        ]
        for verb in ["does", "did", "can", "could", "will", "would"] { table[verb] = all }
        for verb in [
            "isn't", "wasn't", "doesn't", "didn't", "can't", "couldn't", "won't", "wouldn't", "shouldn't",
        ] {
            table[verb] = all
        }
        table["hasn't"] = all
        // "Can it wait" is rare beside "will that", and "can the chatter" rarer still: both are read as questions.
        return table
    }()
}
