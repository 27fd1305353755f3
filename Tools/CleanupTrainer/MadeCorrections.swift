import CleanupSets

/// Sentences as people dictate them, and what happens to them when they are spoken: a word retracted, a start given
/// up, a hesitation; and sentences with the very words of a correction that correct nothing.
enum MadeCorrections {
    static func list(_ text: String) -> [String] {
        text.split(separator: ",").map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    }

    static func pair(using generator: inout some RandomNumberGenerator) -> CleanupSet.Pair {
        if Int.random(in: 0..<late, using: &generator) == 0 { return saidLate(&generator) }
        let core = core(using: &generator)
        var before: [String] = []
        var after: [String] = []
        if Bool.random(using: &generator) {
            before = clause(&generator) + [pick(connectors, &generator)]
        }
        if Int.random(in: 0..<3, using: &generator) == 0 {
            after = [pick(connectors, &generator)] + clause(&generator)
        }
        return .init(
            spoken: (before + [core.spoken] + after).joined(separator: " "),
            written: (before + [core.written] + after).joined(separator: " "))
    }

    /// One of this many corrects what was said before a day or a time.
    private static let late = 24

    private static let connectors = [
        "and", "but", "so", "because", "and then", "that", "while", "before", "when",
    ]

    private static func clause(_ generator: inout some RandomNumberGenerator) -> [String] {
        words(pick(Bool.random(using: &generator) ? templates : fluent, &generator), &generator)
    }

    private static func core(using generator: inout some RandomNumberGenerator) -> CleanupSet.Pair {
        let comma = Int.random(in: 0..<4, using: &generator) == 0
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<3: return kept(words(template(&generator), &generator), &generator)
        case 3..<9: return kept(words(pick(fluent, &generator), &generator), &generator)
        case 9..<16: return replaced(comma: comma, &generator)
        default: return begunAgain(comma: comma, &generator)
        }
    }

    private static func template(_ generator: inout some RandomNumberGenerator) -> String {
        pick(templates, &generator)
    }

    private static func pick<T>(_ all: [T], _ generator: inout some RandomNumberGenerator) -> T {
        all[Int.random(in: all.indices, using: &generator)]
    }

    private static func words(_ template: String, _ generator: inout some RandomNumberGenerator) -> [String] {
        template.split(separator: " ").flatMap { word -> [String] in
            guard let choices = slots[word.filter(\.isLetter)], word.hasPrefix("{") else {
                return [String(word)]
            }
            return pick(choices, &generator).split(separator: " ").map(String.init)
        }
    }

    /// Nothing is retracted; there may be a hesitation, which is for another rule.
    private static func kept(
        _ plain: [String], _ generator: inout some RandomNumberGenerator
    ) -> CleanupSet.Pair {
        var words = plain
        for _ in 0..<Int.random(in: 0...2, using: &generator) {
            let place = Int.random(in: 0...words.count, using: &generator)
            words.insert(pick(["um", "uh", "er"], &generator), at: place)
        }
        let text = words.joined(separator: " ")
        return .init(spoken: text, written: text)
    }

    /// One slot said wrongly first, with up to two words before it said again.
    private static func replaced(
        comma: Bool, _ generator: inout some RandomNumberGenerator
    ) -> CleanupSet.Pair {
        let parts = template(&generator).split(separator: " ").map(String.init)
        let places = parts.indices.filter { parts[$0].hasPrefix("{") }
        let chosen = pick(Array(places), &generator)
        var spoken: [String] = []
        var written: [String] = []
        for (place, part) in parts.enumerated() {
            let filled = words(part, &generator)
            if place == chosen {
                var wrong = words(part, &generator)
                while wrong == filled { wrong = words(part, &generator) }
                // "the red folder, no, the blue one" may also break off before its end.
                let again = min(Int.random(in: 0...2, using: &generator), written.count)
                var cue = pick(cues, &generator)
                if comma { cue += "," }
                spoken += wrong.dropLast(comma ? 1 : 0) + (comma ? [(wrong.last ?? "") + ","] : [])
                spoken += cue.split(separator: " ").map(String.init)
                spoken += written.suffix(again)
            }
            spoken += filled
            written += filled
        }
        return .init(spoken: spoken.joined(separator: " "), written: written.joined(separator: " "))
    }

    /// "Send the file to bob by friday no to alice": one slot said wrongly, and corrected after the day or
    /// the time.
    private static func saidLate(_ generator: inout some RandomNumberGenerator) -> CleanupSet.Pair {
        let parts = pick(dated, &generator)
        let slot = parts.count - 3
        let filled = parts.map { words($0, &generator) }
        var wrong = words(parts[slot], &generator)
        while wrong == filled[slot] { wrong = words(parts[slot], &generator) }
        var spoken = filled
        spoken[slot] = wrong
        spoken.append([pick(cues, &generator)])
        if Bool.random(using: &generator), slot > 0 { spoken.append(filled[slot - 1]) }
        spoken.append(filled[slot])
        return .init(
            spoken: spoken.joined().joined(separator: " "), written: filled.joined().joined(separator: " "))
    }

    /// Templates whose last slot is a day or a time, and the one before it is not.
    private static let dated = templates.map { $0.split(separator: " ").map(String.init) }.filter { parts in
        parts.count > 3 && ["{day}", "{time}"].contains(parts[parts.count - 1])
            && ["{name}", "{thing}", "{place}"].contains(parts[parts.count - 3])
    }

    /// The beginning of one sentence, and then another.
    private static func begunAgain(
        comma: Bool, _ generator: inout some RandomNumberGenerator
    ) -> CleanupSet.Pair {
        let first = words(template(&generator), &generator)
        let second = words(template(&generator), &generator)
        let isWhole = Int.random(in: 0..<4, using: &generator) == 0
        let length =
            isWhole ? first.count : Int.random(in: 1...max(1, min(6, first.count - 1)), using: &generator)
        let cue =
            isWhole
            ? pick(["scratch that", "no scratch that", "never mind", "strike that"], &generator)
            : pick(restarts, &generator)
        let spoken =
            first.prefix(length).joined(separator: " ") + (comma ? ", " : " ") + cue + (comma ? ", " : " ")
        let written = second.joined(separator: " ")
        return .init(spoken: spoken + written, written: written)
    }
}
