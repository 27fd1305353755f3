/// How sure the model has to be before something is taken away, from 0 to 1, by what announces it. What is wrongly
/// taken away is lost, what is wrongly left is read over. All were found on parts of Disfl-QA's training set that were
/// held back: from here down F1 gains less than fluent texts lose.
package struct CorrectionThresholds: Sendable {
    /// In a question, where the model has learnt most.
    package var question: Float = 0.3
    /// The same where a single word without a comma before it is all that announces a correction: fluent texts have
    /// "no", "or" and "rather" too, and "no sorry I mean" hardly ever.
    package var lone: Float = 0.8
    /// The same where clauses have what announces it, and there is no comma before it: "that should be".
    package var clause: Float = 0.9
    /// The same where a question begins again and nothing announces it: "the models that are known" does so too.
    package var restart: Float = 0.95
    /// The same where people speak of themselves and to each other, as in none of the texts that the model has learnt from:
    /// they are sorry and wait, and take nothing back.
    package var personal: Float = 0.95
    /// The same where it is only hesitated before.
    package var hesitation: Float = 0.7
    /// How likely it has to be, of all readings, that what was said instead comes late, before words change their places.
    package var late: Float = 0.4
    /// In a statement, for what hardly ever says anything else.
    package var clear: Float = 0.5
    /// For all else outside of questions, of which the model has seen fewer.
    package var statement: Float = 0.9

    package static let usual = CorrectionThresholds()

    package init() {}
}
