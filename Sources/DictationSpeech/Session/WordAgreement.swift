/// The words on which several results in a row agree, from the first word on.
///
/// This is LocalAgreement of Liu, Spanakis and Niehues, “Low-Latency Sequence-to-Sequence Speech Recognition and Translation by
/// Partial Hypothesis Selection” (Interspeech 2020), with any number of results.
public struct WordAgreement: Sendable, Equatable {
    /// How many results in a row must agree; at least 1.
    public let needed: Int
    private var results: [[Substring]] = []

    public init(of needed: Int) { self.needed = max(1, needed) }

    /// Takes the words of the newest result.
    public mutating func take(_ words: some Sequence<Substring>) {
        results = (results + [Array(words)]).suffix(needed)
    }

    /// Leaves out the first words of all results: they have become final.
    public mutating func dropFirst(_ count: Int) { results = results.map { Array($0.dropFirst(count)) } }

    /// On how many words all results agree, from a word on; none as long as there are too few results.
    public func count(from start: Int = 0) -> Int {
        guard results.count == needed, let newest = results.last?.dropFirst(start) else { return 0 }
        return results.map { zip(newest, $0.dropFirst(start)).prefix { $0 == $1 }.count }.min() ?? 0
    }
}
