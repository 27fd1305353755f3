import SelfCorrection

extension Language {
    /// German: hesitations, repetitions, numbers, marks, capitals. Its nouns need a recogniser that gives them capitals.
    public static let german = Language(
        identifier: "de",
        words: WordKinds.table(German.lists, numbers: German.numbers, marks: German.marks),
        answers: [["mm", "hm"]],
        corrections: corrections, modelWords: German.modelWords,
        listWords: ["und", "oder", "aber", "noch", "bis"],
        denyingWords: ["nicht"],
        inversions: German.inversions,
        plainAuxiliaries: [
            "ist", "sind", "war", "hat", "haben", "wird", "werden", "kann", "soll", "muss", "darf",
        ],
        numbers: German.numbers, marks: German.marks,
        negations: [
            "nicht", "kein", "keine", "keinen", "keiner", "keinem", "nie", "niemals", "niemand", "nichts",
            "ohne", "kaum", "selten", "außer",
        ],
        snippetWords: ["einfügen"])
    private static let corrections: CorrectionWords = {
        var words = CorrectionWords()
        words.editTerms = byFirstWord(
            "nein, nee, ne, ich meine, quatsch, entschuldigung, sorry, moment, besser gesagt, vielmehr, oder vielmehr"
        )
        words.weak = [["nein"], ["nee"], ["ne"], ["ich", "meine"], ["entschuldigung"], ["sorry"], ["moment"]]
        words.retracting = ["nein", "nee", "ne", "meine", "quatsch", "entschuldigung", "sorry", "moment"]
        words.contrasting = ["sondern"]
        return words
    }()
}

/// The lists of German.
private enum German {
    static let pronouns = "ich du er sie es wir ihr man das dies"
    static let lists: [(WordKinds, String)] = [
        (.hesitation, "äh ähm öh öhm ähh ähhm hm hmm mh"),
        (.function, pronouns + " " + grammar),
        (.pronoun, pronouns), (.subject, pronouns + " der die das ein eine mein meine"),
        (.meantTwice, "sehr ganz so nein ja doch die das der sie sich den dem hallo danke bitte gut na"),
        (
            .expectsMore,
            "der die das ein eine einen einem im in zu und oder aber dass weil wenn von mit für auf ist sind war"
        ),
        (.conjunction, "und oder aber denn weil dass wenn als ob"),
        (.opener, "und aber also ja nein gut okay hallo bitte"),
        (
            .question,
            "wer wen wem wessen was wann wo wohin woher warum wieso weshalb wie welche welcher welches welchen"
        ),
        (.determining, "welche welcher welches welchen wie"),
        (.preposition, "in an auf für von zu mit bei nach vor aus über unter durch seit bis"),
        (.number, small.keys.joined(separator: " ")),
        (.abbreviation, "dr prof hr fr bzw ca nr str usw z.b d.h evtl ggf inkl"),
    ]
    private static let grammar = """
        der die das den dem des ein eine einen einem einer mein meine dein seine ihre unser in im an am auf für von vom zu \
        zum zur mit bei nach und oder aber dass weil wenn ob ist sind war waren bin habe hat haben hatte wird werden kann \
        können soll sollen muss müssen
        """
    /// What announces a correction, and the commonest words of grammar.
    static let modelWords: [String: String] = [
        "nein": "no", "nee": "no", "ne": "no", "quatsch": "oops", "entschuldigung": "sorry", "moment": "wait",
        "ich": "i", "meine": "mean", "gesagt": "rather", "vielmehr": "rather", "oder": "or", "und": "and",
        "der": "the", "die": "the", "das": "the", "den": "the", "dem": "the", "des": "the",
        "ein": "a", "eine": "a", "einen": "a", "einem": "a", "einer": "a",
        "am": "on", "um": "at", "im": "in", "in": "in", "an": "to", "auf": "on", "zu": "to", "zum": "to",
        "zur": "to", "nach": "to", "für": "for", "von": "of", "vom": "of", "mit": "with", "bei": "at",
    ]
    static let inversions: [String: Set<String>] = {
        let subjects = NumberWords.list("ich du er sie es wir ihr man das der die")
        let verbs = NumberWords.list(
            "ist bist bin seid sind war warst wart waren wirst werdet musst darfst sollst hat habt hast haben kann kannst können könnt könnte könnten wird willst wollen soll sollen darf muss"
        )
        return verbs.reduce(into: [:]) { $0[$1] = subjects }
    }()

    static let numbers: NumberWords = {
        var words = NumberWords()
        words.small = small
        words.scales = [
            "tausend": 1, "million": 2, "millionen": 2, "milliarde": 3, "milliarden": 3, "billionen": 4,
        ]
        words.bareScales = ["tausend"]
        words.compoundThousand = "tausend"
        words.minus = ["minus"]
        words.plus = "plus"
        words.point = "komma"
        words.decimalMark = ","
        words.ordinals = ordinals
        words.ordinalEndings = ["."]
        words.idioms = [["fifty", "fifty"]: true, ["tausend", "dank"]: true]
        words.dates.months = NumberWords.list(
            "januar februar märz april mai juni juli august september oktober november dezember")
        words.dates.dayMark = "."
        words.dates.beforeYears = ["jahr", "seit", "anno"]
        words.times.separators = ["uhr"]
        words.times.suffix = " Uhr"
        words.measures = measures
        words.addresses.at = "at"
        words.addresses.dot = "punkt"
        words.addresses.slash = ["schrägstrich", "slash"]
        words.addresses.signs = ["bindestrich": "-", "unterstrich": "_", "minus": "-"]
        words.addresses.domains = ["de", "com", "org", "net", "at", "ch", "eu", "info"]
        words.addresses.notNames = pronounsBeforeAt
        words.versionWords = ["version"]
        words.numbered = ["zimmer", "raum", "seite", "kapitel", "hausnummer"]
        return words
    }()
    private static let pronounsBeforeAt = NumberWords.list("ich du er sie es wir ihr ist sind der die das")

