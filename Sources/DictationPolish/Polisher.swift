import DictationHTTP
import DictationText

/// Has a language model improve a text, within a time limit, and uses its answer only if the guard accepts it.
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
        /// The text stays as it is. For people; it contains no word of the text except wrong ones.
        case kept(because: String)
    }

    /// How much longer than the text an answer may be, in characters; a longer one is not waited for: thoughts
    /// without an opening tag, and marks, are not words.
    static let room = 4_000

    private let chat: ChatClient

    public init(client: HTTPClient) { chat = ChatClient(client: client) }

    /// Never takes longer than the limit, and never throws.
    public func polish(
        _ text: String, style: WritingStyle, as configuration: PolishConfiguration, key: APIKey?,
        guard polishGuard: PolishGuard
    ) async -> Outcome {
        guard style != .known(.verbatim) else { return .kept(because: "the style is verbatim") }
        let answer: String
        do {
            answer = try await chat.ask(
                [.system(style.instruction), .user(text)], as: configuration, key: key,
                longest: text.count + Self.room)
        } catch is CancellationError {
            return .kept(because: "the request to the model was canceled")
        } catch {
            return .kept(because: "\(error)")
        }
        // Invisible characters and white space are always cleaned.
        let visible = TextCleaner(options: .verbatim).clean(ChatClient.unquoted(answer, as: text)).text
        if let refusal = polishGuard.refusal(of: visible, for: text) { return .kept(because: "\(refusal)") }
        return .polished(visible)
    }

    /// Opens a connection while the user still speaks, so that it is there when the text is.
    public func warm(_ configuration: PolishConfiguration, key: APIKey?) async {
        await chat.warm(configuration, key: key)
    }
}
