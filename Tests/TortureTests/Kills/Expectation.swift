import DictationShared

/// What the window must have: what the store says is typed, in the order in which it was typed.
struct Expectation: Equatable, Sendable {
    /// All that the window must have received.
    private(set) var text = ""
    /// How many scalars of each dictation are in it.
    private var counted: [DictationID: Int] = [:]

    /// Takes in what was typed since the last call.
    ///
    /// - Parameter states: of all dictations, in the order in which they were spoken: that in which they are typed.
    mutating func add(_ states: [DictationState]) {
        for state in states {
            let before = counted[state.id] ?? 0
            let typed = state.typedScalars
            counted[state.id] = typed
            let new = state.cleanedText.unicodeScalars.dropFirst(before).prefix(max(0, typed - before))
            text.unicodeScalars.append(contentsOf: new)
        }
    }

    /// From here on another window gets the text.
    mutating func beginWindow() { text = "" }

    /// A key that a person has pressed.
    mutating func add(key: Character) { text.append(key) }

    /// What is wrong with a window's text, in words; nil if it is what it must be, or is on its way to it.
    func fault(in seen: String) -> String? {
        // By scalars: characters that only look the same are not the same.
        let expected = Array(text.unicodeScalars)
        let received = Array(seen.unicodeScalars)
        let common = zip(expected, received).prefix { $0 == $1 }.count
        if common == received.count { return nil }
        let place = "after …“\(Self.shown(received[..<common].suffix(40)))”"
        let came = Self.shown(received[common...].prefix(40))
        if common == expected.count {
            return "\(place) came more than was typed by the store's word: “\(came)”"
        }
        return "\(place) came “\(came)” in place of “\(Self.shown(expected[common...].prefix(40)))”"
    }

    private static func shown(_ scalars: some Sequence<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text)
    }
}
