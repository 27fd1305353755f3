/// The text around the caret as an application reports it: often only the line, or a part of it.
struct SurroundingText: Equatable, Sendable {
    /// The text before the caret, or before the selection. IBus counts in Unicode scalars. Qt 5 gives UTF-16 units in their place,
    /// and GNOME Shell 43 passes on the bytes of native windows: it is one of the three.
    let before: [[Unicode.Scalar]]

    init(_ text: String, cursor: Int, anchor: Int) {
        let end = min(cursor, anchor)
        let scalars = Array(text.unicodeScalars)
        func beginning(by width: (Unicode.Scalar) -> Int) -> [Unicode.Scalar] {
            var position = 0
            return Array(
                scalars.prefix {
                    position += width($0)
                    return position <= end
                })
        }
        before = [beginning { _ in 1 }, beginning { UTF16.width($0) }, beginning { UTF8.width($0) }]
    }
}

/// Compares the text that an application shows before the caret with the text that it got.
struct ReadBack: Equatable, Sendable {
    /// The last reported text; nil before the first report.
    private var last: SurroundingText?
    private var expected: [Unicode.Scalar]?

    /// Whether the application has reported anything since ``expect(_:)``.
    private(set) var hasNews = false
    /// Whether it shows the last text that it got.
    var isConfirmed: Bool { expected == nil }

    /// A text that is about to be given to the application.
    mutating func expect(_ text: String) {
        expected = Array(text.unicodeScalars)
        hasNews = false
    }

    /// Whether the application would report a text: IBus passes on only changes, and the line before the caret
    /// may look the same afterward.
    func wouldShow(_ text: String) -> Bool {
        guard let last else { return text.last?.isNewline != true }
        let text = Array(text.unicodeScalars)
        return last.before.allSatisfy { Self.lastLine(of: $0 + text) != Self.lastLine(of: $0) }
    }

    mutating func take(_ now: SurroundingText) {
        hasNews = true
        if let expected,
            zip(now.before.indices, now.before).contains(where: { index, now in
                Self.shows(expected, before: last?.before[index], now: now)
            })
        {
            self.expected = nil
        }
        last = now
    }

    /// - Parameters:
    ///   - before: the text before the caret; nil if that is not known.
    ///   - now: the text there now, or the end of it.
    private static func shows(
        _ text: [Unicode.Scalar], before: [Unicode.Scalar]?, now: [Unicode.Scalar]
    ) -> Bool {
        if now == before { return false }
        let whole = (before ?? []) + text
        // Not shorter than the text or its last line.
        guard now.count >= text.count || now == lastLine(of: text) else { return false }
        return before == nil && now.count > whole.count ? now.ends(with: whole) : whole.ends(with: now)
    }

    private static func lastLine(of text: [Unicode.Scalar]) -> [Unicode.Scalar] {
        Array(text[(text.lastIndex(of: "\n").map { $0 + 1 } ?? 0)...])
    }
}

extension [Unicode.Scalar] {
    fileprivate func ends(with other: [Unicode.Scalar]) -> Bool { suffix(other.count).elementsEqual(other) }
}
