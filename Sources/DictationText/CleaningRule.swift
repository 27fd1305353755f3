/// The names of the rules, in the order in which they act. The raw values are what a configuration file says.
public enum CleaningRule: String, Sendable, CaseIterable, Codable {
    /// White space becomes single spaces, marks that stand alone join the word before them, control characters and
    /// invisible direction marks go. Always on.
    case spacing
    /// What the speaker took back goes, with the words that say so: "to bob, no, to alice".
    case selfCorrections
    /// "um", "uh", "er", "hmm" and their drawn-out spellings go.
    case hesitations
    /// "you know", "I mean" and "like" go where they say nothing.
    case fillerPhrases
    /// "w- w- we" becomes "we".
    case stutters
    /// "the the" and "I think I think" become one; "very very", "two two" and "had had" stay.
    case repetitions
    /// The start of a sentence and the word "I" get their capitals.
    case capitals
    /// The end gets a full stop, or a question mark where the last sentence begins as a question.
    case finalMark
}

/// A rule as a value: it changes the draft, notes what it did, and says whether it did anything.
protocol WordRule: Sendable {
    var rule: CleaningRule { get }
    func apply(to draft: inout Draft) -> Bool
}
