import CleanupSets

/// Corrections made of fluent texts: in each the speaker first says a few words from another text that come
/// after the same word there, or begins with another text. So the model sees its words in more places than
/// the pairs have.
struct AlteredSentences {
    /// The longest that is taken from another text, in words; and the longest of its beginning.
    private static let longestSlip = 4
    private static let longestStart = 8

    /// Not those with only a hesitation: most of them correct nothing.
    static let cues = MadeCorrections.cues.filter { !["uh", "um"].contains($0) }

    private let texts: [[String]]
    /// The other places of each word that has a next word.
    private var places: [String: [(text: Int, place: Int)]] = [:]

    init(_ texts: [String]) {
        self.texts = texts.map { $0.split(separator: " ").map(String.init) }.filter { $0.count > 3 }
        for (number, words) in self.texts.enumerated() {
            for place in words.indices.dropLast() {
                places[words[place].lowercased(), default: []].append((number, place))
            }
        }
    }

    func pair(using generator: inout some RandomNumberGenerator) -> CleanupSet.Pair? {
        guard let meant = texts.randomElement(using: &generator),
            let cue = Self.cues.randomElement(using: &generator)
        else { return nil }
        let said =
            Int.random(in: 0..<3, using: &generator) == 0
            ? begunAgain(meant, cue, &generator) : slipped(meant, cue, &generator)
        return said.map { .init(spoken: $0.joined(separator: " "), written: meant.joined(separator: " ")) }
    }

    private func begunAgain(
        _ meant: [String], _ cue: String, _ generator: inout some RandomNumberGenerator
    ) -> [String]? {
        guard let other = texts.randomElement(using: &generator) else { return nil }
        let length = Int.random(in: 1...min(Self.longestStart, other.count - 1), using: &generator)
        return other.prefix(length) + [cue] + meant
    }

    private func slipped(
        _ meant: [String], _ cue: String, _ generator: inout some RandomNumberGenerator
    ) -> [String]? {
        let place = Int.random(in: 1..<(meant.count - 1), using: &generator)
        guard let other = places[meant[place - 1].lowercased()]?.randomElement(using: &generator) else {
            return nil
        }
        let words = texts[other.text].dropFirst(other.place + 1)
        let slip = words.prefix(Int.random(in: 1...Self.longestSlip, using: &generator))
        guard slip.first?.lowercased() != meant[place].lowercased() else { return nil }
        // Some go back a word or two before it.
        let again = min(place, [0, 0, 1, 1, 2].randomElement(using: &generator) ?? 0)
        return meant[..<place] + slip.map { $0.filter { $0 != "?" } } + [cue] + meant[(place - again)...]
    }
}
