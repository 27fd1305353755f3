import DictationText
import SelfCorrection
import TestSupport

/// The examples for the model of marks: the words of marked texts without their marks, a few sentences at a
/// time, as people dictate.
struct MarkLessons {
    /// A feature that is seen less often is left out: fewer make better guesses about texts to come, and smaller files.
    private static let leastTimes = 40
    /// The most sentences that are shown as one text.
    private static let mostSentences = 8

    private struct Lesson {
        let features: [UInt32]
        let right: Set<Int>
        let isSentence: Bool
    }

    private let language: Language
    private let classes: WordClasses
    private var lessons: [Lesson] = []
    private var generator = SeededGenerator(seed: 3)

    init(language: Language, classes: WordClasses) {
        (self.language, self.classes) = (language, classes)
    }

    /// Words that the texts use alike.
    static func classes(of texts: [String]) -> WordClassLearner {
        var learner = WordClassLearner(leastTimes: Self.leastTimesInClass)
        for text in texts {
            for sentence in text.split(whereSeparator: { ".?".contains($0) }) {
                let words = CorrectionLessons.words(String(sentence))
                if !words.isEmpty { learner.add(words) }
            }
        }
        return learner
    }

    /// Of a word in a class.
    private static let leastTimesInClass = 10

    /// - Parameter text: of any length.
    mutating func add(_ text: String) {
        let words = text.split(separator: " ")
        var begin = 0
        var left = Int.random(in: 1...Self.mostSentences, using: &generator)
        for place in words.indices where words[place].last.map(".?".contains) == true {
            left -= 1
            guard left == 0 else { continue }
            addPart(words[begin...place])
            begin = place + 1
            left = Int.random(in: 1...Self.mostSentences, using: &generator)
        }
        addPart(words[begin...])
    }

    private mutating func addPart(_ words: ArraySlice<Substring>) {
        let lesson = MarkLesson(words.joined(separator: " "), language: language, classes: classes)
        lessons += lesson.places.map { place in
            Lesson(
                features: place.features, right: place.mark.map { [$0.rawValue] } ?? [], isSentence: false)
        }
        lessons += lesson.sentences.map { sentence in
            Lesson(features: sentence.features, right: sentence.asks ? [0] : [], isSentence: true)
        }
    }

    /// Features are counted apart by so many of their bits.
    private static let counters = 1 << 28

    /// - Returns: the examples to learn from, without rare features.
    func examples() -> [WeightLearner.Example] {
        var times = [UInt8](repeating: 0, count: Self.counters)
        func counter(_ feature: UInt32) -> Int { Int(feature) & (Self.counters - 1) }
        for lesson in lessons {
            for feature in lesson.features where times[counter(feature)] < .max {
                times[counter(feature)] += 1
            }
        }
        return lessons.map { lesson in
            let first = lesson.features.filter { Int(times[counter($0)]) >= Self.leastTimes }
                .map { UInt32(MarkModel.place(of: Int($0))) }
            return WeightLearner.Example(
                features: lesson.isSentence ? [first] : [first, first.map { $0 + 1 }], right: lesson.right)
        }
    }
}
