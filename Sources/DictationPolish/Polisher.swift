import DictationHTTP
import DictationText
import Foundation
import Synchronization

/// Has a language model improve a text, within a time limit, and takes its answer only if the guard lets it through.
///
/// ```swift
/// let polisher = Polisher(client: try HTTPClient())
/// switch await polisher.polish(text, style: .known(.mail), as: configuration, key: nil, guard: .init()) {
/// case .polished(let better): …
/// case .kept(let reason): …       // `text` is what is used
/// }
/// ```
public struct Polisher: Sendable {
    public enum Outcome: Equatable, Sendable {
        case polished(String)
        /// The text stays as it is. For a person; it holds no word of the text but those that were wrong.
        case kept(because: String)
    }

    /// An answer may be so much longer than the text, in characters, before it is not waited for any more: thoughts
    /// and marks are not words.
    static let room = 4_000

    private let client: HTTPClient

    public init(client: HTTPClient) { self.client = client }

    /// Never takes longer than the limit, and never throws.
    public func polish(
        _ text: String, style: WritingStyle, as configuration: PolishConfiguration, key: APIKey?,
        guard polishGuard: PolishGuard
    ) async -> Outcome {
        guard style != .known(.verbatim) else { return .kept(because: "the style is verbatim") }
        let answer: String
        do {
            answer = try await ask(text, style, configuration, key)
        } catch is CancellationError {
            return .kept(because: "the model was given up")
        } catch {
            return .kept(because: "\(error)")
        }
        // Invisible characters and white space are no matter of taste.
        let visible = TextCleaner(options: .verbatim).clean(Self.unquoted(answer, as: text)).text
        if let refusal = polishGuard.refusal(of: visible, for: text) { return .kept(because: "\(refusal)") }
        return .polished(visible)
    }

    /// Opens a connection while the user still speaks, so that it is there when the text is.
    public func warm(_ configuration: PolishConfiguration, key: APIKey?) async {
        var request = HTTPRequest(configuration.endpoint + "/models", key: key)
        request.limits.whole = configuration.limit
        // Whatever comes of it, the text is what counts.
        _ = try? await client.send(request)
    }

    private func ask(
        _ text: String, _ style: WritingStyle, _ configuration: PolishConfiguration, _ key: APIKey?
    ) async throws -> String {
        var request = HTTPRequest(configuration.endpoint + "/chat/completions", key: key)
        request.body = try .json(
            Question(
                model: configuration.model,
                messages: [
                    .init(role: "system", content: style.instruction),
                    .init(role: "user", content: text),
                ]))
        request.limits.whole = configuration.limit
        request.limits.connecting = configuration.limit
        let stream = Mutex(ChatStream(limit: text.count + Self.room))
        _ = try await client.download(request) { _, bytes in try stream.withLock { try $0.take(bytes) } }
        return try stream.withLock { try $0.end() }
    }

    /// Models like to put what they quote in quotation marks.
    private static func unquoted(_ answer: String, as text: String) -> String {
        guard answer.count > 2, let first = answer.first, let last = answer.last, "\"“".contains(first),
            "\"”".contains(last),
            text.first != first, !answer.dropFirst().dropLast().contains(where: { "\"“”".contains($0) })
        else { return answer }
        return String(answer.dropFirst().dropLast())
    }

    private struct Question: Encodable {
        struct Message: Encodable {
            let role: String
            let content: String
        }
        let model: String
        let messages: [Message]
        let temperature = 0.0
        let stream = true
    }
}
