import SelfCorrection

/// A marked text as ``MarkModel`` learns from it: the words without their marks, and where these were. ``BareWords`` goes the
/// same way through words whose marks it does not know.
package struct MarkLesson {
    /// A place between two words where a mark may be.
    package struct Place {
        package let features: [UInt32]
        package let mark: MarkModel.Mark?
    }

    /// A sentence that does not ask by ``Questions``.
    package struct Sentence {
        package let features: [UInt32]
        package let asks: Bool
    }

    package private(set) var places: [Place] = []
    package private(set) var sentences: [Sentence] = []

    /// - Parameter line: words, each with one mark at most.
    package init(_ line: String, language: Language, classes: WordClasses) {
        var words = Draft(line: line, language: language).words
        let tokens = words.map { MarkToken($0, language: language, classes: classes) }
        let trails = words.map(\.trail)
        // The commas are there when the rules are asked for questions.
        for place in words.indices where trails[place] != "," { words[place].trail = "" }
        var clause = MarkClause()
        for place in tokens.indices {
            clause.add(tokens[place])
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
            if place + 1 < tokens.count, tokens[place].mayEnd(before: tokens[place + 1]),
                mark != nil || trails[place].isEmpty
            {
                var features = MarkFeatures(Hashes())
                features.collect(behind: place, in: tokens, clause)
                places.append(Place(features: features.sink.hashes, mark: mark))
            }
            if let mark { clause.end(at: place + 1, isSentence: mark == .stop) }
        }
    }

    private struct Hashes: FeatureSink {
        var hashes: [UInt32] = []

        mutating func add(_ hash: Int) { hashes.append(UInt32(truncatingIfNeeded: hash)) }
    }
}
