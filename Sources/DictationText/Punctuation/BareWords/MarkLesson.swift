import SelfCorrection

/// A marked text as ``MarkModel`` learns from it: the words without their marks, and where these were. ``BareWords`` goes the
/// same way through words without known marks.
package struct MarkLesson {
    /// A word, and the place after it.
    package struct Place {
        /// The word and its part of speech, as the network reads them.
        package let (word, part): (UInt32, UInt32)
        package let mark: MarkModel.Mark?
        /// A mark may be there, and whether one is there is known.
        package let counts: Bool
    }

    /// A sentence that does not ask by ``Questions``.
    package struct Sentence {
        package let features: [UInt32]
        package let asks: Bool
    }

    package private(set) var places: [Place] = []
    package private(set) var sentences: [Sentence] = []

    /// - Parameter line: words, each with one mark at most.
    package init(_ line: String, language: Language) {
        var words = Draft(line: line, language: language).words
        let tokens = words.map { MarkToken($0, language: language) }
        let trails = words.map(\.trail)
        // The commas are there when the rules are asked for questions.
        for place in words.indices where trails[place] != "," { words[place].trail = "" }
        var clause = MarkClause()
        for place in tokens.indices {
            let mark: MarkModel.Mark? =
                switch trails[place] {
                case ",": .comma
                case ".", "?": .stop
                default: nil
                }
            let sentence = clause.sentence...place
            if mark == .stop, !Questions(language: language).isQuestion(Array(words[sentence])) {
                var features = MarkFeatures(Hashes())
                features.collect(sentence: tokens[sentence])
                sentences.append(Sentence(features: features.sink.hashes, asks: trails[place] == "?"))
            }
            // Dashes and colons are neither right nor wrong.
            let counts =
                place + 1 < tokens.count && tokens[place].mayEnd(before: tokens[place + 1])
                && (mark != nil || trails[place].isEmpty)
            places.append(
                Place(word: tokens[place].word, part: tokens[place].part, mark: mark, counts: counts))
            if let mark { clause.end(at: place + 1, isSentence: mark == .stop) }
        }
    }

    private struct Hashes: FeatureSink {
        var hashes: [UInt32] = []

        mutating func add(_ hash: Int) { hashes.append(UInt32(truncatingIfNeeded: hash)) }
    }
}
