/// The text that a test awaited did not come.
public struct TextWindowError: Error, Sendable, CustomStringConvertible {
    public let window: String
    public let awaited: String
    /// The text that it should have, if that is known.
    public var expected: String?
    /// The text that the window has instead.
    public let text: String
    /// The application's output to stderr.
    public let errors: String

    /// A long text would hide what is wrong with it, so the first line says where it differs.
    public var description: String {
        """
        The window \(window) did not get \(awaited).\(expected.map(difference) ?? "")
        --- its text ---
        \(text)
        --- its stderr ---
        \(errors)
        ---
        """
    }

    private func difference(from expected: String) -> String {
        let same = zip(text, expected).prefix { $0 == $1 }.count
        func part(of text: String) -> String { String(text.dropFirst(max(0, same - 20)).prefix(60)) }
        return """
             It has \(text.count) characters of \(expected.count), and the first \(same) are right: \
            it has '\(part(of: text))' where '\(part(of: expected))' is awaited.
            """
    }
}
