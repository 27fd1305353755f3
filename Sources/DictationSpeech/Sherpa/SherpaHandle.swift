import CSherpaOnnx
import Foundation

/// A model that the library has loaded, and what both kinds of decoder do with one. Not for two threads at once.
final class SherpaHandle {
    let library: SherpaLibrary
    /// The library's recognizer.
    let recognizer: OpaquePointer
    /// As the library wants them for an utterance; empty where there are none.
    let hotWords: String
    private let isInCapitals: Bool
    private let destroy: (OpaquePointer?) -> Void

    /// - Parameters:
    ///   - create: makes the recognizer; the strings live until it returns.
    ///   - destroy: gives it back.
    /// - Throws: ``SpeechSessionError/modelUnusable(engine:model:reason:)``.
    init(
        _ library: SherpaLibrary, _ model: SherpaModel, hotWords: [String],
        create: (_ hasHotWords: Bool, CStrings) -> OpaquePointer?,
        destroy: @escaping (OpaquePointer?) -> Void
    ) throws {
        let biased = model.biased(hotWords)
        let text = CStrings()
        let recognizer = withExtendedLifetime(text) { create(!biased.isEmpty, text) }
        guard let recognizer else { throw SherpaRecognizer.unusable(model) }
        self.library = library
        self.recognizer = recognizer
        self.hotWords = biased
        self.destroy = destroy
        isInCapitals = model.isInCapitals
    }

    deinit { destroy(recognizer) }

    /// The text of a result: without space around it, in small letters where the model knows capitals only, and
    /// without a comma behind a comma, which small models like to write.
    func text(_ pointer: UnsafePointer<CChar>?) -> String {
        let text = pointer.map { token($0).trimmingCharacters(in: .whitespacesAndNewlines) } ?? ""
        return text.replacing(/,{2,}/) { _ in "," }
    }

    /// A piece of it, whose spaces say where words begin.
    func token(_ pointer: UnsafePointer<CChar>) -> String {
        let text = String(cString: pointer)
        return isInCapitals ? text.lowercased() : text
    }

    /// Samples as the library has them: ±1.
    static func floats(_ samples: [Int16]) -> [Float] { samples.map { Float($0) / 32768 } }
}
