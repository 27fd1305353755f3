/// What a language calls the marks of writing, and its proper words: tables, no code.
struct MarkWords: Sendable {
    var marks: [[String]: SpokenMark] = [:]
    /// Before a mark's name: the name itself is meant. "Literal comma" is "comma".
    var escapes: Set<String> = []
    /// Before a mark's name these make an ordinary noun of it: "a comma", "every period".
    var determiners: Set<String> = []
    /// These do so only where the name is another word as well: "that period", but "I like that comma".
    var weakDeterminers: Set<String> = []
    /// Names of marks that are other words as well, with what may not stand before and behind them.
    var ambiguous: [[String]: Neighbours] = [:]
    /// "Scratch that", at the end of a sentence: takes all of it back.
    var scratches: Set<[String]> = []
    /// "Press enter", at the end of a text.
    var enterCommands: Set<[String]> = []
    /// Words that have capitals: days, months, languages, abbreviations.
    var properWords: [String: String] = [:]
    /// Names of several words ("new york"), by their first one.
    var namePhrases: [String: [[String]]] = [:]
    /// Those of them that are other words as well, with the words beside which they are names: "in may".
    var doubtful: [String: Set<String>] = [:]
    /// Words that stand for each other in a correction: the days, the months, given names, left and right.
    var series: [Set<String>] = []
    /// So many of the first series are parts of a date.
    static let datedSeries = 2
    /// What is an abbreviation where its letters are spelled, and may be another word where they are not: "i v", "iv".
    var spelled: [String: String] = [:]
    /// Behind the letters "a i" these show that they are two words: "a I mean".
    var notBehindSpelled: Set<String> = []
    /// The series of towns and countries, behind those of a date and of given names.
    static let placeSeries = 4
    /// Letters that are words: "a", "i". What is spelled and begins with one is an abbreviation only if it is known.
    var letterWords: Set<String> = []
    /// At the end of a line before a signature: "best regards".
    var closings: Set<String> = []
    /// Behind a short pause a comma stands before these.
    var commaBefore: Set<String> = []

    struct Neighbours: Sendable {
        var notAfter: Set<String> = []
        var notBefore: Set<String> = []
    }

    /// The first words of all that ``SpokenMarks`` looks for.
    var firstWords: Set<String> {
        Set(marks.keys.compactMap(\.first)).union(escapes).union(scratches.compactMap(\.first))
            .union(enterCommands.compactMap(\.first))
    }
    static let longestPhrase = 3
}

/// What becomes of a mark that is spoken.
enum SpokenMark: Equatable, Sendable {
    /// Joins the word before it.
    case trailing(String)
    /// Joins the word behind it.
    case leading(String)
    /// Stands by itself: a dash.
    case alone(String)
    /// Joins the words on both sides: a hyphen, a slash.
    case joining(String)
    case line
    case paragraph
    /// A new line that begins with this.
    case bullet(String)
}
