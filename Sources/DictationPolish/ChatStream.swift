import DictationHTTP
import Foundation

/// Puts together what a chat model says, from a stream of events or from one whole answer: servers that do not stream
/// always send the latter.
struct ChatStream {
    /// The model's words so far, with its thoughts.
    private var text = ""
    /// Bytes of ``text`` up to the end of the thoughts; nil while there is none.
    private var thoughts: Int?
    /// The model itself has ended, and not the connection or a limit.
    private(set) var isComplete = false
    private var line: [UInt8] = []
    /// The whole answer, if it is not a stream.
    private var whole: [UInt8] = []
    private var isStream = false

    enum Problem: Error, Equatable, CustomStringConvertible {
        case notUnderstood
        case brokenOff
        /// The model had to stop before it was done.
        case cutOff(String)
        /// The server reports an error instead of an answer.
        case failed(String)
        case tooLong

        var description: String {
            switch self {
            case .notUnderstood: "the server's answer is not that of a chat model"
            case .brokenOff: "the answer broke off"
            case .cutOff(let reason): "the model stopped before the end (\(reason))"
            case .failed(let words): "the server answered with an error: “\(words)”"
            case .tooLong: "the answer is too long"
            }
        }
    }

    /// The most bytes of an answer that is not a stream, or of one event. A stream may have any number of
    /// events: some servers send much around each word, or thoughts that are not part of the text. Its text
    /// and the time limit end it.
    static let longestAnswer = 1 << 20
    /// The longest answer to wait for, in characters. Thoughts between their tags do not count.
    let limit: Int
    private let mayHoldTags: Bool
    private let key: APIKey?
    /// Bytes of one character, on average: a family of emoji has 25. A character may have any number of accents.
    private static let longestCharacter = 100

    /// - Parameters:
    ///   - mayHoldTags: the text that the model was given has tags of thoughts, and its answer may have them as well.
    ///   - key: that no message may have.
    init(limit: Int, mayHoldTags: Bool = false, key: APIKey? = nil) {
        (self.limit, self.mayHoldTags, self.key) = (limit, mayHoldTags, key)
    }

    mutating func take(_ bytes: [UInt8]) throws {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                try takeLine()
                line = []
            } else if byte != UInt8(ascii: "\r") {
                guard line.count < Self.longestAnswer else { throw Problem.tooLong }
                line.append(byte)
            }
        }
        guard !isStream else {
            whole = []
            return
        }
        if whole.count + bytes.count > Self.longestAnswer { throw Problem.tooLong }
        whole += bytes
    }

    /// The connection has ended.
    mutating func end() throws -> String {
        try takeLine()
        if !isStream {
            guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(whole)),
                let choice = answer.choices.first,
                let content = choice.message?.content
            else { throw problem(in: whole) }
            add(content)
            try finish(choice.finishReason ?? "stop")
            if self.answer.count > limit { throw Problem.tooLong }
        }
        guard isComplete else { throw Problem.brokenOff }
        return answer.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private mutating func takeLine() throws {
        let prefix = Array("data:".utf8)
        guard line.starts(with: prefix) else { return }
        isStream = true
        let data = line.dropFirst(prefix.count).drop { $0 == UInt8(ascii: " ") }
        if data.elementsEqual("[DONE]".utf8) {
            isComplete = true
            return
        }
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(data)) else {
            throw problem(in: data)
        }
        // The last event may contain the usage and no choice.
        guard let choice = answer.choices.first else { return }
        add(choice.delta?.content ?? "")
        let said = self.answer
        let isTooLong = said.count > limit || said.utf8.count / Self.longestCharacter > limit
        if isTooLong || text.utf8.count > Self.longestAnswer { throw Problem.tooLong }
        if let reason = choice.finishReason { try finish(reason) }
    }

    private func problem(in data: some Sequence<UInt8>) -> Problem {
        ServerMessage.error(in: Data(data), hiding: key).map(Problem.failed) ?? .notUnderstood
    }

    private mutating func finish(_ reason: String) throws {
        guard reason == "stop" else { throw Problem.cutOff(String(reason.unicodeScalars.prefix(100))) }
        isComplete = true
    }

    private mutating func add(_ words: String) {
        text += words
        guard thoughts == nil else { return }
        // The tag may come in pieces.
        let news = text.utf8.suffix(words.utf8.count + Self.thoughtsEnd.utf8.count - 1)
        guard String(decoding: news, as: UTF8.self).contains(Self.thoughtsEnd), isThinking || !mayHoldTags,
            let place = text.range(of: Self.thoughtsEnd)
        else { return }
        thoughts = text.utf8.distance(from: text.startIndex, to: place.upperBound)
    }

    private static let thoughtsStart = "<think>"
    private static let thoughtsEnd = "</think>"

    /// The text begins with the tag of thoughts.
    private var isThinking: Bool {
        text.drop { $0.isWhitespace }.hasPrefix(Self.thoughtsStart)
    }

    /// What the model has said so far, without its thoughts. Some models think aloud before they answer. A
    /// server may put the opening tag into the prompt, so the answer has only the closing one; without that,
    /// the model has said nothing else.
    var answer: Substring {
        guard let thoughts else { return isThinking && !mayHoldTags ? "" : text[...] }
        return text[text.utf8.index(text.startIndex, offsetBy: thoughts)...].drop { $0.isWhitespace }
    }

    private struct Answer: Decodable {
        struct Choice: Decodable {
            struct Message: Decodable { let content: String? }
            let message: Message?
            let delta: Message?
            let finishReason: String?

            enum CodingKeys: String, CodingKey {
                case message, delta
                case finishReason = "finish_reason"
            }
        }
        let choices: [Choice]
    }
}
