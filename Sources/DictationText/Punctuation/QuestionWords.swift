import SelfCorrection

/// The words of a language that questions are recognized by.
struct QuestionWords: LanguagePart {
    /// The subjects that make a question of a sentence when they follow the auxiliary.
    @ByWord var inversions: [String: Words]
    /// The pronoun that follows any verb of its own form in a question, what such a verb ends with, and words with such an ending
    /// that are no verbs: German "kommst du".
    @Words var addressed: Set<String>
    @Words var addressedEndings: Set<String>
    @Words var notAddressed: Set<String>
    /// After such a verb these show that its clause is a condition: "kommst du nicht, dann".
    @Words var consequences: Set<String>
    /// Auxiliaries that no inversion begins with, but that may follow a question word.
    @Words var auxiliaries: Set<String>
    /// Subjects of a question that may follow a comma.
    @Words var requestSubjects: Set<String>
    /// Three words that look like an inversion, and are a command or a condition.
    @Phrases var commands: Set<[String]>
    /// Question words that contain their auxiliary: "what's".
    @Words var contracted: Set<String>
    /// The question words that may be the subject themselves, or begin it: "who", "whose car".
    @Words var subjects: Set<String>
    /// Pronouns that may be the object as well, or precede it: "this rash".
    @Words var objects: Set<String>
    /// A question word and its neighbor that decide whether it is a question, independent of what follows.
    @Phrases var pairs: Set<[String]>
    @Phrases var statementPairs: Set<[String]>
}
