import DictationSettings
import DictationShared
import DictationSpeech
import DictationText

/// The words of a recording that the recognizer has heard so far.
package struct HeardText: Equatable, Sendable {
    /// The text that does not change any more: the segments of speech that have ended.
    package var final: String
    /// Its words with their times; empty if the engine does not know them.
    package var words: [TimedWord]
    /// The words after it, which may still change.
    package var tentative: String
    /// The words after those, that only the newest result contains: they are not typed, but show how the others continue.
    package var unsure = ""
    /// The sound that it covers: seconds from the beginning of the recording.
    package var end: Double

    package init(final: String = "", words: [TimedWord] = [], tentative: String = "", end: Double = 0) {
        (self.final, self.words, self.tentative, self.end) = (final, words, tentative, end)
    }

    /// All words except the unsure ones, for display.
    package var shown: String {
        final.isEmpty || tentative.isEmpty ? final + tentative : "\(final) \(tentative)"
    }

    /// The beginning of the cleaned text that no further words change.
    ///
    /// - Parameter wait: see ``TextCleaner/settledPrefix(of:unsure:wait:)``.
    package func settled(by cleaner: TextCleaner, wait: Int = TextCleaner.usualWait) -> String {
        guard let end = words.last?.end else {
            return cleaner.settledPrefix(of: shown, unsure: unsure, wait: wait)
        }
        let behind = tentative.split(separator: " ").map { TimedWord(text: String($0), start: end, end: end) }
        return cleaner.settledPrefix(of: words + behind, unsure: unsure, wait: wait)
    }
}

/// Decides which words of a recording are typed during it: a pure value.
///
/// ```
///                               segments            words
/// tentative "so we meet"        –                   –
/// tentative "so we meet on"     –                   –
/// tentative "so we meet on Mo"  –                   So we       agreed three times, with two more words after
/// final     "So we meet on Monday."
///                               So we meet          So we meet  as far as the clean-up may not change it
/// ```
///
/// Words that were released are never taken back. If the recognizer changes them, the rest is joined to
/// them (``LiveJoin``). If the typed text may be mended, words are released sooner, and may be replaced
/// later.
package struct LiveText: Equatable, Sendable {
    let isByWords: Bool
    /// Whether words that were released may change later.
    package let mayRevise: Bool
    /// All that was released.
    private(set) var settled = ""
    /// How many words are final.
    private var finalCount = 0
    /// The last partial results, each without its last word: it may be half a word.
    private var looks: WordAgreement
    /// The words of them that were agreed on.
    private var agreed: [Substring] = []
    /// The end of the sound of the last result, in seconds.
    private var end = 0.0

    /// How many words must follow before one is released: see ``TextCleaner/settledPrefix(of:unsure:wait:)``.
    /// If it may be mended, none.
    package var wait: Int { mayRevise ? 0 : TextCleaner.usualWait }

    /// - Parameter mayRevise: whether the typed text may be mended.
    /// - Returns: nil if nothing is typed before the end.
    package init?(_ mode: LiveInsertion, mayRevise: Bool = false) {
        guard mode != .off else { return nil }
        isByWords = mode == .words
        self.mayRevise = mayRevise
        // If a word may be mended, one result would be enough, but then twice as many are removed again
        // (docs/benchmarks.md).
        looks = WordAgreement(of: mayRevise ? 2 : 3)
    }

    /// Adds a result.
    ///
    /// - Parameter clean: gives the beginning of the cleaned text that does not change any more.
    /// - Returns: everything settled now; nil if nothing was added.
    package mutating func take(_ heard: HeardText, clean: (HeardText) -> String) -> String? {
        let settled = clean(
            isByWords ? certain(of: heard) : HeardText(final: heard.final, words: heard.words))
        // A segment that was cut out of running speech comes without the words after it; they follow in the
        // next result.
        let isWhole = heard.tentative.isEmpty && heard.end >= end
        end = max(end, heard.end)
        guard !settled.isEmpty else { return nil }
        guard !mayRevise else { return revise(settled, isWhole: isWhole) }
        let joined = LiveJoin(self.settled, settled).text
        guard joined != self.settled else { return nil }
        self.settled = joined
        return joined
    }

    /// Words that are no longer certain stay until others replace them, or the segment has ended, so that
    /// typed words do not come and go.
    private mutating func revise(_ settled: String, isWhole: Bool) -> String? {
        let (now, before) = (settled.split(separator: " "), self.settled.split(separator: " "))
        guard now != before, isWhole || now.count >= before.count else { return nil }
        self.settled = settled
        return settled
    }

    /// The words on which the results agree.
    private mutating func certain(of heard: HeardText) -> HeardText {
        let words = heard.tentative.split(separator: " ")
        let ended = max(0, heard.final.split(separator: " ").count - finalCount)
        if ended > 0 {
            // The words after a segment may have been counted before it became final.
            looks.dropFirst(ended)
            agreed = []
            finalCount += ended
        }
        if !words.isEmpty { agree(on: words) }
        var certain = heard
        certain.tentative = agreed.joined(separator: " ")
        certain.unsure = words.dropFirst(agreed.count).joined(separator: " ")
        return certain
    }

    private mutating func agree(on words: [Substring]) {
        looks.take(words.dropLast())
        let sure = words.prefix(looks.count())
        if mayRevise || sure.count >= agreed.count {
            agreed = Array(sure)
        } else {
            // A word before these changes, and may have been released: the words after it need not wait for
            // that.
            let last = agreed.count - 1
            agreed += words.prefix(last + looks.count(from: last)).dropFirst(agreed.count)
        }
    }
}
