import CSherpaOnnx
import Foundation

/// A model that the library has loaded, and the common work of both kinds of decoder. Not for two threads at
/// once.
final class SherpaHandle {
    let library: SherpaLibrary
    /// The library's recognizer.
    let recognizer: OpaquePointer
    /// Whether its search can be biased toward words, or never is with such a model.
    let servesHotWords: Bool
    private let isBiased: Bool
    private let letterCase: SherpaModel.LetterCase
    /// Those that hot words can consist of.
    private let letters: Set<Character>
    private let destroy: (OpaquePointer?) -> Void

    /// - Parameters:
    ///   - mayHaveHotWords: whether utterances may be biased toward words. The search for that takes longer.
    ///   - create: makes the recognizer; the strings live until it returns.
    ///   - destroy: destroys it.
    /// - Throws: ``SpeechSessionError/modelUnusable(engine:model:reason:)``.
    init(
        _ library: SherpaLibrary, _ model: SherpaModel, mayHaveHotWords: Bool,
        create: (_ isBiased: Bool, CStrings) -> OpaquePointer?,
        destroy: @escaping (OpaquePointer?) -> Void
    ) throws {
        let takesHotWords = model.takesHotWords
        let isBiased = mayHaveHotWords && takesHotWords
        let text = CStrings()
        let recognizer = withExtendedLifetime(text) { create(isBiased, text) }
        guard let recognizer else { throw SherpaRecognizer.unusable(model) }
        self.library = library
        self.recognizer = recognizer
        self.isBiased = isBiased
        self.destroy = destroy
        servesHotWords = isBiased || !takesHotWords
        letterCase = model.letterCase
        letters = isBiased ? model.singleLetters : []
    }

    deinit { destroy(recognizer) }

    /// The text of a result: without space around it, in lower case if the model knows only capitals, and
    /// without a second comma after a comma, which small models often write.
    func text(_ pointer: UnsafePointer<CChar>?) -> String {
        let text = pointer.map { token($0).trimmingCharacters(in: .whitespacesAndNewlines) } ?? ""
        return text.replacing(/,{2,}/) { _ in "," }
    }

    /// A piece of it, whose spaces say where words begin.
    func token(_ pointer: UnsafePointer<CChar>) -> String {
        let text = String(cString: pointer)
        return letterCase == .capital ? text.lowercased() : text
    }

    /// Hot words in the library's format for an utterance: with slashes between them, in the model's own
    /// case; nil if there are none, or it cannot be biased. Words that the model cannot write are left out:
    /// the library would write them into the log, and what begins with a colon ends the process.
    func line(of hotWords: [String]) -> String? {
        guard isBiased else { return nil }
        let words = hotWords.map { word in
            let words = word.replacing("/", with: " ")
            return switch letterCase {
            case .capital: words.uppercased()
            case .small: words.lowercased()
            case .both: words
            }
        }.filter { word in
            word.contains { !$0.isWhitespace }
                && word.allSatisfy { $0 == " " || $0 != ":" && letters.contains($0) }
        }
        return words.isEmpty ? nil : words.joined(separator: "/")
    }

    /// Samples as the library has them: ±1.
    static func floats(_ samples: [Int16]) -> [Float] { samples.map { Float($0) / 32768 } }
}
