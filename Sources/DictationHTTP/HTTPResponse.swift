import Foundation

/// The beginning of a server's answer.
public struct HTTPHead: Sendable, Equatable {
    public var status: Int
    /// By their names in lower case; the last of several with the same name.
    public var headers: [String: String]

    public init(status: Int, headers: [String: String] = [:]) {
        self.status = status
        self.headers = headers
    }

    /// 200 to 299.
    public var isSuccess: Bool { (200..<300).contains(status) }
}

/// A server's answer as a whole.
public struct HTTPResponse: Sendable, Equatable {
    public var head: HTTPHead
    public var body: Data

    /// The body as JSON.
    ///
    /// - Throws: ``HTTPError/notUnderstood(address:reason:)``, with the server's words if it reports an error.
    public func decoded<Value: Decodable>(as type: Value.Type) throws(HTTPError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: body)
        } catch {
            let words = ServerMessage.error(in: body, hiding: key)
            throw .notUnderstood(
                address: address,
                reason: words.map { "it is an error: “\($0)”" }
                    ?? "its answer is not the JSON that was expected")
        }
    }

    /// As it may be shown.
    let address: String
    /// The request's, which no message may have.
    let key: APIKey?
}
