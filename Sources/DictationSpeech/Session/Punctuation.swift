/// Adds punctuation, and capitals if it can, to text that was recognized as bare words.
public protocol Punctuator: Actor {
    /// Loads the model, so that the first text need not wait.
    func prepare() async throws

    /// The same words, with marks.
    func punctuated(_ text: String) async throws -> String

    /// Releases the memory.
    func release() async
}

extension Recognition {
    /// Whether the recognizer gives words alone: such as set marks or capitals know better than a second model, which
    /// has not heard the voice.
    var isBare: Bool { !text.contains { $0.isUppercase || ",.?!;:，。？！".contains($0) } }

    /// The same with marks. Its words get theirs too, if there are as many as in the marked text.
    func marked(as marked: String) -> Recognition {
        var result = self
        result.text = marked
        let pieces = marked.split(separator: " ")
        if pieces.count == words.count {
            for (index, piece) in pieces.enumerated() { result.words[index].text = String(piece) }
        }
        return result
    }
}

/// Adds punctuation if the session has a punctuator. Tags for sounds that are no speech are removed first.
struct Marks: Sendable {
    let punctuator: (any Punctuator)?
    /// Words without marks are better than none.
    let onFailure: @Sendable (any Error) -> Void

    func prepare() async {
        do { try await punctuator?.prepare() } catch { onFailure(error) }
    }

    func set(in heard: Recognition) async -> Recognition {
        let recognition = heard.withoutSoundTags
        guard let punctuator, recognition.isBare, !recognition.text.isEmpty else { return recognition }
        do {
            return recognition.marked(as: try await punctuator.punctuated(recognition.text))
        } catch {
            onFailure(error)
            return recognition
        }
    }
}

/// The marks of Chinese texts, which models of several languages set in all of them.
enum WideMarks {
    private static let narrow: [Character: Character] = ["，": ",", "、": ",", "。": ".", "？": "?", "！": "!"]

    /// With English marks and a space after each, if it follows an ASCII letter or digit.
    static func narrowed(_ text: String) -> String {
        var result = ""
        for character in text {
            if let mark = narrow[character], let last = result.last, last.isASCII, last != " " {
                result += "\(mark) "
            } else {
                result.append(character)
            }
        }
        return result.hasSuffix(" ") ? String(result.dropLast()) : result
    }
}
