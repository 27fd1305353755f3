import DictationSystem
import Foundation
import TestSupport
import Testing

/// The program's messages, and the page that explains them.
@Suite("Messages", .timeLimit(.minutes(2)))
struct MessageTests {
    /// A message as in the sources.
    private struct Message {
        let file: String
        /// The words between the values that are put in.
        let fixed: [[Substring]]
        /// Enough of it for a search.
        private static let words = 3

        init?(file: String, source: Substring) {
            self.file = file
            // A message may be put together of several literals; what is put in are expressions, which may hold literals.
            let literals = source.matches(of: /"((?:[^"\\]|\\.)*)"/).map { String($0.1) }.joined()
            var text = ""
            var rest = literals[...]
            while let start = rest.firstRange(of: "\\(") {
                text += rest[..<start.lowerBound] + "\n"
                var depth = 1
                rest = rest[start.upperBound...].drop { character in
                    depth += character == "(" ? 1 : character == ")" ? -1 : 0
                    return depth > 0
                }.dropFirst()
            }
            fixed = (text + rest).split(separator: "\n").map { $0.split(separator: " ") }
                .filter { $0.count >= Self.words }
            if fixed.isEmpty { return nil }
        }

        func isIn(_ page: String) -> Bool {
            fixed.contains { words in
                (0...words.count - Self.words).contains { first in
                    let run = words[first..<first + Self.words].joined(separator: " ").lowercased()
                    return page.contains(run.trimmingCharacters(in: .punctuationCharacters))
                }
            }
        }
    }

    /// Those of all errors: the cases of their descriptions.
    private static func messages() throws -> [Message] {
        var messages: [Message] = []
        for folder in ["Shared", "HostAgent", "InsertAgent", "Sources"] {
            let files = FileManager.default.enumerator(atPath: repositoryFile(folder))
            while let file = files?.nextObject() as? String {
                guard file.hasSuffix(".swift") else { continue }
                let path = "\(folder)/\(file)"
                let source = try String(contentsOfFile: repositoryFile(path), encoding: .utf8)
                for start in source.ranges(of: "var description: String {") {
                    let head = source[..<start.lowerBound]
                        .matches(of: /(?:enum|struct|class|extension) [^{\n]*\{/).last?.0
                    guard head?.contains(/\bError\b/) == true else { continue }
                    var depth = 1
                    let body = source[start.upperBound...].prefix { character in
                        depth += character == "{" ? 1 : character == "}" ? -1 : 0
                        return depth > 0
                    }
                    messages += body.split(separator: /\bcase [.a-z]/)
                        .compactMap { Message(file: path, source: $0) }
                }
            }
        }
        return messages
    }

    /// The answers to commands and the messages of a dictation, with the same rule for interpolations.
    private static func answers() throws -> [Message] {
        var messages: [Message] = []
        for folder in ["Shared", "HostAgent", "InsertAgent", "Sources"] {
            let files = FileManager.default.enumerator(atPath: repositoryFile(folder))
            while let file = files?.nextObject() as? String {
                guard file.hasSuffix(".swift") else { continue }
                let path = "\(folder)/\(file)"
                let source = try String(contentsOfFile: repositoryFile(path), encoding: .utf8)
                for start in source.ranges(of: /\.refused\(|DictationFailure\(/) {
                    var depth = 1
                    let body = source[start.upperBound...].prefix { character in
                        depth += character == "(" ? 1 : character == ")" ? -1 : 0
                        return depth > 0
                    }
                    // A failure has a short word for programs before its message.
                    let text = body.firstRange(of: "message:").map { body[$0.upperBound...] }
                    if let message = Message(file: path, source: text ?? body) { messages.append(message) }
                }
            }
        }
        return messages
    }

    @Test("each error's message and each answer to a command can be found in docs/troubleshooting.md")
    func documented() throws {
        let page = try String(contentsOfFile: repositoryFile("docs/troubleshooting.md"), encoding: .utf8)
            .replacing(/[`*]/, with: "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
            .lowercased()
        let messages = try Self.messages() + Self.answers()
        #expect(messages.count > 80)
        for message in messages where !message.isIn(page) {
            let text = message.fixed.map { $0.joined(separator: " ") }.joined(separator: " … ")
            Issue.record("\(message.file): “\(text)”")
        }
    }

    @Test("no message counts with “(s)”")
    func plurals() throws {
        for folder in ["Shared", "HostAgent", "InsertAgent", "Sources", "packaging"] {
            let files = FileManager.default.enumerator(atPath: repositoryFile(folder))
            while let file = files?.nextObject() as? String {
                let path = "\(folder)/\(file)"
                guard let source = try? String(contentsOfFile: repositoryFile(path), encoding: .utf8) else {
                    continue
                }
                // The expression is slow, and few files have the letters.
                guard source.contains("(s)") else { continue }
                // A variable of a script may be called s; a message has a word before it.
                for line in source.split(separator: "\n") where line.contains(/[a-z]\(s\)[ ,."]/) {
                    #expect(!line.contains("\""), "\(path): \(line)")
                }
            }
        }
        #expect([0, 1, 2].map { $0.counted("text") } == ["0 texts", "1 text", "2 texts"])
        #expect(1.counted("was", plural: "were") == "1 was")
    }
}
