/// Words that grammar or emphasis doubles, and where they are doubled by accident all the same.
enum EnglishDoubles {
    static let words: [String: DoubledWord] = {
        var table: [String: DoubledWord] = [:]
        func add(_ words: String, _ double: DoubledWord) { for word in list(words) { table[word] = double } }
        // "Log in in the morning", "it went on on Monday".
        add("in on", DoubledWord(notAfter: list(particled), strandedAfter: list(settled)))
        add("what who been", DoubledWord())
        // "Tell me this: this is wrong."
        add("this these those", DoubledWord(notBefore: list(auxiliaries)))
        // "I told you you could", "if you like it it is yours".
        add("you it", DoubledWord(after: list(auxiliaries + " " + leading)))
        // "What it is is a shame".
        add(
            "is was",
            DoubledWord(
                notAfter: list(pronouns), notBefore: list("it he she this there"), isInQuestion: false))
        // "I know that that is wrong".
        add("that", DoubledWord(before: list(subjects + " " + articles)))
        // "I will will it to happen" is rare, a name behind "will Will" has a capital.
        add("will can may", DoubledWord(after: list(pronouns)))
        add("please", DoubledWord(onlyAtStart: true))
        add("so", DoubledWord(before: list(subjects), onlyAtStart: true))
        add(
            "run go look listen help stop come",
            DoubledWord(before: list(articles + " to for at through me him them"), onlyAtStart: true))
        return table
    }()

    private static let pronouns = "i you he she it we they this that these those there"
    private static let subjects = """
        i we they he she there i'm i've i'd i'll we're we've we'll they're they've he's she's it's \
        there's that's nobody \
        everybody everyone
        """
    private static let articles = "the a an my your our their his her"
    /// Behind these nobody is an object: "how much you you earn".
    private static let leading = "if when and but because so that what how much many where why"
    private static let particled = """
        come came comes coming go goes went going gone get gets got log logs logged check checked sign \
        signed plug plugged \
        bring put hold carry carried turn turned move moved give gave hand fill filled settle drop dropped \
        look looked
        """
    /// "The house we live in in summer".
    private static let settled =
        "live lives lived living stay stays stayed staying sleep slept believe believed"
    private static let auxiliaries = """
        is are was were am do does did have has had can could will would shall should may might must \
        isn't aren't wasn't \
        weren't don't doesn't didn't haven't hasn't hadn't can't couldn't won't wouldn't shouldn't
        """

    private static func list(_ text: String) -> Set<String> { NumberWords.list(text) }
}
