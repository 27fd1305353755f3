/// The words of a language that self-corrections are made with. A correction has three parts: the retracted
/// words, an edit term ("no wait"), and the repair.
package struct CorrectionWords: LanguagePart, Sendable {
    @PhrasesByFirstWord package var editTerms: [String: [[String]]]
    /// Edit terms that are said as often without correcting anything.
    @Phrases package var weak: Set<[String]>
    /// The last word of an edit term and the word after it that make something else of it: "instead of".
    @Phrases package var notBefore: Set<[String]>
    /// An edit term with the words before and after it that make something else of it.
    @Phrases package var notBetween: Set<[String]>
    /// Edit terms that clauses contain as well: "cells that should be targeted".
    @Phrases package var inClauses: Set<[String]>
    package var verbs = EditTermVerbs()
    /// Words of edit terms that say that something was wrong: "no", "sorry".
    @Words package var retracting: Set<String>
    /// Edit terms that contradict: after "not" and what it denies, they may say what is meant instead.
    @Words package var contradicting: Set<String>
    /// Words of edit terms that retract the whole sentence before them.
    @Words package var scratching: Set<String>
    /// Words that may follow a correction and belong to it.
    @Words package var afterthoughts: Set<String>
    /// Words that answer, and may be in a list with one of those: "yes for Anna, no for Tom".
    @Words package var affirming: Set<String>
    /// Words with which one asks on, one thing after the other: "any nausea no any fever".
    @Words package var inquiring: Set<String>
    /// The last word of an edit term and the word after it that go on with it, unless the second was said before: "sorry for the
    /// delay", but "for five sorry for six".
    @Phrases package var apologies: Set<[String]>
    /// Edit terms that lead on to a question of their own: "I love Rome, I mean who doesn't?"
    @Phrases package var asking: Set<[String]>
    /// After an "or" they offer one more: "tea or coffee, or maybe water".
    @Phrases package var choosing: Set<[String]>
    /// Edit terms that in a statement say more of what was said, or offer something else: "he lives in Berlin, to be exact in
    /// Mitte", "it is in the drawer, maybe in the closet".
    @Phrases package var adding: Set<[String]>
    /// Edit terms that may have an object of their own: "never mind the noise".
    @Phrases package var taking: Set<[String]>
    /// Things that often come one without the other: "black coffee no milk".
    @Words package var supplies: Set<String>
    /// Said after words that were denied, and before the right ones: "not Bob but Alice".
    @Words package var contrasting: Set<String>
    /// Words that are often said for each other: the days, the months, given names, places, left and right.
    package var series: [Words] = []
    /// English words, each with the words of the language that the model reads as it: it has learned from
    /// English alone.
    package var english: [String: Words] = [:]

    package init() {}
}

/// Words for the relation of edit terms to verbs.
package struct EditTermVerbs: LanguagePart, Sendable {
    /// Edit terms that qualify a verb: "I would rather wait".
    @Words package var qualifying: Set<String>
    /// Verbs that such an edit term may belong to, further back: "would anyone rather".
    @Words package var preferring: Set<String>
    /// Edit terms that deny what follows them after some verbs: "found no errors".
    @Words package var denying: Set<String>
    /// Those verbs, in all their forms.
    @Words package var denied: Set<String>
    /// Articles of what was not named before: after such a noun, "no milk" denies another one.
    @Words package var indefinite: Set<String>
    /// Verbs that an edit term begins with, and that may follow "to" and "must".
    @Words package var beginning: Set<String>
    /// Those of them that are nouns as well: "the wait".
    @Words package var nouns: Set<String>
    /// What such a verb takes, after a number: "wait five minutes".
    @Words package var durations: Set<String>
    /// Of edit terms such as "cancel that" those that are ordinary orders as well.
    @Words package var ordering: Set<String>
    /// After a noun, before "no" and what it leaves out: "stage one only no stage two".
    @Words package var limiting: Set<String>
    /// Adverbs that begin a sentence without a verb, before a preposition: "out of coffee".
    @Words package var leaving: Set<String>
    /// Words that may be between these and the word that wants a verb: "can you please tell me".
    @Words package var courtesies: Set<String>

    package init() {}
}
