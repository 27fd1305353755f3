import CMarkLearner
import DictationText
import SelfCorrection
import TestSupport

/// The examples for the model of marks: the words of marked texts without their marks, a few sentences at a
/// time, as people dictate.
struct MarkLessons {
    /// A feature of a question that is seen less often is left out: fewer make better guesses about texts to come, and
    /// smaller files.
    private static let leastTimes = 40
    /// The most sentences that are shown as one text.
    private static let mostSentences = 8
    /// The same of orders, which people give one or two at a time.
    private static let mostOrders = 4

    private let language: Language
    private(set) var words: [mark_example] = []
    private var sentences: [MarkLesson.Sentence] = []
    private var generator = SeededGenerator(seed: 3)

    init(language: Language) { self.language = language }

    /// - Parameters:
    ///   - text: of any length.
    ///   - isTalk: whether it is a transcript of speech. Only its periods are learned: speakers ask by their
    ///     voice alone ("the dog?"), and few transcripts have the commas.
    mutating func add(_ text: String, isTalk: Bool = false) {
        let words = text.split(separator: " ")
        var begin = 0
        var left = Int.random(in: 1...Self.mostSentences, using: &generator)
        for place in words.indices where words[place].last.map(".?".contains) == true {
            left -= 1
            guard left == 0 else { continue }
            addPart(words[begin...place], isTalk: isTalk)
            begin = place + 1
            left = Int.random(in: 1...Self.mostSentences, using: &generator)
        }
        addPart(words[begin...], isTalk: isTalk)
    }

    /// Sentences without marks, of which only the ends are learned.
    mutating func add(orders: [String]) {
        var rest = orders.shuffled(using: &generator)[...]
        while !rest.isEmpty {
            let part = rest.prefix(Int.random(in: 1...Self.mostOrders, using: &generator))
            rest = rest.dropFirst(part.count)
            let text = part.map { $0.filter { !",.;:?!".contains($0) } + "." }.joined(separator: " ")
            addWords(MarkLesson(text, language: language), knowsCommas: false)
        }
    }

    private mutating func addPart(_ words: ArraySlice<Substring>, isTalk: Bool) {
        let lesson = MarkLesson(words.joined(separator: " "), language: language)
        addWords(lesson, knowsCommas: !isTalk)
        if !isTalk { sentences += lesson.sentences }
    }

    private mutating func addWords(_ lesson: MarkLesson, knowsCommas: Bool) {
        words += lesson.places.enumerated().map { number, place in
            let mark =
                switch place.mark {
                case .stop: MarkNetwork.stop
                case _ where !knowsCommas: Int(MARK_NO_STOP)
                case .comma: MarkNetwork.comma
                case nil: 0
                }
            return mark_example(
                word: place.word, part: place.part, mark: UInt8(mark), counts: place.counts ? 1 : 0,
                begins: number == 0 ? 1 : 0)
        }
    }

    /// - Parameter report: called after each pass.
    /// - Returns: nil if there is not enough memory.
    func network(passes: Int, report: @convention(c) (Int32, Double) -> Void) -> MarkNetwork? {
        var layers = [Float](repeating: 0, count: MarkNetwork.layerWeights)
        var rows = [Float](repeating: 0, count: MarkNetwork.rowCount * MarkNetwork.rowLength)
        let isDone = words.withUnsafeBufferPointer { words in
            mark_learn(
                mark_learning(
                    examples: words.baseAddress, count: words.count, passes: Int32(passes), report: report),
                &layers, &rows)
        }
        return isDone == 0 ? nil : MarkNetwork(layers: layers, rows: rows)
    }

    /// Features are counted separately by this many of their bits.
    private static let counters = 1 << 28

    /// - Returns: the sentences to learn questions from, without rare features.
    func questions() -> [WeightLearner.Example] {
        var times = [UInt8](repeating: 0, count: Self.counters)
        func counter(_ feature: UInt32) -> Int { Int(feature) & (Self.counters - 1) }
        for sentence in sentences {
            for feature in sentence.features where times[counter(feature)] < .max {
                times[counter(feature)] += 1
            }
        }
        return sentences.map { sentence in
            let features = sentence.features.filter { Int(times[counter($0)]) >= Self.leastTimes }
                .map { UInt32(MarkModel.place(of: Int($0))) }
            return WeightLearner.Example(features: [features], right: sentence.asks ? [0] : [])
        }
    }
}
