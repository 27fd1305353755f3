/// The words of a language that self-corrections are made with. A correction has three parts: what was taken back, an
/// edit term ("no wait"), and the repair.
package struct CorrectionWords: Sendable {
    /// Edit terms by their first word: the words that follow it.
    package var editTerms: [String: [[String]]] = [:]
    /// Edit terms that are said as often without correcting anything.
    package var weak: Set<[String]> = []
    /// The last word of an edit term and the word behind it that make something else of it: "instead of".
    package var notBefore: Set<[String]> = []
    /// An edit term with the words before and behind it that make something else of it.
    package var notBetween: Set<[String]> = []
    /// Edit terms that clauses contain as well: "cells that should be targeted".
    package var inClauses: Set<[String]> = []
    /// Edit terms that qualify a verb: "I would rather wait".
    package var behindVerbs: Set<String> = []
    /// Verbs that such an edit term may belong to further behind: "would anyone rather".
    package var preferring: Set<String> = []
    /// Edit terms that deny what follows them behind some verbs: "found no errors".
    package var denying: Set<String> = []
    /// Those verbs, in all their forms.
    package var deniedVerbs: Set<String> = []
    /// Words of edit terms that say that something was wrong: "no", "sorry".
    package var retracting: Set<String> = []
    /// Verbs that an edit term begins with, and that may follow "to" and "must".
    package var verbs: Set<String> = []
    /// Words of edit terms that take back the whole sentence before them.
    package var scratching: Set<String> = []
    /// Words that may follow a correction and belong to it.
    package var afterthoughts: Set<String> = []
    /// Said behind words that were denied, and before the right ones: "not Bob but Alice".
    package var contrasting: Set<String> = []

    package init() {}
}
