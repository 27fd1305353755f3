extension RestartWords {
    static let english: RestartWords = {
        var words = RestartWords()
        words.articles = list("the a an my your our their every")
        words.articlesAgain = list("the a an my your our their his her its this these those some all")
        words.possessives = list("my your our their his her")
        words.prepositions = list("in on at for with to of from by about into")
        words.subjects = list("i we they he she")
        words.otherSubjects = list("it you there that this")
        words.auxiliaries = list(
            """
            is are was were am do does did have has had can could will would shall should may might must
            isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't can't couldn't won't \
            wouldn't shouldn't
            """)
        words.auxiliaryPairs = pairs(
            "had did, have had, has had, do have, did have, does have, might could, will have, would have, could have"
        )
        words.being = list("is are was were am isn't aren't wasn't weren't")
        words.doing = list("do does did don't doesn't didn't")
        words.modals = list(
            "can could will would should may might must can't couldn't won't wouldn't shouldn't")
        words.relatives = ["that"]
        words.comparing = ["than", "as"]
        words.plainVerbs = ["do", "have"]
        words.asides = list(
            "think guess believe suppose hope mean know said say says thought imagine assume bet feel felt swear fear"
        )
        words.joints = list("and but so because well yeah")
        words.jointPairs = [["and", "but"], ["but", "and"]]
        words.orders = list(
            """
            add remind tell send find open give create delete remove cancel make buy get put write bring \
            take close unlock
            insert rename undo forward reply invite translate navigate schedule dictate select save \
            install change dim mute skip \
            pause resume increase decrease adjust raise enable disable connect join launch decline accept
            """)
        words.orderNouns = list(
            "set turn call play show start stop book order text email read check move copy search run lock order switch lower"
        )
        words.givingOrders = list(
            "tell show give send bring buy read offer ask get make find order write text email teach hand pass play"
        )
        words.people = list("mother father brother sister son daughter aunt uncle wife husband dog cat")
        words.beforeVerbs = ["to"]
        words.openOrders = list("go come help let make get please try order")
        words.objects = list("me us him them")
        words.orderPairs = pairs(
            "turn on, turn off, turn up, turn down, switch on, switch off, how do, how much, how many, let me"
        )
        words.letterNames = list(
            "vitamin grade plan hepatitis type group class section option part letter from series")
        return words
    }()

    private static func list(_ text: String) -> Set<String> { NumberWords.list(text) }

    private static func pairs(_ text: String) -> Set<[String]> {
        Set(text.split(separator: ",").map { $0.split(whereSeparator: \.isWhitespace).map(String.init) })
    }
}
