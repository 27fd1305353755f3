import Desktop
import DictationSettings
import DictationSystem

/// The words of one dictation on their way to be typed while it is spoken.
struct LiveDictation {
    private var text: LiveText
    /// The window where it began, whose profile says how its text is cleaned.
    private var origin: TextOrigin
    private let locale: String
    /// Settled, and not released yet.
    private var waiting: String?

    /// - Returns: nil if nothing is typed before the end.
    init?(_ mode: LiveInsertion, mayRevise: Bool, origin: TextOrigin, locale: String) {
        guard let text = LiveText(mode, mayRevise: mayRevise) else { return nil }
        (self.text, self.origin, self.locale) = (text, origin, locale)
    }

    /// Names that were on the screen, known before the first words.
    mutating func know(_ likelyTerms: [String]) { origin.likelyTerms = likelyTerms }

    mutating func take(_ heard: HeardText, _ service: TextService) {
        let wait = text.wait
        waiting = text.take(heard) { service.settled($0, for: origin, locale: locale, wait: wait) } ?? waiting
    }

    /// Whether there is something to release.
    var isWaiting: Bool { waiting != nil }

    /// Whether its typed text may be mended.
    var mayRevise: Bool { text.mayRevise }

    /// - Returns: all that is settled; nil if nothing has come to it.
    mutating func giveOut() -> String? {
        defer { waiting = nil }
        return waiting
    }
}
