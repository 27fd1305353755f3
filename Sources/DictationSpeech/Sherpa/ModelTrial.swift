import DictationSystem
import Foundation

/// Tries a model in a separate process, before this one loads it: sherpa-onnx ends the process on a model of
/// the wrong kind, a list of tokens that is too short, and in other cases, without an error that could be
/// caught.
///
/// The program is called with the ``SherpaConfiguration`` as JSON in its last argument, and must call
/// ``runAsChild(_:)``. A model that was found good is remembered, until one of its files changes.
public struct ModelTrial: Sendable {
    public let program: URL
    public let arguments: [String]
    /// Which models were found good.
    public let memory: URL
    /// How long it may take.
    public let limit: Duration

    /// The largest models take a minute to load from a slow disk.
    public static let usualLimit = Duration.seconds(300)
    /// How many models are remembered: more than a user switches between.
    private static let memoryLimit = 50

    public init(
        program: URL = ChildProcess.thisProgram, arguments: [String],
        memory: URL = EngineFolder.standard().triedModels, limit: Duration = usualLimit
    ) {
        self.program = program
        self.arguments = arguments
        self.memory = memory
        self.limit = limit
    }

    /// For the child: loads the model and lets it hear half a second of silence, or set marks. If it can be used, the process ends
    /// well; if not, this throws, or the process crashes.
    public static func runAsChild(_ configuration: String) async throws -> Never {
        let configuration = try JSONDecoder().decode(SherpaConfiguration.self, from: Data(configuration.utf8))
        do {
            if try SherpaModel(folder: configuration.model).description.family.setsMarks {
                try await SherpaPunctuator(configuration, trial: nil).prepare()
            } else {
                try await SherpaRecognizer(configuration, trial: nil).prepare()
            }
        } catch SpeechSessionError.modelUnusable(_, _, let reason) {
            throw Refusal(description: reason)
        }
        // At once: the recognizer's own thread may still unload the model, for which it needs what `exit`
        // destroys.
        _exit(EXIT_SUCCESS)
    }

    /// Why a model cannot be used: the child's last words, around which its parent says the rest.
    private struct Refusal: Error, CustomStringConvertible { let description: String }

    /// - Throws: ``SpeechSessionError/modelUnusable(engine:model:reason:)``.
    func run(_ configuration: SherpaConfiguration, of model: SherpaModel) async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = String(decoding: try encoder.encode(configuration), as: UTF8.self)
        let key = "\(SherpaLibrary.version) \(json) \(model.description.family.rawValue) \(model.fingerprint)"
        guard !remembered.contains(key) else { return }
        try model.checkTokens()
        do {
            _ = try await ChildProcess(
                program: program.path(percentEncoded: false), arguments: arguments + [json], limit: limit,
                errors: .taken
            ).run()
        } catch let failure as ChildProcess.Failure {
            throw SpeechSessionError.modelUnusable(
                engine: SherpaRecognizer.name, model: model.folder.path(percentEncoded: false),
                reason: "a trial of it \(failure)")
        }
        remember(key)
    }

    private var remembered: [String] {
        // Without it a model is tried again.
        NoteFile(path: memory.path(percentEncoded: false)).content ?? []
    }

    private func remember(_ key: String) {
        let keys = remembered.suffix(Self.memoryLimit - 1) + [key]
        try? FileManager.default.createDirectory(
            at: memory.deletingLastPathComponent(), withIntermediateDirectories: true)
        // As above.
        try? NoteFile(path: memory.path(percentEncoded: false)).write(Array(keys))
    }
}
