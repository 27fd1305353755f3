import DictationHTTP
import Foundation
import Synchronization

/// Asks a language model on a server with OpenAI's chat API, and puts its answer together.
struct ChatClient: Sendable {
    let client: HTTPClient

    /// A part of the conversation that the model is to continue.
    struct Message: Encodable {
        let role: String
        let content: String

        static func system(_ content: String) -> Message { Message(role: "system", content: content) }
        static func user(_ content: String) -> Message { Message(role: "user", content: content) }
    }

    /// - Parameters:
    ///   - longest: characters beyond which the answer is not waited for any more.
    ///   - hears: called with the answer so far, each time that more of it has come, in the client's own thread.
    /// - Returns: the whole answer; the model itself has ended it.
    /// - Throws: `HTTPError`, ``ChatStream/Problem``, `CancellationError`.
    func ask(
        _ messages: [Message], as configuration: PolishConfiguration, key: APIKey?, longest: Int,
        hears: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> String {
        var request = HTTPRequest(configuration.endpoint + "/chat/completions", key: key)
        request.body = try .json(Question(model: configuration.model, messages: messages))
        request.limits.whole = configuration.limit
        request.limits.connecting = configuration.limit
        let stream = Mutex(ChatStream(limit: longest))
        _ = try await client.download(request) { _, bytes in
            let news = try stream.withLock { stream in
                let before = stream.text.utf8.count
                try stream.take(bytes)
                return stream.text.utf8.count > before ? stream.text : nil
            }
            if let news { hears(news) }
        }
        return try stream.withLock { try $0.end() }
    }

    /// Opens a connection, so that it is there when there is something to ask.
    func warm(_ configuration: PolishConfiguration, key: APIKey?) async {
        var request = HTTPRequest(configuration.endpoint + "/models", key: key)
        request.limits.whole = configuration.limit
        // The outcome does not matter: only the request for the text does.
        _ = try? await client.send(request)
    }

    /// Removes quotation marks around an answer: models like to quote the text that they return.
    static func unquoted(_ answer: String, as text: String) -> String {
        guard answer.count > 2, let first = answer.first, let last = answer.last, "\"“".contains(first),
            "\"”".contains(last),
            text.first != first, !answer.dropFirst().dropLast().contains(where: { "\"“”".contains($0) })
        else { return answer }
        return String(answer.dropFirst().dropLast())
    }

    private struct Question: Encodable {
        let model: String
        let messages: [Message]
        let temperature = 0.0
        let stream = true
    }
}
