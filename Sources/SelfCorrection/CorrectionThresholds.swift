/// How certain the model must be before words are removed, from 0 to 1, by what suggests a correction. A word
/// removed by mistake is lost; one left by mistake only reads badly. All were found on parts of Disfl-QA's
/// training set that were held back: below these values F1 gains less than fluent texts lose.
enum CorrectionThresholds {
    /// In a question: the model has learned most from these.
    static let question: Float = 0.3
    /// In a question with a single word without a comma before it as the edit term: fluent texts have "no",
    /// "or" and "rather" too, but hardly ever "no sorry I mean".
    static let lone: Float = 0.8
    /// In a question, for an edit term that clauses contain as well, without a comma before it: "that should be".
    static let clause: Float = 0.9
    /// For a question that begins again without an edit term: "the models that are known" does so too.
    static let restart: Float = 0.95
    /// For people who speak of themselves and to each other, which no text in training has: they
    /// are sorry and wait, and correct nothing.
    static let personal: Float = 0.95
    /// If the only edit term is a hesitation.
    static let hesitation: Float = 0.7
    /// How likely a late repair must be, among all readings, before words change their places.
    static let late: Float = 0.4
    /// In a statement, for an edit term that hardly ever means anything else.
    static let clear: Float = 0.5
    /// For all else outside questions: the model has seen fewer of these.
    static let statement: Float = 0.9
}
