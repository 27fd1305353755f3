import CleanupSets
import DictationText
import TestSupport

/// The examples for the trainer: pairs as they are and as a recognizer without capitals and marks would have
/// written them, fluent texts with a hesitation, a denial, or another or a late correction, and made
/// sentences of dictation.
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

    /// - Parameter fluent: texts of other kinds, without corrections.
    static func teach(
        _ trainer: inout CorrectionTrainer, pairs: [CleanupSet.Pair], fluent: [String], made: Int
    ) {
        var generator = SeededGenerator(seed: 1)
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
        let late = LateCorrections(pairs.map(\.written))
        for number in 0..<Self.late {
            guard let pair = late.pair(using: &generator) else { continue }
            let change = number % 2 == 0 ? { $0 } : bare
            trainer.add(said: change(pair.spoken), meant: change(pair.written))
        }
        for pair in pairs where Double.random(in: 0..<1, using: &generator) < Self.denying {
            guard let text = denying(pair.written, using: &generator) else { continue }
            for fluent in [text, bare(text)] { trainer.add(said: fluent, meant: fluent) }
        }
        let talk = TalkingOn(fluent)
        for text in fluent + (0..<Self.talking).map({ _ in talk.text(using: &generator) }) {
            let text = Bool.random(using: &generator) ? text : bare(text)
            trainer.add(said: text, meant: text)
        }
        for _ in 0..<made {
            let pair = MadeCorrections.pair(using: &generator)
            trainer.add(said: pair.spoken, meant: pair.written)
        }
    }

    private static func add(
        _ pair: CleanupSet.Pair, hesitant: Double, to trainer: inout CorrectionTrainer,
        _ generator: inout SeededGenerator
    ) {
        trainer.add(said: pair.spoken, meant: pair.written)
        trainer.add(said: pair.written, meant: pair.written)
        guard Double.random(in: 0..<1, using: &generator) < hesitant else { return }
        let text = hesitating(pair.written, using: &generator)
        trainer.add(said: text, meant: text)
    }

    /// The share of the fluent texts that are shown with hesitations in them as well. In the pairs nearly
    /// every "uh" corrects something; in dictation, hardly any does. With none of them a third of the
    /// questions in which somebody hesitates lost words.
    private static let bareHesitant = 0.7
    /// The same with capitals and marks: recognizers that write them leave most hesitations out.
    private static let hesitant = 0.15
    /// How many are made of the fluent texts; more do not help on parts of the training set that were held back.
    private static let altered = 7_000
    /// How many are made in which the speaker corrects at the end what was said before. With three times as
    /// many, words without a late correction change their places as well.
    private static let late = 1_000

    /// How many are made of two fluent texts, in which people answer and continue.
    private static let talking = 5_000

    /// The text with one or two hesitations, without another change: another rule removes them.
    static func hesitating(_ text: String, using generator: inout some RandomNumberGenerator) -> String {
        var words = text.split(separator: " ").map(String.init)
        for _ in 0..<Int.random(in: 1...2, using: &generator) {
            let place = Int.random(in: 0...words.count, using: &generator)
            words.insert(["um", "uh", "er"][Int.random(in: 0..<3, using: &generator)], at: place)
        }
        return words.joined(separator: " ")
    }

    /// The share of the fluent texts that are shown with a denial as well: "schools that charge no tuition".
    /// The pairs have hardly any, and most of what fluent texts lost was after such a "no". With more of
    /// them, fewer corrections with a bare "no" are found.
    private static let denying = 0.03
    /// The words that "no" may replace.
    private static let determiners: Set = [
        "a", "an", "the", "any", "some", "all", "more", "many", "his", "their", "its",
    ]
    /// After these, what follows is hardly ever denied.
    private static let undenied: Set = [
        "in", "of", "on", "at", "from", "to", "by", "into", "as", "about", "all", "and", "or", "than",
        "during", "since", "until", "after", "before", "was", "were", "did", "does", "do",
    ]
    /// Nor after these if a question begins with them: "what is no".
    private static let asking: Set = ["is", "are", "has", "have", "had", "would", "could", "can", "will"]

    /// The text with a "no" for one of its articles or the like, usually after a verb; nil if there is none.
    private static func denying(
        _ text: String, using generator: inout some RandomNumberGenerator
    ) -> String? {
        var words = text.split(separator: " ").map(String.init)
        let places = words.indices.dropFirst().dropLast().filter { place in
            let before = words[place - 1]
            guard before.last?.isLetter == true, before.first?.isUppercase == false else { return false }
            return determiners.contains(words[place]) && !undenied.contains(before)
                && !(place < 3 && asking.contains(before))
        }
        guard let place = places.randomElement(using: &generator) else { return nil }
        words[place] = "no"
        return words.joined(separator: " ")
    }

    private static func bare(_ text: String) -> String {
        String(text.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "'" || $0 == "-" })
    }

    static func words(_ text: String) -> [String] {
        bare(text).split(separator: " ").map(String.init)
    }
}
