/// The tags that recognizers write if nobody spoke: `[BLANK_AUDIO]`, `(Music)`, `*laughs*`, `♪ … ♪`, `<unk>`.
///
/// Models learn such tags from subtitles, or have separate tokens for them. They are not words. The rule
/// checks the text of the engine, before spoken punctuation becomes marks, so that dictated parentheses stay.
///
/// | text | what goes |
/// | --- | --- |
/// | tags and punctuation alone | all of it |
/// | words with a tag of a known sound: "[wind blowing]", "(laughs)" | that tag |
/// | words with other brackets: "see (Table 2)", "a[0]" | nothing |
/// | tokens of a model: `<unk>`, `<\|nospeech\|>` | these |
/// | what is between two notes: ♪ la la ♪ | that: it is sung, not said |
enum SoundTags {
    /// The text without tags; the same text if it has none.
    static func removed(from text: String) -> String {
        let ranges = ranges(in: text)
        return ranges.isEmpty ? text : text.without(ranges)
    }

    /// Where the tags are, in order.
    fileprivate static func ranges(in text: String) -> [Range<String.Index>] {
        // Nearly every text has none of these signs.
        guard text.contains(where: { openings[$0] != nil }) else { return [] }
        let tags = candidates(in: text)
        let rest = text.without(tags.map(\.range))
        // A tag of an unknown sound that is alone: nobody dictates only a parenthesis.
        let isAlone = !rest.contains { $0.isLetter || $0.isNumber }
        return tags.filter { isAlone || $0.isCertain }.map(\.range)
    }

    private static let openings: [Character: Character] = [
        "[": "]", "(": ")", "{": "}", "*": "*", "<": ">", "（": "）", "［": "］", "【": "】",
        "♪": "♪", "♫": "♫", "♬": "♬", "🎵": "🎵", "🎶": "🎶",
    ]
    private static let notes: Set<Character> = ["♪", "♫", "♬", "🎵", "🎶"]

    private struct Tag {
        let range: Range<String.Index>
        /// Whether it is a tag among words as well.
        let isCertain: Bool
    }

    private static func candidates(in text: String) -> [Tag] {
        var tags: [Tag] = []
        var place = text.startIndex
        while place < text.endIndex {
            let next = text.index(after: place)
            if let closing = openings[text[place]], let tag = tag(at: place, closing: closing, in: text) {
                tags.append(tag)
                place = tag.range.upperBound
            } else {
                place = next
            }
        }
        return tags
    }

    private static func tag(at start: String.Index, closing: Character, in text: String) -> Tag? {
        let sign = text[start]
        let inside = text.index(after: start)
        if notes.contains(sign) {
            // The last note of a song may be missing: the words after the first one were still sung.
            let end =
                text[inside...].firstIndex { notes.contains($0) }.map(text.index(after:)) ?? text.endIndex
            return Tag(range: start..<end, isCertain: true)
        }
        guard let last = text[inside...].firstIndex(of: closing) else { return nil }
        let range = start..<text.index(after: last)
        let content = text[inside..<last]
        if sign == "<" { return isToken(content) ? Tag(range: range, isCertain: true) : nil }
        // "a[0]", "f(x)", "2*3*4": part of a word.
        let isApart =
            (start == text.startIndex || !text[text.index(before: start)].isWordPart)
            && (range.upperBound == text.endIndex || !text[range.upperBound].isWordPart)
        let words = content.lowercased().split {
            !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "'" && $0 != "’"
        }
        guard isApart, (1...mostWords).contains(words.count) else { return nil }
        return Tag(range: range, isCertain: isCertain(sign, content, words.map(String.init)))
    }

    /// Engines write hardly anything else in square brackets. Parentheses and asterisks may be a server's own
    /// signs for what was dictated.
    private static func isCertain(_ sign: Character, _ content: Substring, _ words: [String]) -> Bool {
        if words.count <= 3, words.contains(where: voices.contains) { return true }
        guard "[［【".contains(sign) else { return false }
        let isShouted = content.count > 3 && content.allSatisfy { !$0.isLowercase && !$0.isNumber }
        return isShouted || words.contains(where: noises.contains)
    }

    /// "speaking in a foreign language" has five. More is a sentence.
    private static let mostWords = 6

