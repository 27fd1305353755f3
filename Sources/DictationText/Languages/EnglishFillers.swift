/// "You know", "I mean", "like", "so" and "well" in English: the neighbours between which they say nothing.
enum EnglishFillers {
    static let phrases: [FillerPhrase] = [
        FillerPhrase(
            words: ["you", "know"], setOff: .anywhere,
            contexts: [
                .init(after: words(determiners + " " + being), notBefore: words(questions + " that if")),
                .init(
                    after: words(joining), before: words(persons + " there there's that's maybe sometimes"),
                    notThen: words("too well")),
                .init(after: words(joining), before: ["it"], then: words(auxiliaries)),
                .init(after: words("so"), before: words("we they he she just"), atStart: true),
                .init(
                    after: [""], before: words("maybe perhaps sometimes honestly actually basically there's")),
                .init(after: words("with about in from at"), before: words(quantities)),
            ],
            // "Do you um know": asked. "Somebody you know", "as you know": meant.
            beside: .init(
                notAfter: words(
                    """
                    do did does don't didn't if as that what whatever whoever than before since once let how could would \
                    should can will may might must to all everything everyone everybody anything anyone anybody nothing \
                    nobody someone somebody something people person man woman one place thing of
                    """)),
            endsAfter: words(
                "it that though anymore anyway right hard bad good nice fine again really too there")),
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
            ],
            beside: .init(notAfter: words("what that who which do does did whatever if thing"))),
        FillerPhrase(
            words: ["like"], setOff: .anywhere, mayBeListed: true,
            contexts: [
                // "It was like a dream" and "it's like so many others" are likenesses.
                .init(after: words(being), before: words("totally super really very completely")),
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
                    """))),
        FillerPhrase(words: ["so"], setOff: .never, contexts: [], beside: .init(onlyAtStart: true)),
        FillerPhrase(words: ["well"], setOff: .never, contexts: [], beside: .init(onlyAtStart: true)),
        FillerPhrase(words: ["so", "yeah"], setOff: .never, contexts: [], endsAfter: []),
    ]

    private static let determiners = "the a an my your our their his her its"
    private static let being = "is are was were i'm he's she's it's that's we're they're you're"
    private static let joining = "and but because or"
    private static let questions = "who what how why where when which whom"
    private static let quantities = "all three four five two some many several"
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
