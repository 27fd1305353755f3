import SelfCorrection

/// The words of a language that show that a sentence was begun again.
struct RestartWords: LanguagePart {
    /// By the names of their ``RestartKinds``.
    var kinds: [String: Words] = [:]
    /// Pairs of auxiliaries that one sentence may have side by side.
    @Phrases var auxiliaryPairs: Set<[String]>
    /// Pairs of joints whose first one was given up.
    @Phrases var jointPairs: Set<[String]>
    /// Questions of four words that somebody asks who seeks a word: "how do you say".
    @Phrases var asides: Set<[String]>
    /// An article and another one that may follow it.
    @Phrases var articlePairs: Set<[String]>
    /// A preposition and the word behind it that are an adjective or a noun together: "in house", "on call".
    @Phrases var compounds: Set<[String]>
    /// An order and the word behind it that cannot be a noun: "turn on".
    @Phrases var orderPairs: Set<[String]>
    /// Orders that may have a list behind them: "add the eggs the milk".
    @Words var listOrders: Set<String>
}

/// The kinds of words that ``RestartFinder`` distinguishes.
struct RestartKinds: OptionSet, Sendable {
    let rawValue: UInt64

    /// Never the last word of anything: "the", "my".
    static let article = RestartKinds(rawValue: 1 << 0)
    /// An article, or another word that may come in its place.
    static let articleAgain = RestartKinds(rawValue: 1 << 1)
    /// One of the articles that say whose: "my".
    static let possessive = RestartKinds(rawValue: 1 << 2)
    /// A preposition that takes an article behind it.
    static let preposition = RestartKinds(rawValue: 1 << 3)
    /// A pronoun that can only be a subject: "I", "we".
    static let subject = RestartKinds(rawValue: 1 << 4)
    /// A pronoun that is a subject or an object: "it", "you".
    static let otherSubject = RestartKinds(rawValue: 1 << 5)
    /// A verb that follows its subject, or comes before it in a question.
    static let auxiliary = RestartKinds(rawValue: 1 << 6)
    /// "Think", "believe": "it is, I think, good".
    static let aside = RestartKinds(rawValue: 1 << 7)
    /// A sentence begins behind it.
    static let joint = RestartKinds(rawValue: 1 << 8)
    /// An order begins with it, and it is hardly ever a noun behind an article.
    static let order = RestartKinds(rawValue: 1 << 9)
    /// The same, and often a noun as well: "call".
    static let orderNoun = RestartKinds(rawValue: 1 << 10)
    /// An order that may have another one behind it: "go get the car".
    static let openOrder = RestartKinds(rawValue: 1 << 11)
    /// Behind an order: "me", "us".
    static let object = RestartKinds(rawValue: 1 << 12)
    /// Behind it, "a" is a name: "vitamin a".
    static let letterName = RestartKinds(rawValue: 1 << 13)
    /// Behind it, a pronoun ends its clause: "older than he".
    static let comparing = RestartKinds(rawValue: 1 << 14)
    /// A verb that another one may have behind it, with the pronoun between them: "can you do that".
    static let plainVerb = RestartKinds(rawValue: 1 << 15)
    /// Joins the parts of a list, and may be said again with each of them.
    static let list = RestartKinds(rawValue: 1 << 16)
    static let question = RestartKinds(rawValue: 1 << 17)
    static let negated = RestartKinds(rawValue: 1 << 18)
    /// Forms of "to be", forms of "to do", and verbs that replace each other.
    static let being = RestartKinds(rawValue: 1 << 19)
    static let doing = RestartKinds(rawValue: 1 << 20)
    static let modal = RestartKinds(rawValue: 1 << 21)
    /// "That", which begins a clause behind its verb.
    static let joiningThat = RestartKinds(rawValue: 1 << 22)
    /// The first word of an order of two.
    static let orderPair = RestartKinds(rawValue: 1 << 23)
    /// An order behind which somebody may be named, and then something: "tell my mother my news".
    static let givingOrder = RestartKinds(rawValue: 1 << 24)
    /// Before a verb, and never the last word before a subject: "to".
    static let beforeVerb = RestartKinds(rawValue: 1 << 25)
    /// Somebody who may be named behind such an order.
    static let person = RestartKinds(rawValue: 1 << 26)

    /// May end an answer: "I do", "that is".
    static let answering = RestartKinds(rawValue: 1 << 27)
    /// Said between a phrase and the same phrase: "gas yeah gas".
    static let interjection = RestartKinds(rawValue: 1 << 28)
    /// Mostly before a noun: "new", "last".
    static let adjective = RestartKinds(rawValue: 1 << 29)
    /// Says nothing at the beginning of a sentence, beside another such word: "oh so I".
    static let opening = RestartKinds(rawValue: 1 << 30)
    /// An interjection that may also be what an order is about: "press okay".
    static let reply = RestartKinds(rawValue: 1 << 31)
    /// What is supposed follows, and no object: "I think it".
    static let supposing = RestartKinds(rawValue: 1 << 32)
    /// Between a subject and its verb: "I just can't".
    static let adverb = RestartKinds(rawValue: 1 << 33)
    /// An order that is a noun as well where it follows an article: "the reply".
    static let thing = RestartKinds(rawValue: 1 << 34)

    /// Before what there is several of, and no adjective: "all".
    static let quantity = RestartKinds(rawValue: 1 << 35)

    /// The kinds that a contraction inherits from the word that it begins with.
    static let contractible: RestartKinds = [.subject, .otherSubject, .question]

    /// As a language's file names them.
    static let named: [String: RestartKinds] = [
        "article": .article, "articleAgain": .articleAgain, "possessive": .possessive,
        "preposition": .preposition,
        "subject": .subject, "otherSubject": .otherSubject, "auxiliary": .auxiliary, "aside": .aside,
        "joint": .joint,
        "order": .order, "orderNoun": .orderNoun, "openOrder": .openOrder, "object": .object,
        "letterName": .letterName, "comparing": .comparing, "plainVerb": .plainVerb, "list": .list,
        "being": .being,
        "doing": .doing, "modal": .modal, "joiningThat": .joiningThat, "givingOrder": .givingOrder,
        "beforeVerb": .beforeVerb, "person": .person, "answering": .answering,
        "interjection": .interjection, "adjective": .adjective, "opening": .opening, "reply": .reply,
        "supposing": .supposing, "adverb": .adverb,
        "thing": .thing, "quantity": .quantity,
    ]
}

/// A word as ``RestartFinder`` compares it: by hashes, which need no strings.
struct RestartMark {
    let key: UInt32
    /// The hash of the word without what is contracted: "I" in "I'm".
    let base: UInt32
    let kinds: RestartKinds
    let isNumber: Bool
    let endsSentence: Bool
    let isPlain: Bool
    /// Plain, and without a mark behind it.
    let isBare: Bool

    init(_ word: Word, language: Language) {
        isNumber = word.isNumber
        endsSentence = word.endsSentence
        isPlain = word.isPlain
        isBare = isPlain && word.trail.isEmpty
        guard isPlain else {
            (key, base, kinds) = (0, 0, [])
            return
        }
        key = word.hash
        let known = word.restarts
        guard word.hasApostrophe else {
            (base, kinds) = (key, known)
            return
        }
        guard !known.contains(.auxiliary), let place = word.key.utf8.firstIndex(of: UInt8(ascii: "'")) else {
            base = key
            kinds = known.union(.negated)
            return
        }
        let beginning = word.key[..<place]
        base = Hash.of(beginning.utf8)
        kinds = known.union(language.tables.restarts[String(beginning)]?.intersection(.contractible) ?? [])
    }
}
