import Foundation

/// A request to a server.
///
/// ```swift
/// var request = HTTPRequest("http://127.0.0.1:8000/v1/chat/completions")
/// request.body = try .json(question)
/// request.limits.whole = .seconds(3)
/// let answer = try await client.send(request).decoded(as: Answer.self)
/// ```
///
/// It is a GET without a ``body``, and a POST with one.
public struct HTTPRequest: Sendable {
    /// Of `http` or `https`.
    public var address: String
    /// Besides those that follow from ``key`` and ``body``.
    public var headers: [(name: String, value: String)] = []
    public var body: Body?
    /// Sent as `Authorization: Bearer …`; never to another server that this one points to.
    public var key: APIKey?
    public var limits = Limits()

    public init(_ address: String, body: Body? = nil, key: APIKey? = nil) {
        self.address = address
        self.body = body
        self.key = key
    }

    public enum Body: Sendable {
        case data(Data, type: String)
        /// `multipart/form-data`, as a browser sends a form.
        case form([Field])

        public static func json(_ value: some Encodable) throws -> Body {
            .data(try JSONEncoder().encode(value), type: "application/json")
        }
    }

    /// A field of a form.
    public struct Field: Sendable {
        public var name: String
        public var content: Data
        /// Set for a file: the name that it goes by, and its type.
        public var file: (name: String, type: String)?

        public init(_ name: String, _ text: String) {
            self.name = name
            content = Data(text.utf8)
        }

        public init(_ name: String, file: String, type: String, _ content: Data) {
            self.name = name
            self.content = content
            self.file = (file, type)
        }
    }

    /// How long to wait for what, and how much to take.
    public struct Limits: Sendable, Equatable {
        /// From the call to the last byte, including all retries; nil: no limit, for downloads.
        public var whole: Duration? = .seconds(60)
        /// When ``whole`` ends, if it began before this request: the request is one of several for one answer. Messages
        /// name ``whole``, which is configured, and not what was left of it.
        public var deadline: ContinuousClock.Instant?
        /// To a connection, TLS included. A server on the same continent answers within 0.1 s; 5 s are two losses of
        /// a packet.
        public var connecting: Duration = .seconds(5)
        /// If nothing arrives for this long (whole seconds; noticed up to about five later), the other side
        /// hangs. nil: no limit, for servers that think before they answer.
        public var silence: Duration?
        /// Bytes of an answer that is kept in memory.
        public var answer = 16 << 20

        public init() {}
    }

    /// The address as it may be shown: without a password, and without a query, which may hold a key.
    public var shownAddress: String { Self.shown(address) }

    static func shown(_ address: String) -> String {
        guard var parts = URLComponents(string: address) else { return "“\(address.prefix(40))…”" }
        parts.user = nil
        parts.password = nil
        parts.query = nil
        parts.fragment = nil
        return parts.string ?? ""
    }
}
