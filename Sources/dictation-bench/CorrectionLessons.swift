import DictationText

/// What the trainer is shown: pairs as they are and as a recogniser without capitals and marks would have written
/// them, fluent texts in which somebody hesitates or corrects themselves otherwise, and made sentences of dictation.
enum CorrectionLessons {
    /// The classes of words that the pairs' texts show.
    static func classes(of pairs: [CleanupSet.Pair]) -> WordClassLearner {
        var learner = WordClassLearner()
        for pair in pairs {
            learner.add(words(pair.spoken))
            learner.add(words(pair.written))
        }
        return learner
    }

    static func teach(_ trainer: inout CorrectionTrainer, pairs: [CleanupSet.Pair], made: Int) {
        var generator = SplitMix(state: 1)
        for pair in pairs {
            add(pair, hesitant: Self.hesitant, to: &trainer, &generator)
            let bare = CleanupSet.Pair(spoken: bare(pair.spoken), written: bare(pair.written))
            add(bare, hesitant: Self.bareHesitant, to: &trainer, &generator)
        }
        let altered = AlteredSentences(pairs.map(\.written))
        for number in 0..<Self.altered {
            guard let pair = altered.pair(using: &generator) else { continue }
            let change = number % 2 == 0 ? { $0 } : bare
            trainer.add(said: change(pair.spoken), meant: change(pair.written))
        }
        for _ in 0..<made {
            let pair = MadeCorrections.pair(using: &generator)
            trainer.add(said: pair.spoken, meant: pair.written)
        }
    }

    private static func add(
        _ pair: CleanupSet.Pair, hesitant: Double, to trainer: inout CorrectionTrainer,
        _ generator: inout SplitMix
    ) {
        trainer.add(said: pair.spoken, meant: pair.written)
        trainer.add(said: pair.written, meant: pair.written)
        guard Double.random(in: 0..<1, using: &generator) < hesitant else { return }
        let text = hesitating(pair.written, using: &generator)
        trainer.add(said: text, meant: text)
    }

    /// The share of the fluent texts that are shown with hesitations in them as well. In the pairs nearly every "uh" takes
    /// something back; of people who dictate, hardly any does. With none of them a third of the questions in which
    /// somebody hesitates lost words.
    private static let bareHesitant = 0.7
    /// The same with capitals and marks: recognisers that write them leave most hesitations out.
    private static let hesitant = 0.15
    /// How many are made of the fluent texts; more do not help on parts of the training set that were held back.
    private static let altered = 7_000

    /// The text with one or two hesitations, for which nothing else is to go: another rule takes them away.
    static func hesitating(_ text: String, using generator: inout some RandomNumberGenerator) -> String {
        var words = text.split(separator: " ").map(String.init)
        for _ in 0..<Int.random(in: 1...2, using: &generator) {
            let place = Int.random(in: 0...words.count, using: &generator)
            words.insert(["um", "uh", "er"][Int.random(in: 0..<3, using: &generator)], at: place)
        }
        return words.joined(separator: " ")
    }

    private static func bare(_ text: String) -> String {
        String(text.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "'" || $0 == "-" })
    }

    private static func words(_ text: String) -> [String] {
        bare(text).split(separator: " ").map(String.init)
    }
}
