import DictationShared

/// The text that the window must have: the typed text by the store, in the order in which it was typed.
struct Expectation: Equatable, Sendable {
    /// All that the window must have received.
    private(set) var text = ""
    /// The scalars of each dictation in it.
    private var counted: [DictationID: [Unicode.Scalar]] = [:]
    /// The pastes that the store says may have arrived, each by the revision that says so, and whether this
    /// counts them as arrived.
    private var unsure: [DictationID: Verdict] = [:]

    private struct Verdict: Equatable, Sendable {
        let revision: Revision
        let isThere: Bool
    }

    /// Adds the text that was typed since the last call: one possibility, or two for each new paste that may
    /// have arrived.
    ///
    /// - Parameter states: of all dictations, in the order in which they were spoken: that in which they are typed.
    func adding(_ states: [DictationState]) -> [Expectation] {
        states.reduce([self]) { possible, state in possible.flatMap { $0.adding(state) } }
    }

    private func adding(_ state: DictationState) -> [Expectation] {
        if unsure[state.id]?.revision == state.revision { return [self] }
        var next = self
        next.count(state, upTo: state.typedScalars)
        guard state.delivery == .held(.pasteUnsure) else { return [next] }
        return [false, true].map { isThere in
            var possible = next
            if isThere {
                possible.count(state, upTo: state.cleanedText.unicodeScalars.count)
                // Enter after a paste is a separate key, which is pressed when the rest has certainly arrived.
                if possible.text.hasSuffix("\n") { possible.text.removeLast() }
            }
            possible.unsure[state.id] = Verdict(revision: state.revision, isThere: isThere)
            return possible
        }
    }

    private mutating func count(_ state: DictationState, upTo typed: Int) {
        let (before, now) = (
            counted[state.id] ?? [], Array(state.cleanedText.unicodeScalars.prefix(max(0, typed)))
        )
        counted[state.id] = now
        let common = zip(before, now).prefix { $0 == $1 }.count
        // Edited or mended text is at the end: if it is not, the window cannot be right.
        let removed = before[common...]
        if text.unicodeScalars.reversed().starts(with: removed.reversed()) {
            text.unicodeScalars.removeLast(removed.count)
        }
        text.unicodeScalars.append(contentsOf: now[common...])
    }

    /// Whether all of a text is there, though the store does not say so.
    func isThere(_ state: DictationState) -> Bool {
        unsure[state.id] == Verdict(revision: state.revision, isThere: true)
    }

    /// From here on another window gets the text.
    mutating func beginWindow() { text = "" }

    /// A key that a person has pressed.
    mutating func add(key: Character) { text.append(key) }

    /// Whether a window's text is what it must be, scalar for scalar.
    func isMet(by seen: String) -> Bool { text.unicodeScalars.elementsEqual(seen.unicodeScalars) }

    /// The fault of a window's text, in words; nil if the text is right, or is on its way to it.
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
