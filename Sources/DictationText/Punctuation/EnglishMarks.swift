extension MarkWords {
    static let english: MarkWords = {
        var words = MarkWords()
        words.marks = table([
            ("comma", .trailing(",")), ("period", .trailing(".")), ("full stop", .trailing(".")),
            ("question mark", .trailing("?")), ("exclamation mark", .trailing("!")),
            ("exclamation point", .trailing("!")), ("semicolon", .trailing(";")),
            ("semi colon", .trailing(";")),
            ("colon", .trailing(":")), ("ellipsis", .trailing("…")), ("dot dot dot", .trailing("…")),
            ("dash dash", .leading("--")), ("em dash", .alone("—")), ("dash", .alone("–")),
            ("hyphen", .joining("-")),
            ("forward slash", .joining("/")),
            ("open quote", .leading("“")), ("open quotes", .leading("“")), ("begin quote", .leading("“")),
            ("close quote", .trailing("”")), ("close quotes", .trailing("”")), ("end quote", .trailing("”")),
            ("unquote", .trailing("”")),
            ("open parenthesis", .leading("(")), ("open bracket", .leading("(")),
            ("left parenthesis", .leading("(")),
            ("close parenthesis", .trailing(")")), ("close bracket", .trailing(")")),
            ("right parenthesis", .trailing(")")),
            ("new line", .line), ("newline", .line), ("next line", .line), ("new paragraph", .paragraph),
            ("next paragraph", .paragraph), ("bullet point", .bullet("-")), ("new bullet", .bullet("-")),
            ("next bullet", .bullet("-")),
        ])
        words.escapes = ["literal", "literally"]
        words.determiners = list(
            """
            a an the my your its our their every word extra missing double oxford single
            """)
        words.weakDeterminers = list(
            """
            what which whose this that these those his her each another no any some one two three many of with called as \
            first second last same next
            """)
        words.ambiguous = [
            ["period"]: .init(
                notAfter: list(
                    """
                    time trial long short grace waiting brief long-term whole given free incubation test notice cooling \
                    rest transition holiday historical refractory menstrual heavy late missed roman victorian colonial \
                    modern class third-trimester reporting accounting probation
                    """),
                notBefore: list(
                    "of in for between during when pain pains cramps drama after before is was from")),
            ["colon"]: .init(
                notAfter: list(
                    "http https sigmoid ascending descending transverse right left distal proximal normal entire and or"
                ),
                notBefore: list(
                    """
                    cancer polyp polyps resection surgery biopsy mucosa cleanse screening carcinoma is was has showed wall
                    """)),
            ["dash"]: .init(
                notAfter: list("to will can must i we they he she mad quick"),
                notBefore: list("of to for out off")),
            ["hyphen"]: .init(),
            ["next", "line"]: .init(notAfter: list("on in"), notBefore: list("of is was")),
            ["new", "line"]: .init(notBefore: list("of manager managers item items")),
            ["next", "paragraph"]: .init(notBefore: list("of is was")),
            ["bullet", "point"]: .init(notBefore: list("list lists")),
            ["ellipsis"]: .init(),
        ]
        words.scratches = [["scratch", "that"], ["strike", "that"], ["scratch", "this"]]
        words.enterCommands = [["press", "enter"], ["press", "return"], ["hit", "enter"]]
        words.properWords = properWords
        words.doubtful = [
            "may": list("in since until of last next this late early mid every by from"),
            "march": list("in since until of last next this late early mid every by from"),
            "polish": [], "turkey": list("in to from"),
            "us": [], "it": [], "am": [], "pm": [], "ad": [], "id": [],
        ]
        words.series =
            [
                list("monday tuesday wednesday thursday friday saturday sunday"),
                list(
                    """
                    january february march april may june july august september october november december
                    """),
                englishNames.union(["mom", "dad", "mum", "grandma", "grandpa"]),
                englishPlaces.union(places),
            ] + EnglishSiblings.sets
        words.namePhrases = englishNamePhrases
        words.letterWords = ["a", "i", "o"]
        words.spelled = spelled
        words.notBehindSpelled = list(
            """
            mean think guess know was am have had want need would will can could should don't didn't do did said say see \
            like love hope wish feel got get went go believe understand remember just really also never
            """)
        words.closings = list("regards sincerely wishes thanks cheers love faithfully truly greetings best")
        words.commaBefore = list("but because so although though which while whereas and or then however")
        return words
    }()

    private static let spelled: [String: String] = {
        var table: [String: String] = [:]
        let letters = """
            ip iv io ai it ac po pr qa os hr ct la vp er ps ok api atm ios iso adhd cia irs usa ocd iot ipo imf iq oem ekg \
            asap aws ide epa nba rna dna ipa cio aol ira ama bp ny iou
            """
        for word in list(letters) { table[word] = word.uppercased() }
        for (word, written) in [("eg", "e.g."), ("ie", "i.e."), ("ios", "iOS")] { table[word] = written }
        return table
    }()

    /// The places that are named most.
    private static let places = list(
        """
        america britain england scotland wales ireland germany france spain italy portugal netherlands belgium \
        austria switzerland sweden norway denmark finland poland russia ukraine turkey greece china japan korea india \
        pakistan australia canada mexico brazil argentina egypt israel africa europe asia london paris berlin madrid \
        rome vienna amsterdam brussels moscow tokyo beijing chicago boston seattle washington california texas florida
        """)

    private static let properWords: [String: String] = {
        var words: [String: String] = [:]
        let capitalized = """
            monday tuesday wednesday thursday friday saturday sunday january february march april may june july august \
            september october november december english german french spanish italian portuguese dutch russian chinese \
            japanese korean arabic hebrew hindi greek latin swedish norwegian danish finnish polish turkish ukrainian \
            swiss austrian belgian \
            american british canadian australian european african asian mexican brazilian indian irish scottish welsh \
            google microsoft linux christmas easter thanksgiving christian muslim jewish buddhist
            """
        for word in list(capitalized).union(places) {
            words[word] = word.prefix(1).uppercased() + word.dropFirst()
        }
        let letters = """
            usb html css api url pdf http https sql xml json csv cpu gpu ram ssd nasa usa uk eu fbi cia nato un ceo cto cfo hr \
            mri ct ecg ekg icu iv bmi hiv dna rna covid fda gps sms wifi vpn dns ip tcp udp ui ux tv dvd cd pc ibm bbc cnn \
            nbc mit ucla nyc la dc faq eta asap rsvp diy vip pin atm ssn gmt utc est pst sdk ide aws cli gui os id
            """
        for word in letters.split(whereSeparator: \.isWhitespace) { words[String(word)] = word.uppercased() }
        for word in englishNames.union(englishPlaces) {
            words[word] = word.prefix(1).uppercased() + word.dropFirst()
        }
        for (word, written) in [
            ("wifi", "Wi-Fi"), ("youtube", "YouTube"), ("github", "GitHub"), ("iphone", "iPhone"),
            ("ipad", "iPad"),
            ("javascript", "JavaScript"), ("covid", "COVID"), ("us", "US"), ("facebook", "Facebook"),
        ] {
            words[word] = written
        }
        // As often ordinary words, or parts of names.
        for word in ["la", "un", "pin", "os", "ip", "ct", "hr", "iv", "eta"] { words[word] = nil }
        // "Alice's".
        for (word, written) in words { words[word + "'s"] = written + "'s" }
        return words
    }()

    static func table(_ list: [(String, SpokenMark)]) -> [[String]: SpokenMark] {
        var table: [[String]: SpokenMark] = [:]
        for (phrase, mark) in list { table[phrase.split(separator: " ").map(String.init)] = mark }
        return table
    }

    static func list(_ text: String) -> Set<String> { NumberWords.list(text) }
}
