import SelfCorrection

/// The words of a language that hesitate or fill, and those that are said twice.
struct FillerWords: LanguagePart {
    /// Hesitations with runs of a letter as one letter: "um" covers "umm" and "uuum".
    @Words var hesitations: Set<String>
    /// Words that would be hesitations by that rule, and are not.
    @Words var notHesitations: Set<String>
    /// Verbs behind which a preposition may end a clause, before another one.
    @Words var stranding: Set<String>
    /// Words of two letters: no beginnings of others.
    @Words var shortWords: Set<String>
    /// Hesitations that are a unit after a number.
    @Words var units: Set<String>
    /// Hesitations that sound like an abbreviation: "the er".
    var abbreviated: [String: AbbreviatedHesitation] = [:]
    /// Two hesitations that make an answer.
    @Phrases var answers: Set<[String]>
    var phrases: [FillerPhrase] = []
    /// Phrases that are said twice for emphasis or by nature.
    @Phrases var meantTwice: Set<[String]>
    /// Words that are ``WordKinds/meantTwice`` or ``WordKinds/doubles``, and said twice by accident in some places.
    @ByWord var doubled: [String: DoubledWord]
}
