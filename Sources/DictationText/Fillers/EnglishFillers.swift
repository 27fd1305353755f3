/// "You know", "I mean", "like", "so" and "well" in English: the neighbours between which they say nothing.
enum EnglishFillers {
    static let phrases: [FillerPhrase] = [
        FillerPhrase(
            words: ["you", "know"], setOff: .anywhere,
            contexts: [
                // In the middle of a sentence it says something only behind or before some words.
                .init(
                    after: nil, notAfter: words(knowing + " " + joining + " so well yes yeah no"),
                    notBefore: words(known)),
                .init(
                    after: words("|start so well yeah oh " + joining),
                    before: words(persons + " there's that's nobody everybody"),
                    notThen: words(meant)),
                .init(after: words(determiners + " " + being), notBefore: words(questions + " that if")),
                .init(
                    after: words(joining), before: words("there maybe sometimes"), notThen: words("too well")),
                .init(after: words(joining), before: ["it"], then: words(auxiliaries)),
                .init(after: words("so"), before: ["just"], atStart: true),
                .init(
                    after: [""], before: words("maybe perhaps sometimes honestly actually basically there's")),
                .init(after: words("with about in from at"), before: words(quantities)),
            ],
            // "Do you um know": asked. "Somebody you know", "as you know": meant.
            beside: .init(notAfter: words(knowing)), endsAfter: [],
            endsNotAfter: words(knowing + " her him them me us told said")),
        FillerPhrase(
            words: ["i", "mean"], setOff: .atSentenceStart,
            contexts: [
                // "I mean it", "I mean you no harm" and "I mean what I say" are no fillers.
                .init(
                    after: words(opening),
                    before: words(
                        """
                        i i'm i've i'd i'll he he's he'd she she's she'd we we're we've we'll we'd they they're they've \
                        it's it'll that's there there's you're you've you'll let's maybe honestly sure
                        """)),
                .init(after: words(opening), before: words("it you that this"), then: words(auxiliaries)),
                .init(
                    after: words(opening), before: words("you they we"),
                    then: words("never always know just really")),
            ],
            beside: .init(notAfter: words("what that who which do does did whatever if thing"))),
        FillerPhrase(
            words: ["like"], setOff: .anywhere, mayBeListed: true,
            contexts: [
                // "It was like a dream" and "it's like so many others" are likenesses.
                .init(
                    after: words(being + " was just"),
                    before: words("totally super really very completely too absolutely")),
                // "With like three of them".
                .init(after: words("in for with on from a an the"), before: words(numbers + " a an really")),
                .init(after: words("was is were are took takes had have has"), before: words(numbers)),
                .init(after: words(being), before: ["so"], notThen: words("many much few")),
                // "But like he said" is one as well.
                .init(
                    after: words("and but because so"), before: words(persons + " nobody everybody everyone"),
                    notThen: words(saying)),
                .init(
                    after: [""], before: words("i we they he she nobody everybody everyone"),
                    notThen: words(saying)),
                // "And like it was raining".
                .init(after: words("and but because so"), before: ["it"], then: words(auxiliaries)),
            ],
            beside: .init(
                notAfter: words(
                    """
                    i you he she we they it people would i'd you'd he'd she'd we'd they'd to don't didn't doesn't won't not \
                    really also just still feel feels felt look looks looked sound sounds sounded seem seems smell smells \
                    taste tastes something anything nothing things much more do does did will may might can what
                    """),
                // No noun, and no verb that "like" takes: "the people uh like wait".
                before: words(
                    """
                    wait went came said wanted got took gave made told asked is are was were will would \
                    can could should must \
                    have has had just really never always totally
                    """))),
        // "To err is human".
        FillerPhrase(
            words: ["err"], setOff: .anywhere,
            contexts: [
                .init(
                    after: nil,
                    notAfter: words(
                        "to not i we you they who may might would could should will can do don't"),
                    notBefore: words("on in is")),
                .init(after: [""], notBefore: words("on in is")),
            ]),
        FillerPhrase(words: ["eh"], setOff: .never, contexts: [.init(after: nil), .init(after: [""])]),
        FillerPhrase(
            words: ["ah"], setOff: .never,
            contexts: [
                .init(after: nil, notAfter: words("oh ah said"), notBefore: words("ah ha well yes no"))
            ]),
        // "Let's see if it works".
        FillerPhrase(
            words: ["let's", "see"], setOff: .atSentenceStart, isSentence: true,
            contexts: [.init(after: [""], notBefore: words(looked))]),
        FillerPhrase(
            words: ["let", "me", "see"], setOff: .atSentenceStart, isSentence: true,
            contexts: [.init(after: [""], notBefore: words(looked))]),
        FillerPhrase(words: ["so"], setOff: .never, contexts: [], beside: .init(onlyAtStart: true)),
        FillerPhrase(words: ["well"], setOff: .never, contexts: [], beside: .init(onlyAtStart: true)),
        FillerPhrase(words: ["so", "yeah"], setOff: .never, contexts: [], endsAfter: []),
    ]

    /// Behind these somebody knows something: "do you know", "people you know", "all you know".
    private static let knowing = """
        do did does don't didn't if as that what whatever whoever than before since once let how could \
        would should can \
        will may might must all everything everyone everybody anything anyone anybody nothing nobody someone \
        somebody something people person man men woman women one ones place places thing things of who \
        whom which \
        where when why whether unless until though although while think guess bet hope wish sure glad i'm \
        know make \
        makes because now only first always never best better much many little friend friends kids guy \
        girl family \
        soon long way moment minute time like
        """
    /// Before these somebody knows something: "you know him", "you know what I mean".
    private static let known = """
        who what how why where when which whom whether if that him her them me us it this these those \
        about of to \
        anyone anybody someone somebody anything something everything nothing each all your my his their \
        our its better \
        best well too exactly already very full perfectly more enough as for
        """
    /// What one looks at.
    private static let looked = """
        if what how who whom why where when whether which the a an that this these those it them him her \
        you your my our \
        their his each some all more another about in on at into from to and or but for with
        """
    private static let meant = "too well love care can't will would mean"
    private static let determiners = "the a an my your our their his her its"
    private static let being = "is are was were i'm he's she's it's that's we're they're you're"
    private static let joining = "and but because or"
    private static let questions = "who what how why where when which whom"
    private static let quantities = "all three four five two some many several"
    private static let numbers = """
        two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen \
        nineteen twenty thirty forty fifty sixty seventy eighty ninety
        """
    private static let persons = """
        i i'm i've i'd i'll we we're we've we'd we'll they they're they've they'd he he's she she's it it's you're
        """
    private static let saying = """
        said say says told mentioned wrote did do does always used was were am explained promised want
        """
    private static let auxiliaries = """
        is isn't was wasn't are aren't were weren't can can't could couldn't will won't would wouldn't should have has \
        had do don't does doesn't did didn't might may must looks seems works takes
        """

    /// Where "I mean" begins a clause.
    private static let opening = "|start and but so well because yeah"

    /// Words in a set; `|start` is the start of a sentence.
    private static func words(_ list: String) -> Set<String> {
        Set(list.split(whereSeparator: \.isWhitespace).map { $0 == "|start" ? "" : String($0) })
    }
}
