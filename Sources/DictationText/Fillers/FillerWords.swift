import SelfCorrection

/// The words of a language that hesitate or fill, and those that are said twice.
struct FillerWords: LanguagePart {
    /// Hesitations with runs of a letter as one letter: "um" covers "umm" and "uuum".
    @Words var hesitations: Set<String>
    /// Words that would be hesitations by that rule, and are not.
    @Words var notHesitations: Set<String>
    /// Words that make another thing of what is said again: "a second tablet", "another one".
    @Words var further: Set<String>
    /// A verb behind its subject, or a subject of which there are several, ends with one of these: "gives", "asked", "lungs".
    @Words var verbEndings: Set<String>
    /// Verbs that have another form for what is past: "gave".
    @Words var pasts: Set<String>
    /// Hesitations within a sentence that are a word of their own at its beginning: "ah".
    @Words var inner: Set<String>
    /// Behind these they are quoted: "say ah".
    @Words var uttering: Set<String>
    /// Verbs behind which a preposition may end a clause, before another one.
    @Words var stranding: Set<String>
    /// Words of two letters: no beginnings of others.
    @Words var shortWords: Set<String>
    /// Hesitations that are a unit after a number.
    @Words var units: Set<String>
    /// Those that are one only behind digits, as nobody says them so: "5 um".
    @Words var writtenUnits: Set<String>
    /// Hesitations that sound like an abbreviation: "the er".
    var abbreviated: [String: AbbreviatedHesitation] = [:]
    /// Two hesitations that make an answer.
    @Phrases var answers: Set<[String]>
    var phrases: [FillerPhrase] = []
    /// Phrases that are said twice for emphasis or by nature.
    @Phrases var meantTwice: Set<[String]>
    /// Finite verbs that end a clause, and begin the next one; empty where no clause ends with its verb.
    @Words var clauseVerbs: Set<String>
    /// Such a clause begins with one of these, and its subject: "wenn er".
    @Words var clauseOpeners: Set<String>
    /// The same for those that may be its subject: "was passiert ist".
    @Words var clauseSubjects: Set<String>
    /// The same for those that follow a noun with its article: "das Haus, das".
    @Words var relatives: Set<String>
    /// Besides pronouns that are subjects, these follow any verb that begins a clause.
    @Words var clauseObjects: Set<String>
    /// Between these and the second verb there is nothing but the first one: Spanish "lo que es es".
    @Phrases var headless: Set<[String]>
    /// Before a pronoun and its verb, which ends their clause: "what he has has to go".
    @Words var shortOpeners: Set<String>
    /// Before the verb of a clause that says who is meant, and what is before these: "those who are are fine".
    @Words var relativeSubjects: Set<String>
    @Words var antecedents: Set<String>
    /// Words that are ``WordKinds/meantTwice`` or ``WordKinds/doubles``, and said twice by accident in some places.
    @ByWord var doubled: [String: DoubledWord]
}