    private static func isToken(_ content: Substring) -> Bool {
        content.hasPrefix("|") && content.hasSuffix("|") && content.count > 2
            || tokens.contains(content.lowercased())
    }

    /// Of SentencePiece, Kaldi, NeMo and Whisper.
    private static let tokens: Set<String> = [
        "unk", "s", "/s", "pad", "blk", "blank", "eps", "sil", "sos", "eos", "sos/eos", "noise", "nsn", "spn",
        "silence", "music", "laugh", "laughter", "cough", "breath", "spoken_noise", "unintelligible",
    ]

    /// The sounds that tags name, in the languages of the usual subtitles.
    private static let voices: Set<String> = Set(
        """
        blank_audio inaudible unintelligible indistinct crosstalk music applause laughter laughing laughs chuckles \
        chuckling giggles giggling coughs coughing sighs sighing sneezes sneezing sniffs sniffing sniffles \
        gasps groans groaning grunts grunting yawns yawning whistling humming clapping cheering sobbing
        musik applaus gelächter lacht hustet seufzt räuspert unverständlich
        música risas aplausos suspira ininteligible musique rires applaudissements musica risate applausi
        muziek gelach музыка аплодисменты смех 音楽 拍手 笑い 音乐 掌声 笑声
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    private static let noises: Set<String> = Set(
        """
        blank audio silence silent musical noise noises static cough sigh laugh breath breathes breathing breathe \
        gasp moans whistles hums claps cheers crying cries sobs screaming screams chatter chattering \
        beep beeps beeping bell bells ringing rings buzzer buzzing click clicks clicking typing knocking \
        footsteps thud thunder wind engine barking barks chirping gunshot gunshots explosion instrumental \
        singing speech speaking foreign clears throat pause
        stille geräusch geräusche rauschen lachen husten räuspern silencio ruido tos suspiro silence bruit toux \
        soupir silenzio rumore stilte тишина
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}

extension Recognition {
    /// The same without the tags of sounds.
    var withoutSoundTags: Recognition {
        guard text.utf8.contains(where: SoundTags.mayBegin) else { return self }
        var result = self
        result.text = SoundTags.removed(from: text)
        guard result.text != text else { return self }
        result.alternatives = alternatives.map(SoundTags.removed(from:))
        result.words = spokenWords
        return result
    }

    /// Those of ``words`` that are not part of a tag. An engine may give a tag in pieces, so they are
    /// searched in the joined text of all words.
    private var spokenWords: [RecognizedWord] {
        let whole = words.map(\.text).joined(separator: " ")
        let tags = SoundTags.ranges(in: whole).map {
            whole.utf8.distance(
                from: whole.startIndex, to: $0.lowerBound)..<whole.utf8.distance(
                    from: whole.startIndex, to: $0.upperBound)
        }
        var start = 0
        return words.filter { word in
            let own = start..<(start + word.text.utf8.count)
            start = own.upperBound + 1
            return !tags.contains { $0.overlaps(own) }
        }
    }
}

extension SoundTags {
    /// Whether a byte may belong to an opening sign: an ASCII one, or any non-ASCII byte.
    fileprivate static func mayBegin(_ byte: UInt8) -> Bool { byte >= 0x80 || "[({*<".utf8.contains(byte) }
}

extension Character {
    fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" }
}

extension String {
    /// The text outside of some ranges, with single spaces, and none before a comma or a full stop. Punctuation alone
    /// is nothing.
    fileprivate func without(_ ranges: [Range<String.Index>]) -> String {
        var kept = ""
        var place = startIndex
        for range in ranges {
            kept += self[place..<range.lowerBound]
            place = range.upperBound
        }
        kept += self[place...]
        var result = ""
        for piece in kept.split(whereSeparator: \.isWhitespace) {
            let isMark = piece.allSatisfy { ".,;:!?…。，、！？".contains($0) }
            if isMark, let last = result.last, last.isPunctuation { continue }
            if !result.isEmpty, !isMark { result += " " }
            if !isMark || !result.isEmpty { result += piece }
        }
        return result.contains { $0.isLetter || $0.isNumber || $0.isSymbol } ? result : ""
    }
}