    /// One word each, up to 999: "zweihundertfünfundzwanzig".
    private static let small: [String: Int] = {
        let ones =
            "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn"
        var table = NumberWords.numbered(ones, from: 0)
        let units = ["ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"]
        let tens = ["zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"]
        for (place, ten) in tens.enumerated() {
            table[ten] = (place + 2) * 10
            for (one, unit) in units.enumerated() { table[unit + "und" + ten] = (place + 2) * 10 + one + 1 }
        }
        let below = table
        for (one, unit) in ([""] + units).enumerated() {
            let hundreds = max(one, 1) * 100
            table[unit + "hundert"] = hundreds
            for (word, value) in below where value > 0 { table[unit + "hundert" + word] = hundreds + value }
        }
        // Years: "neunzehnhundertneunundneunzig".
        for century in 11...19 {
            guard let (name, _) = below.first(where: { $0.value == century }) else { continue }
            table[name + "hundert"] = century * 100
            for (word, value) in below where value > 0 {
                table[name + "hundert" + word] = century * 100 + value
            }
        }
        for (one, unit) in units.enumerated() where table[unit] == nil && one > 0 { table[unit] = one + 1 }
        return table
    }()

    private static let ordinals: [String: Int] = {
        var table: [String: Int] = [:]
        let stems = [1: "erst", 2: "zweit", 3: "dritt", 7: "siebt", 8: "acht"]
        for (word, value) in small where (1...31).contains(value) && word != "ein" {
            let stem = stems[value] ?? word + (value < 20 ? "t" : "st")
            for ending in ["e", "en", "er"] { table[stem + ending] = value }
        }
        return table
    }()

    private static let measures: MeasureWords = {
        var words = MeasureWords()
        for (name, symbol) in [
            ("prozent", " %"), ("meter", " m"), ("kilometer", " km"), ("zentimeter", " cm"),
            ("millimeter", " mm"),
            ("gramm", " g"), ("kilogramm", " kg"), ("kilo", " kg"), ("milligramm", " mg"), ("liter", " l"),
            ("milliliter", " ml"), ("grad celsius", " °C"), ("quadratmeter", " m²"),
            ("kilometer pro stunde", " km/h"),
            ("watt", " W"), ("kilowatt", " kW"), ("volt", " V"), ("gigabyte", " GB"), ("megabyte", " MB"),
        ] {
            words.units[name.split(separator: " ").map(String.init)] = symbol
        }
        words.currencies = [
            ["euro"]: .init(symbol: "€", isPlural: false, isBehind: true),
            ["dollar"]: .init(symbol: "$", isPlural: false, isBehind: true),
            ["franken"]: .init(symbol: "CHF", isPlural: false, isBehind: true),
        ]
        words.cents = ["cent"]
        words.centJoints = ["und"]
        return words
    }()

    static let marks: MarkWords = {
        var words = MarkWords()
        words.marks = MarkWords.table([
            ("komma", .trailing(",")), ("punkt", .trailing(".")), ("fragezeichen", .trailing("?")),
            ("ausrufezeichen", .trailing("!")), ("doppelpunkt", .trailing(":")),
            ("semikolon", .trailing(";")),
            ("strichpunkt", .trailing(";")), ("gedankenstrich", .alone("–")), ("bindestrich", .joining("-")),
            ("anführungszeichen auf", .leading("„")), ("anführungszeichen zu", .trailing("“")),
            ("klammer auf", .leading("(")), ("klammer zu", .trailing(")")), ("neue zeile", .line),
            ("neuer absatz", .paragraph), ("aufzählungspunkt", .bullet("-")),
        ])
        words.closings = ["grüße", "grüßen", "gruß", "dank", "liebe"]
        words.escapes = ["wörtlich"]
        words.determiners = NumberWords.list(
            "der die das den dem des ein eine einen einem einer kein keinen jeder jeden am im pro letzte erste"
        )
        words.ambiguous = [
            ["komma"]: .init(notBefore: Set(small.keys)),
            ["punkt"]: .init(
                notAfter: small.keys.reduce(into: []) { $0.insert($1) },
                notBefore: NumberWords.list("de com org net at ch eu")),
        ]
        let months = NumberWords.list(
            "januar februar märz april mai juni juli august september oktober november dezember")
        words.series = [
            NumberWords.list("montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag"), months,
            NumberWords.list("anna peter thomas maria julia lena max paul lukas sarah laura michael stefan"),
            NumberWords.list("berlin hamburg münchen köln frankfurt wien zürich bern london paris rom"),
            NumberWords.list("heute morgen gestern übermorgen"), ["links", "rechts"], ["linke", "rechte"],
            ["linken", "rechten"], NumberWords.list("rot blau grün gelb schwarz weiß"),
        ]
        words.scratches = [["streich", "das"], ["vergiss", "das"]]
        words.enterCommands = [["eingabetaste", "drücken"]]
        for word
            in "montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz april mai juni juli august september oktober november dezember deutschland österreich berlin wien zürich hamburg münchen uhr euro"
            .split(separator: " ")
        {
            words.properWords[String(word)] = word.prefix(1).uppercased() + word.dropFirst()
        }
        words.commaBefore = NumberWords.list("aber weil dass denn sondern obwohl wenn damit")
        return words
    }()
}
