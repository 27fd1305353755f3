import DictationHTTP
import Foundation
import Synchronization

/// Asks a language model on a server with OpenAI's chat API, and puts its answer together.
struct ChatClient: Sendable {
    let client: HTTPClient
    private let models = KnownModels()

    /// A part of the conversation that the model continues.
    struct Message: Encodable {
        let role: String
        let content: String

        static func system(_ content: String) -> Message { Message(role: "system", content: content) }
        static func user(_ content: String) -> Message { Message(role: "user", content: content) }
    }

    /// - Parameters:
    ///   - longest: characters beyond which the answer is not waited for any more.
    ///   - hears: called with the answer so far, each time that more of it has come, on the client's thread.
    /// - Returns: the whole answer; the model itself has ended it.
    /// - Throws: `HTTPError`, ``ChatStream/Problem``, `CancellationError`.
    func ask(
        _ messages: [Message], as configuration: PolishConfiguration, key: APIKey?, longest: Int,
        hears: @escaping @Sendable (String) -> Void = { _ in }
    ) async throws -> String {
        let deadline = ContinuousClock.now + configuration.limit
        func ask(_ temperature: Double?) async throws -> String {
            let question = Question(model: configuration.model, messages: messages, temperature: temperature)
            var request = HTTPRequest(configuration.endpoint + "/chat/completions", key: key)
            request.body = try .json(question)
            (request.limits.whole, request.limits.deadline) = (configuration.limit, deadline)
            request.limits.connecting = configuration.limit
            return try await answer(to: request, of: messages, longest: longest, hears: hears)
        }
        guard !models.haveOwnTemperature(configuration) else { return try await ask(nil) }
        do {
            return try await ask(0)
        } catch HTTPError.refused(_, 400, let reason) where reason.contains("temperature") {
            models.noteOwnTemperature(configuration)
            return try await ask(nil)
        }
    }

    private func answer(
        to request: HTTPRequest, of messages: [Message], longest: Int,
        hears: @escaping @Sendable (String) -> Void
    ) async throws -> String {
        let mayHoldTags = messages.contains { $0.content.contains("think>") }
        let stream = Mutex(ChatStream(limit: longest, mayHoldTags: mayHoldTags, key: request.key))
        _ = try await client.download(request) { _, bytes in
            let news = try stream.withLock { stream in
                let before = stream.answer.utf8.count
                try stream.take(bytes)
                let answer = stream.answer
                return answer.utf8.count > before ? String(answer) : nil
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
        /// Nil: the model's own.
        let temperature: Double?
        let stream = true
    }
}

/// What models have refused.
private final class KnownModels: Sendable {
    /// By server and name.
    private let withOwnTemperature = Mutex<Set<[String]>>([])

    /// Whether a model takes no temperature but its own, as OpenAI's models that think.
    func haveOwnTemperature(_ model: PolishConfiguration) -> Bool {
        withOwnTemperature.withLock { $0.contains([model.endpoint, model.model]) }
    }

    func noteOwnTemperature(_ model: PolishConfiguration) {
        withOwnTemperature.withLock { _ = $0.insert([model.endpoint, model.model]) }
    }
}
