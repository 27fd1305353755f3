/// Names and terms on the screen, which the user is likely to say. A value in, a value out.
///
/// ```swift
/// ScreenTerms.found(inTitle: "Re: Offer for Zabrowski – Mail", selection: "Ask Ms O'Farrell", language: .english)
/// // ["Zabrowski", "O'Farrell"]
/// ```
///
/// A term is a word with a capital that is no ordinary word ("Zabrowski"), one with capitals inside
/// ("GitHub"), a part of an identifier or of a file's name that is no ordinary word ("parse_kubectl"), or a
/// name in an address of mail. Words with digits are none: they are not spoken as they are written. Nor are
/// words in all capitals: their letters are spelled, or they are emphasis. In a language whose ordinary words
/// are not known, a capital alone says nothing, and only the others are found.
public enum ScreenTerms {
    /// The most terms that are found, those of the title first.
    public static let most = 100
    /// More of a title or a selection is not looked at: bytes.
    public static let longestTitle = 1_000
    public static let longestSelection = 10_000
    private static let lengths = 3...40

    public static func found(
        inTitle title: String, selection: String = "", language: Language = .english
    ) -> [String] {
        var known: Set<String> = []
        var terms: [String] = []
        let title = title.beginning(bytes: longestTitle)
        let selection = selection.beginning(bytes: longestSelection)
        for token in title.split(whereSeparator: \.isWhitespace)
            + selection.split(whereSeparator: \.isWhitespace)
        {
            for term in Self.terms(of: token, language) where known.insert(term.lowercased()).inserted {
                terms.append(term)
                if terms.count == most { return terms }
            }
        }
        return terms
    }

    // MARK: - A word of the screen

    private static func terms(of token: Substring, _ language: Language) -> [String] {
        let token = token.trimmed { !$0.isLetter && !$0.isNumber }
        if token.contains("://") || token.hasPrefix("www.") { return [] }
        if let at = token.firstIndex(of: "@") {
            return mailName(token[..<at], of: token[token.index(after: at)...], language)
        }
        // The last part of a path is the most useful.
        let name = token.split { $0 == "/" || $0 == "\\" }.last ?? token
        let isIdentifier = name.contains("_") || name.contains(".")
        var parts = name.split { !$0.isLetter && !$0.isNumber && !"'’".contains($0) }
        if name.contains("."), parts.count > 1, let last = parts.last, last.count <= longestSuffix {
            parts.removeLast()
        }
        return parts.compactMap { term($0, mayBeSmall: isIdentifier, language) }
    }

    /// ".swift", ".docx": of letters.
    private static let longestSuffix = 5

    /// "Anna" and "Zabrowski" of "anna.zabrowski@example.org".
    private static func mailName(
        _ mailbox: Substring, of domain: Substring, _ language: Language
    ) -> [String] {
        guard domain.contains("."), !domain.contains("@") else { return [] }
        return mailbox.split { !$0.isLetter && !$0.isNumber }.compactMap { part -> String? in
            let small = part.lowercased()
            guard !offices.contains(small), !language.knownAsOrdinary(small) else { return nil }
            let isWritten = part.contains(where: \.isUppercase) && part.contains(where: \.isLowercase)
            let name: String = isWritten ? String(part) : small.prefix(1).uppercased() + small.dropFirst()
            return term(name[...], mayBeSmall: true, language, isName: true)
        }
    }

    /// Mailboxes without a person.
    private static let offices: Set<String> = ["noreply", "donotreply", "postmaster", "webmaster", "mailer"]

    /// - Parameters:
    ///   - mayBeSmall: whether a word without a capital counts too.
    ///   - isName: whether it is one wherever ordinary words are not known.
    private static func term(
        _ part: Substring, mayBeSmall: Bool, _ language: Language, isName: Bool = false
    ) -> String? {
        var word = part.trimmed { !$0.isLetter && !$0.isNumber }
        for possessive in ["'s", "’s"] where word.hasSuffix(possessive) { word = word.dropLast(2) }
        let letters = word.count { $0.isLetter }
        guard lengths.contains(letters), word.count <= lengths.upperBound,
            !word.contains(where: \.isNumber), word.contains(where: \.isLowercase)
        else { return nil }
        let text = String(word).replacing("’", with: "'")
        if word.dropFirst().contains(where: \.isUppercase) { return text }
        guard language.knowsOrdinaryWords || isName else { return nil }
        guard mayBeSmall || word.contains(where: \.isUppercase) else { return nil }
        return language.knownAsOrdinary(text.lowercased()) ? nil : text
    }
}

extension Language {
    /// If no ordinary words are known, none is ordinary.
    fileprivate func knownAsOrdinary(_ key: String) -> Bool { knowsOrdinaryWords && isOrdinary(key) }
}

extension String {
    /// The whole words in it.
    fileprivate func beginning(bytes: Int) -> Substring {
        guard utf8.count > bytes else { return self[...] }
        let end = utf8.index(startIndex, offsetBy: bytes)
        let whole = self[..<end]
        // The last one may be cut.
        return whole.lastIndex(where: \.isWhitespace).map { whole[..<$0] } ?? ""
    }
}

extension Substring {
    fileprivate func trimmed(_ isToGo: (Character) -> Bool) -> Substring {
        var rest = drop(while: isToGo)
        while let last = rest.last, isToGo(last) { rest.removeLast() }
        return rest
    }
}
