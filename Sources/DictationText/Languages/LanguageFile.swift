import Foundation
import SelfCorrection

/// The word lists of a language as its file has them: JSON5, compiled into the program.
struct LanguageFile: LanguagePart {
    @Text var identifier: String
    /// Kinds of words, by the names of their ``WordKinds``.
    var kinds: [String: Words] = [:]
    /// Endings that show what part of speech a word is, the longer ones first.
    @Text var endings: String
    @Words var negations: Set<String>
    @Words var snippetWords: Set<String>
    var fillers = FillerWords()
    var corrections = CorrectionWords()
    var restarts = RestartWords()
    var articleForms = ArticleForms()
    var questions = QuestionWords()
    var numbers = NumberWords()
    var punctuation = PunctuationWords()
    var edits = EditWords()
    var capitals = CapitalWords()
}

extension LanguageFile {
    /// The lists that other lists may refer to: `@name`, and `@numbers` for the words of `numbers.whole.small`.
    private struct Shared: LanguagePart {
        var lists: [String: Words] = [:]
        var numbers = Numbers()

        struct Numbers: LanguagePart {
            var whole = Whole()
        }

        struct Whole: LanguagePart {
            @Numbered var small: [String: Int]
        }
    }

    /// - Parameters:
    ///   - small: numbers that are made by rule, besides those of the file.
    ///   - ordinals: the same for ordinals.
    init(_ bytes: [UInt8], small: [String: Int] = [:], ordinals: [String: Int] = [:]) throws {
        let data = Data(bytes)
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let shared = try decoder.decode(Shared.self, from: data)
        var lists = shared.lists.mapValues(\.wrappedValue)
        lists["numbers"] = Set(shared.numbers.whole.small.keys).union(small.keys)
        if let key = CodingUserInfoKey.sharedWords { decoder.userInfo[key] = lists }
        self = try decoder.decode(Self.self, from: data)
        numbers.whole.small.merge(small) { $1 }
        numbers.ordinals.words.merge(ordinals) { $1 }
    }
}

extension Language {
    /// English, British and American.
    public static let english = Language("en") { try LanguageFile(PackageResources.en_json5) }
    /// German. Its nouns need a recognizer that gives them capitals.
    public static let german = Language("de") {
        try LanguageFile(
            PackageResources.de_json5, small: GermanNumbers.small, ordinals: GermanNumbers.ordinals)
    }
    public static let spanish = Language("es") { try LanguageFile(PackageResources.es_json5) }

    /// A test reads each file, so that none fails here; without its lists a language still has capitals and marks.
    private convenience init(_ identifier: String, read: () throws -> LanguageFile) {
        self.init((try? read()) ?? LanguageFile(identifier: identifier))
    }
}

extension LanguageFile {
    init(identifier: String) {
        self.init()
        self.identifier = identifier
        // There is no list of its abbreviations.
        capitals.keepsSmall = true
    }
}
