/// How far typing has come, in characters.
public struct TypingProgress: Equatable, Sendable {
    /// The part that was sent to the application.
    public let sent: Int
    /// The part of that which it has certainly read.
    public let read: Int
    /// The way that the text goes.
    public let route: InsertionRoute

    public init(sent: Int, read: Int, route: InsertionRoute) {
        self.sent = sent
        self.read = read
        self.route = route
    }
}

/// How far a text is typed.
public struct TypingRecord: Equatable, Sendable {
    /// A name for the text, unique for each time that it is typed: its last word names the text itself. It is kept in
    /// the X server while it is typed.
    public let text: String
    /// Unicode scalars from its start. A character that takes several keys may be typed in part.
    public let scalars: Int

    public init(text: String, scalars: Int) {
        self.text = text
        self.scalars = scalars
    }

    /// The name without the owner.
    public var name: Substring { text.split(separator: " ").last ?? "" }

    /// The same text, each time that it is typed, or some of it is removed: then the name has more before a slash.
    public var subject: Substring { name.split(separator: "/").last ?? "" }

    /// Whether it counts what is removed.
    public var isRemoval: Bool { name != subject }
}
