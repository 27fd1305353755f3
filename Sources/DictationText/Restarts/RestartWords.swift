import SelfCorrection

/// What a language has of words that show a sentence begun anew.
struct RestartWords: Sendable {
    /// Never the last word of anything: "the", "my".
    var articles: Set<String> = []
    /// Articles, and what else may stand in their place.
    var articlesAgain: Set<String> = []
    /// Those of the articles that say whose: "my".
    var possessives: Set<String> = []
    /// Prepositions that take an article behind them.
    var prepositions: Set<String> = []
    /// Pronouns that are nothing but a subject: "I", "we".
    var subjects: Set<String> = []
    /// Pronouns that are a subject or an object: "it", "you".
    var otherSubjects: Set<String> = []
    /// Verbs that follow their subject, or come before it in a question.
    var auxiliaries: Set<String> = []
    /// Pairs of them that one sentence may have side by side.
    var auxiliaryPairs: Set<[String]> = []
    /// Forms of "to be", of "to do", and the verbs that stand in place of each other.
    var being: Set<String> = []
    var doing: Set<String> = []
    var modals: Set<String> = []
    /// "That", which begins a clause behind its verb.
    var relatives: Set<String> = []
    /// "Think", "believe": "it is, I think, good".
    var asides: Set<String> = []
    /// Behind these a sentence begins.
    var joints: Set<String> = []
    /// Two of them of which the first one was given up.
    var jointPairs: Set<[String]> = []
    /// What an order begins with, and is hardly ever a noun behind an article.
    var orders: Set<String> = []
    /// The same, and often a noun as well: "call".
    var orderNouns: Set<String> = []
    /// An order may have another one behind it: "go get the car".
    var openOrders: Set<String> = []
    /// Orders that somebody may be named behind, and then something: "tell my mother my news"; and who that may be.
    var givingOrders: Set<String> = []
    var people: Set<String> = []
    /// Before a verb and never the last word before a subject: "to".
    var beforeVerbs: Set<String> = []
    /// Behind an order: "me", "us".
    var objects: Set<String> = []
    /// An order and the word behind it that cannot be a noun: "turn on".
    var orderPairs: Set<[String]> = []
    /// Letters and the like before which "a" is a name: "vitamin a".
    var letterNames: Set<String> = []
    /// Verbs that another one may have behind it, with the pronoun between them: "can you do that".
    var plainVerbs: Set<String> = []
    /// Behind these a pronoun ends its clause: "older than he".
    var comparing: Set<String> = []
    /// What parts a contraction.
    static let contractionSign: Character = "'"

    /// Each word with all that it is.
    func kinds(list: Set<String>, questions: Set<String>) -> [String: RestartKinds] {
        var table: [String: RestartKinds] = [:]
        for (kind, words) in [
            (RestartKinds.article, articles), (.articleAgain, articlesAgain), (.possessive, possessives),
            (.preposition, prepositions), (.subject, subjects), (.otherSubject, otherSubjects),
            (.auxiliary, auxiliaries), (.aside, asides), (.joint, joints), (.order, orders),
            (.orderNoun, orderNouns),
            (.openOrder, openOrders), (.object, objects), (.letterName, letterNames), (.comparing, comparing),
            (.plainVerb, plainVerbs), (.list, list), (.question, questions), (.being, being), (.doing, doing),
            (.givingOrder, givingOrders), (.person, people), (.beforeVerb, beforeVerbs), (.modal, modals),
            (.joiningThat, relatives), (.orderPair, Set(orderPairs.compactMap(\.first))),
        ] {
            for word in words { table[word, default: []].insert(kind) }
        }
        return table
    }
}

/// What a word is to ``RestartFinder``.
struct RestartKinds: OptionSet, Sendable {
    let rawValue: UInt32

    static let article = RestartKinds(rawValue: 1 << 0)
    static let articleAgain = RestartKinds(rawValue: 1 << 1)
    static let possessive = RestartKinds(rawValue: 1 << 2)
    static let preposition = RestartKinds(rawValue: 1 << 3)
    static let subject = RestartKinds(rawValue: 1 << 4)
    static let otherSubject = RestartKinds(rawValue: 1 << 5)
    static let auxiliary = RestartKinds(rawValue: 1 << 6)
    static let aside = RestartKinds(rawValue: 1 << 7)
    static let joint = RestartKinds(rawValue: 1 << 8)
    static let order = RestartKinds(rawValue: 1 << 9)
    static let orderNoun = RestartKinds(rawValue: 1 << 10)
    static let openOrder = RestartKinds(rawValue: 1 << 11)
    static let object = RestartKinds(rawValue: 1 << 12)
    static let letterName = RestartKinds(rawValue: 1 << 13)
    static let comparing = RestartKinds(rawValue: 1 << 14)
    static let plainVerb = RestartKinds(rawValue: 1 << 15)
    /// Joins the parts of a list.
    static let list = RestartKinds(rawValue: 1 << 16)
    static let question = RestartKinds(rawValue: 1 << 17)
    static let negated = RestartKinds(rawValue: 1 << 18)
    static let being = RestartKinds(rawValue: 1 << 19)
    static let doing = RestartKinds(rawValue: 1 << 20)
    static let modal = RestartKinds(rawValue: 1 << 21)
    /// "That", which begins a clause.
    static let joiningThat = RestartKinds(rawValue: 1 << 22)
    /// The first word of an order of two.
    static let orderPair = RestartKinds(rawValue: 1 << 23)
    static let givingOrder = RestartKinds(rawValue: 1 << 24)
    static let beforeVerb = RestartKinds(rawValue: 1 << 25)
    static let person = RestartKinds(rawValue: 1 << 26)

    /// What a contraction has of the word that it begins with.
    static let contractible: RestartKinds = [.subject, .otherSubject, .question]
}

/// A word as ``RestartFinder`` compares it: by hashes, which need no strings.
struct RestartMark {
    let key: UInt32
    /// Of the word without what is contracted: "I" in "I'm".
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
        guard word.hasApostrophe else {
            base = key
            kinds = language.restartKinds[word.key] ?? []
            return
        }
        let known = language.restartKinds[word.key] ?? []
        guard !known.contains(.auxiliary), let place = word.key.utf8.firstIndex(of: UInt8(ascii: "'")) else {
            base = key
            kinds = known.union(.negated)
            return
        }
        let beginning = word.key[..<place]
        base = Hash.of(beginning.utf8)
        kinds = known.union(language.restartKinds[String(beginning)]?.intersection(.contractible) ?? [])
    }
}
