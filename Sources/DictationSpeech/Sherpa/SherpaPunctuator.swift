import CSherpaOnnx
import DictationSystem
import Foundation

/// The punctuation models of sherpa-onnx: those for whole sentences, in several languages, and those that
/// also set capitals, for English.
///
/// A model is first tried in a separate process, like that of a recognizer.
public actor SherpaPunctuator: Punctuator {
    private let executor = ThreadExecutor(name: "punctuation")
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let configuration: SherpaConfiguration
    private let trial: ModelTrial?
    private var handle: Handle?

    /// - Parameters:
    ///   - configuration: the model, and how it is used.
    ///   - trial: how to try the model; nil only in a process that may end.
    public init(_ configuration: SherpaConfiguration, trial: ModelTrial?) {
        self.configuration = configuration
        self.trial = trial
    }

    public func prepare() async throws { _ = try await loaded() }

    public func punctuated(_ text: String) async throws -> String { try await loaded().punctuated(text) }

    public func release() { handle = nil }

    private func loaded() async throws -> Handle {
        if let handle { return handle }
        let model = try SherpaModel(folder: configuration.model)
        guard model.description.family.setsMarks else {
            throw SherpaModel.unusable(model.folder, "it recognizes speech, but adds no punctuation")
        }
        let library = try SherpaLibrary(configuration.library)
        try await trial?.run(configuration, of: model)
        if let handle { return handle }
        let handle = try Handle(library, model, configuration)
        // The first text of all is slow, and shows whether the model can be used at all.
        _ = try handle.punctuated("hello")
        self.handle = handle
        return handle
    }

    /// The library's own.
    private final class Handle {
        private let add: (String) -> UnsafePointer<CChar>?
        private let free: (UnsafePointer<CChar>?) -> Void
        private let destroy: () -> Void

        /// - Throws: ``SpeechSessionError/modelUnusable(engine:model:reason:)``.
        init(_ library: SherpaLibrary, _ model: SherpaModel, _ configuration: SherpaConfiguration) throws {
            let functions = library.functions
            let text = CStrings()
            let file = { (role: String) in model.path(of: role).flatMap { text($0) } }
            func loaded(_ create: () -> OpaquePointer?) throws -> OpaquePointer {
                guard let made = withExtendedLifetime(text, create) else {
                    throw SherpaRecognizer.unusable(model)
                }
                return made
            }
            if model.description.family == .punctuation {
                var config = SherpaOnnxOfflinePunctuationConfig()
                config.model.ct_transformer = file("model")
                config.model.num_threads = configuration.threadCount
                config.model.provider = text(configuration.provider)
                let made = try loaded { functions.SherpaOnnxCreateOfflinePunctuation(&config) }
                add = { functions.SherpaOfflinePunctuationAddPunct(made, $0) }
                free = { functions.SherpaOfflinePunctuationFreeText($0) }
                destroy = { functions.SherpaOnnxDestroyOfflinePunctuation(made) }
            } else {
                var config = SherpaOnnxOnlinePunctuationConfig()
                config.model.cnn_bilstm = file("model")
                config.model.bpe_vocab = file("bpe-vocabulary")
                config.model.num_threads = configuration.threadCount
                config.model.provider = text(configuration.provider)
                let made = try loaded { functions.SherpaOnnxCreateOnlinePunctuation(&config) }
                add = { functions.SherpaOnnxOnlinePunctuationAddPunct(made, $0) }
                free = { functions.SherpaOnnxOnlinePunctuationFreeText($0) }
                destroy = { functions.SherpaOnnxDestroyOnlinePunctuation(made) }
            }
        }

        deinit { destroy() }

        func punctuated(_ text: String) throws -> String {
            guard let result = add(text) else {
                throw SpeechSessionError.engineFailed(
                    engine: SherpaRecognizer.name, reason: "its punctuation model gave no text")
            }
            defer { free(result) }
            let marked = WideMarks.narrowed(String(cString: result))
            // A model that changes, adds or drops words is not a punctuation model.
            let letters = { (text: String) in text.lowercased().filter { $0.isLetter || $0.isNumber } }
            guard letters(marked) == letters(text) else {
                throw SpeechSessionError.engineFailed(
                    engine: SherpaRecognizer.name, reason: "its punctuation model changed the words")
            }
            return marked
        }
    }
}
