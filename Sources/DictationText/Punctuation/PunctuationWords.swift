import SelfCorrection

/// The names of punctuation and layout in a language.
struct PunctuationWords: LanguagePart {
    var marks = MarkNames()
    /// Before a mark's name: the name itself is meant. "Literal comma" is "comma".
    @Words var escapes: Set<String>
    /// Before a mark's name these make an ordinary noun of it: "a comma", "every period".
    @Words var determiners: Set<String>
    /// Before the name of a mark with something behind it they count marks: "any comma in it".
    @Words var counting: Set<String>
    /// These do so only if the name is another word as well: "that period", but "I like that comma".
    @Words var weakDeterminers: Set<String>
    /// Names of marks that are other words as well, with what may not come before and after them.
    @ByPhrase var ambiguous: [[String]: Neighbors]
    /// When the name of a mark is a noun of its sentence.
    var mentions = MentionWords()
    /// "Scratch that", at the end of a sentence: retracts the whole sentence.
    @Phrases var scratches: Set<[String]>
    /// "Press enter", at the end of a text.
    @Phrases var enterCommands: Set<[String]>
    /// At the end of a line before a signature: "best regards".
    @Words var closings: Set<String>
    /// After a short pause, a comma goes before these.
    @Words var commaBefore: Set<String>
    /// At the beginning of a sentence, before its subject, these have a comma after them.
    @Phrases var leadIns: Set<[String]>
    /// A phrase or a clause before a question begins with them: "in 1990", "if it rains".
    @Words var introductions: Set<String>
    /// The questions that may follow it, and no relative clause begins with.
    @Words var introduced: Set<String>
    /// After these such a word begins no question of its own: "if the customer asks what".
    @Words var embedding: Set<String>
    /// The model of marks for bare words has learned the language.
    @Flag var isLearned: Bool

    struct Neighbors: LanguagePart {
        @Words var notAfter: Set<String>
        @Words var notBefore: Set<String>
        /// Between two numbers it is their point: "drei punkt eins".
        @Flag var isPoint: Bool
        /// The words before and after it in a saying: "null komma nichts".
        @Phrases var between: Set<[String]>
        /// Its name is a verb as well, and follows these: Spanish "que coma".
        @Words var verbAfter: Set<String>
        /// Not if these are before that: "es que, coma".
        @Words var notVerbAfter: Set<String>
        /// May be between: "que no coma".
        @Words var verbPasses: Set<String>
        /// After these and a subject it is a verb before one of these: "que el niño coma bien".
        @Words var verbBefore: Set<String>
    }

    /// The names of the marks, each with its sign, by what becomes of them.
    struct MarkNames: LanguagePart {
        @ByPhrase var trailing: [[String]: String]
        @ByPhrase var leading: [[String]: String]
        @ByPhrase var alone: [[String]: String]
        @ByPhrase var joining: [[String]: String]
        @ByPhrase var bullet: [[String]: String]
        @Phrases var line: Set<[String]>
        @Phrases var paragraph: Set<[String]>
        /// A period as well: Spanish "punto y aparte".
        @Phrases var endOfParagraph: Set<[String]>

        var table: [[String]: SpokenMark] {
            var table: [[String]: SpokenMark] = [:]
            for (phrase, sign) in trailing { table[phrase] = .trailing(sign) }
            for (phrase, sign) in leading { table[phrase] = .leading(sign) }
            for (phrase, sign) in alone { table[phrase] = .alone(sign) }
            for (phrase, sign) in joining { table[phrase] = .joining(sign) }
            for (phrase, sign) in bullet { table[phrase] = .bullet(sign) }
            for phrase in line { table[phrase] = .line }
            for phrase in paragraph { table[phrase] = .paragraph }
            for phrase in endOfParagraph { table[phrase] = .endOfParagraph }
            return table
        }
    }

    /// The first words of all that ``SpokenMarks`` looks for.
    var firstWords: Set<String> {
        Set(marks.table.keys.compactMap(\.first)).union(escapes).union(scratches.compactMap(\.first))
            .union(enterCommands.compactMap(\.first))
    }
    static let longestPhrase = 3
}

/// The way in which a spoken mark is written.
enum SpokenMark: Equatable, Sendable {
    /// Joins the word before it.
    case trailing(String)
    /// Joins the word after it.
    case leading(String)
    /// A word by itself: a dash.
    case alone(String)
    /// Joins the words on both sides: a hyphen, a slash.
    case joining(String)
    case line
    case paragraph
    /// A period, and a new paragraph.
    case endOfParagraph
    /// A new line that begins with this.
    case bullet(String)
}
