import Foundation

/// The language that is spoken, as settings and recognizers name it.
public enum SpokenLanguage {
    /// In the place of a locale: the model finds the language out.
    public static let found = "auto"

    /// Whether there may be such a language: its code has two letters and is one of ISO 639-1, or three letters, which are
    /// too many languages to know all of them.
    ///
    /// - Parameter locale: such as "de", "de-AT" or "de_AT.UTF-8".
    public static func mayExist(_ locale: String) -> Bool {
        let code = locale.prefix { $0.isASCII && $0.isLetter }.lowercased()
        let rest = locale.dropFirst(code.count).first
        guard rest.map({ "-_.@".contains($0) }) ?? true else { return false }
        switch code.count {
        case 2: return Locale.LanguageCode(code).isISOLanguage || renamed.contains(code)
        case 3: return true
        default: return code == found
        }
    }

    /// The code by which Whisper and servers with its interface know a language: usually the one of ISO 639-1.
    static func whisperCode(_ locale: String) -> String {
        let code = (locale.split { "-_".contains($0) }.first ?? "").lowercased()
        return whisperCodes[code] ?? code
    }

    /// Norwegian is written as Bokmål if nothing else is said; Filipino is Tagalog; Hebrew, Indonesian and Javanese have two
    /// codes.
    private static let whisperCodes = ["nb": "no", "fil": "tl", "iw": "he", "in": "id", "jv": "jw"]

    /// Codes that Foundation knows by other names only; models have some of them.
    private static let renamed: Set = ["in", "iw", "ji", "jw", "mo", "sh", "tl"]
}
