import DictationText

/// What the trainer is shown: pairs as they are and as a recogniser without capitals and marks would have written
/// them, and made sentences of dictation.
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
        for pair in pairs {
            for change in [{ $0 }, bare] {
                trainer.add(said: change(pair.spoken), meant: change(pair.written))
                trainer.add(said: change(pair.written), meant: change(pair.written))
            }
        }
        var generator = SplitMix(state: 1)
        for _ in 0..<made {
            let pair = MadeCorrections.pair(using: &generator)
            trainer.add(said: pair.spoken, meant: pair.written)
        }
    }

    private static func bare(_ text: String) -> String {
        String(text.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "'" || $0 == "-" })
    }

    private static func words(_ text: String) -> [String] {
        bare(text).split(separator: " ").map(String.init)
    }
}
