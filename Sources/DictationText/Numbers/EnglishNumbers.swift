extension NumberWords {
    static let english: NumberWords = {
        var words = NumberWords()
        words.small = numbered(
            """
            zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen \
            seventeen eighteen nineteen
            """, from: 0
        ).adding(numbered("twenty thirty forty fifty sixty seventy eighty ninety", from: 20, by: 10))
        words.spokenZeros = ["oh", "o"]
        words.multipliers = ["double": 2, "triple": 3]
        words.hundred = "hundred"
        words.scales = numbered(
            "thousand million billion trillion quadrillion quintillion sextillion septillion", from: 1)
        words.and = "and"
        words.rangeWords = ["to"]
        words.clockWords = ["half", "quarter", "past", "to", "o'clock", "noon", "midnight", "am", "pm"]
        words.article = "a"
        words.minus = ["minus", "negative"]
        words.plus = "plus"
        words.point = "point"
        words.beforePoint = list(
            """
            is was are were be of by about than around approximately roughly only just minus negative times equals \
            under over below above with take takes give gives inject or least most nearly almost
            """)
        words.ordinals = numbered(
            """
            first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth \
            fifteenth sixteenth seventeenth eighteenth nineteenth
            """, from: 1
        ).adding(
            numbered(
                "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth", from: 20,
                by: 10)
        ).adding(["hundredth": 100, "thousandth": 1_000, "millionth": 1_000_000])
        words.ordinalEndings = ["st", "nd", "rd", "th"]
        words.idioms = [
            ["fifty", "fifty"]: true, ["twenty", "twenty", "vision"]: true, ["two", "cents", "worth"]: true,
        ]
        words.denominators = numbered("half third quarter fifth sixth seventh eighth ninth tenth", from: 2)
            .adding(
                numbered("halves thirds quarters fifths sixths sevenths eighths ninths tenths", from: 2)
            ).adding(["fourth": 4, "fourths": 4, "sixteenth": 16, "sixteenths": 16])
        words.half = [["and", "a", "half"], ["and", "one", "half"]]
        words.counting = ["last", "next", "first", "past", "previous", "all", "these", "those", "the"]
        words.dates = dates
        words.times = times
        words.measures = measures
        words.addresses = addresses
        words.numbered = list(
            """
            room page chapter highway route flight gate suite apartment extension section paragraph article port phase \
            stage grade interstate
            """)
        words.rowWords = list(
            """
            error code pin number line bus status boeing issue ticket box zip account port id interstate platform password
            """)
        words.rowJoints = ["is", "was", "number", "code"]
        words.versionWords = ["version", "release"]
        words.securityNumbers = ["ssn", "security"]
        words.rowGroups = [
            10: .init(sizes: [3, 3, 4], mark: "-"), 14: .init(sizes: [4, 6, 4], mark: " "),
            15: .init(sizes: [4, 6, 5], mark: " "), 16: .init(sizes: [4, 4, 4, 4], mark: " "),
            17: .init(sizes: [3, 4, 6, 4], mark: " "),
        ]
        words.phrases = [
            ["s", "and", "p", "five", "hundred"]: "S&P 500", ["s", "and", "p"]: "S&P",
            ["seven", "eleven", "store"]: "7-eleven store", ["seven", "eleven", "stores"]: "7-eleven stores",
            ["cat", "five", "e"]: "CAT5e", ["cat", "six"]: "CAT6", ["r", "and", "d"]: "R&D",
            ["q", "and", "a"]: "Q&A",
            ["nine", "one", "one"]: "911", ["covid", "nineteen"]: "COVID-19",
            ["world", "war", "two"]: "World War II",
            ["world", "war", "one"]: "World War I", ["vitamin", "b", "twelve"]: "vitamin B12",
            ["vitamin", "b", "six"]: "vitamin B6", ["vitamin", "d", "three"]: "vitamin D3",
            ["a", "one", "c"]: "A1c", ["utf", "eight"]: "UTF-8", ["ipv", "four"]: "IPv4",
            ["ipv", "six"]: "IPv6",
            ["c", "plus", "plus"]: "C++", ["c", "sharp"]: "C#",
            ["a", "t", "and", "t"]: "AT&T", ["twenty", "four", "seven"]: "24/7", ["nine", "eleven"]: "9/11",
        ]
        words.titles = [
            "doctor": "dr.", "mister": "mr.", "misses": "mrs.", "missus": "mrs.", "professor": "prof.",
        ]
        words.titleDeterminers = list(
            """
            the a an my your his her our their this that every each another no any some which what family eye of as is \
            was good bad new old medical visiting assistant associate full
            """)
        words.series = list("rtx gtx gt rx lga ddr usb hdmi")
        words.notCodes = ["a", "i", "o", "bp", "ny", "hr", "la", "dc", "am", "pm", "bmi"]
        return words
    }()

    private static let dates: DateWords = {
        var dates = DateWords()
        dates.months = list(
            """
            january february march april may june july august september october november december
            """)
        dates.ambiguousMonths = ["may", "march", "august"]
        dates.modals = list("will would can could shall should must might let's don't didn't won't")
        dates.article = "the"
        dates.of = ["of"]
        dates.decades = numbered(
            "twenties thirties forties fifties sixties seventies eighties nineties", from: 20, by: 10)
        dates.eras = [
            ["b", "c"]: "BC", ["bc"]: "BC", ["a", "d"]: "AD", ["ad"]: "AD", ["b", "c", "e"]: "BCE",
        ]
        dates.beforeYears = ["year", "since", "anno"]
        return dates
    }()

    private static let times: TimeWords = {
        var times = TimeWords()
        times.halves = [
            ["am"]: "AM", ["pm"]: "PM", ["a", "m"]: "AM", ["p", "m"]: "PM", ["a.m"]: "AM", ["p.m"]: "PM",
        ]
        times.oclock = ["o'clock", "oclock"]
        times.zones = list("gmt utc est edt cst cdt mst mdt pst pdt cet cest bst ist")
        times.offsets = [
            ["half", "past"]: 30, ["quarter", "past"]: 15, ["quarter", "to"]: -15, ["quarter", "of"]: -15,
            ["a", "quarter", "past"]: 15, ["a", "quarter", "to"]: -15, ["quarter", "after"]: 15,
            ["a", "quarter", "after"]: 15,
        ]
        times.minutes = ["minute", "minutes", "min", "mins"]
        times.past = ["past", "after"]
        times.to = ["to", "till", "til", "of"]
        times.notBefore = list(
            """
            hundred thousand million billion percent dollar dollars euro euros cent cents pounds dot point people \
            years year days day times of minutes minute hours hour seconds page pages
            """)
        times.cues = list(
            """
            at by from until till til around before after since between past it's that's tonight today tomorrow yesterday \
            monday tuesday wednesday thursday friday saturday sunday noon morning afternoon evening let's arrives leaves
            """)
        times.weakCues = ["to", "say", "and", "or", "for"]
        times.doubtfulCues = [
            "is", "was", "be", "the", "a", "about", "our", "my", "your", "this", "not", "on",
        ]
        times.notTimes = list(
            """
            pressure rate pulse glucose sugar weight weighs weighed weigh cholesterol bp sodium platelets costs cost boeing \
            sha paid pay pays charge charges charged worth bench benched squat deadlift
            """)
        times.notTimesJoints = ["is", "was", "of", "at", "about", "around", "to"]
        times.over = ["over"]
        times.at = ["at"]
        times.relativeCues = ["at", "until", "till", "til", "it's"]
        times.partsOfDay = [
            ["in", "the", "morning"]: true, ["in", "the", "afternoon"]: true, ["in", "the", "evening"]: true,
            ["at", "night"]: true,
        ]
        times.notBeforeOne = list(
            "no this that each every any which some another last next other only the every first one someone")
        times.counted = list(
            """
            week month inch pound person man woman child gallon point second story storey part hundred meg gig k \
            yard quarter kilo pack packs somethings bills tablet tablets mph inch-long piece bedroom
            """)
        return times
    }()

    private static let addresses: AddressWords = {
        var addresses = AddressWords()
        addresses.at = "at"
        addresses.dot = "dot"
        addresses.slash = ["slash"]
        addresses.colon = "colon"
        addresses.signs = [
            "underscore": "_", "hyphen": "-", "dash": "-", "plus": "+", "minus": "-",
        ]
        addresses.domains = list(
            """
            com org net edu gov mil int info biz io ai app dev co uk de fr es it nl be ch at pl se no fi dk eu us ca au \
            nz jp cn in br ru ie me tv xyz tech online site cloud
            """)
        addresses.notNames = list(
            """
            me us him her it them you i we they he she is are was were be look looking looked visit site website page \
            here there found find available live online go going shop order read see download more mail email back \
            only this that up out and or the a an register registered work working works available out host hosted
            """)
        addresses.articles = ["the", "a", "an", "this", "that", "every", "your", "my", "our"]
        addresses.fileEndings = list(
            """
            swift c h cpp hpp py js ts jsx tsx json yaml yml toml xml html htm css scss md txt csv tsv pdf png jpg jpeg gif \
            svg doc docx xls xlsx odt ods ppt pptx zip tar gz sh rs go java kt rb php sql log cfg conf ini exe dll deb rpm \
            wav flac plist ipynb tex lua
            """)
        addresses.beforePaths = addresses.notNames.union(
            list(
                """
                file files folder directory path script cd ls cat vim nano edit open run in at from to into under of as \
                with called named delete remove copy move
                """))
        addresses.slashed = Set(
            """
            and or,he she,she he,him her,his her,her his,yes no,true false,on off,input output,read write,client server,\
            either or,i o,n a,start stop,pass fail
            """.split(separator: ",").map { $0.split(separator: " ").map(String.init) })
        addresses.schemes = ["http", "https", "ftp"]
        return addresses
    }()

    // MARK: - Making tables

    static func list(_ text: String) -> Set<String> {
        Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    static func numbered(_ text: String, from first: Int, by step: Int = 1) -> [String: Int] {
        var table: [String: Int] = [:]
        for (place, word) in text.split(whereSeparator: \.isWhitespace).enumerated() {
            table[String(word)] = first + place * step
        }
        return table
    }
}

extension Dictionary {
    func adding(_ other: [Key: Value]) -> [Key: Value] { merging(other) { _, new in new } }
}
