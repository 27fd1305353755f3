/// Keeps a live transcript from flickering: shows the words that several partial results in a row agree on.
///
/// ```
/// partial        shown (2 must agree)
/// go             –
/// go forward     go
/// go four        go
/// go forward ten go
/// go forward ten go forward ten
/// ```
///
/// A model that hears an unfinished sentence still ends it with a period ("Go forward."), which disappears
/// with the next word. So marks after the last word are not shown.
public struct PartialStabilizer: Sendable, Equatable {
    /// Three partial results, 150 ms apart in all: a decoder revises some 40 times an utterance, most often within
    /// the next chunk or two.
    public static let usualAgreement = 3

    private var agreement: WordAgreement
    private var shown = ""

    /// - Parameter agreement: how many partial results in a row must agree; at least 1.
    public init(agreement: Int = usualAgreement) { self.agreement = WordAgreement(of: agreement) }

    /// Takes the newest partial result.
    ///
    /// - Returns: the text to show now; nil if it has not changed.
    public mutating func update(_ partial: String) -> String? {
        let words = partial.withoutMarksBehind.split(separator: " ")
        agreement.take(words)
        let text = words.prefix(agreement.count()).joined(separator: " ")
        guard text != shown else { return nil }
        shown = text
        return text
    }

    /// Forgets all: the words have become final.
    public mutating func reset() { self = PartialStabilizer(agreement: agreement.needed) }
}

extension String {
    private static let marks: Set<Character> = [".", "?", "!", "…", ",", ";", ":", "。", "？", "！", "，", "、"]

    fileprivate var withoutMarksBehind: Substring {
        self[..<(lastIndex { !Self.marks.contains($0) && !$0.isWhitespace }.map(index(after:)) ?? startIndex)]
    }
}
