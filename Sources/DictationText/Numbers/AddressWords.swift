import SelfCorrection

/// Addresses of mail and of the web, names of files and their paths.
struct AddressWords: LanguagePart {
    @Text var at: String
    @Text var dot: String
    @Words var slash: Set<String>
    @Text var colon: String
    /// Other signs within an address.
    @ByWord var signs: [String: String]
    /// The same, of two words: Spanish "guion bajo".
    @ByPhrase var longSigns: [[String]: String]
    /// Top level domains that make an address of ordinary words.
    @Words var domains: Set<String>
    /// Those of them that are words as well: Spanish "este punto es importante" is no address.
    @Words var wordDomains: Set<String>
    /// Cannot be the name before "at": "look at example dot com".
    @Words var notNames: Set<String>
    /// Single letters that are words, and belong to no word after them: Spanish "a un punto".
    @Words var wordLetters: Set<String>
    @Words var schemes: Set<String>
    /// Words after a dot that make the words before it the name of a file.
    @Words var fileEndings: Set<String>
    /// A path after them begins with its slash: "in slash etc slash hosts".
    @Words var beforePaths: Set<String>
    /// Words with a slash between them, which is a word elsewhere: "and slash or".
    @Phrases var slashed: Set<[String]>
    /// Before "dot", and no label: "the dot com bubble".
    @Words var articles: Set<String>
}
