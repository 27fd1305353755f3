import DictationSystem
import Foundation

/// The folder of engines and models that are not part of the system: `$XDG_DATA_HOME/voicedictation/engines`,
/// or what `VOICEDICTATION_ENGINES` names. `host-agent install-engines` fills it.
public struct EngineFolder: Sendable, Equatable {
    public var url: URL

    public init(url: URL) { self.url = url }

    public static func standard(
        _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> EngineFolder {
        if let path = environment["VOICEDICTATION_ENGINES"], path.hasPrefix("/") {
            return EngineFolder(url: URL(filePath: path, directoryHint: .isDirectory))
        }
        let data = UserFolder.data.path(environment)
        return EngineFolder(
            url: URL(filePath: data + "/voicedictation/engines", directoryHint: .isDirectory))
    }

    /// sherpa-onnx's C library; onnxruntime is next to it.
    public var sherpaLibrary: URL {
        url.appending(path: "sherpa-onnx-\(SherpaLibrary.version)/libsherpa-onnx-c-api.so")
    }

    /// The model that distinguishes speech from other sounds.
    public var voiceActivityModel: URL { url.appending(path: "silero-vad/silero_vad_16k_op15.onnx") }

    /// A folder for each model, under its name.
    public var models: URL { url.appending(path: "models", directoryHint: .isDirectory) }

    /// A model by its name, or by the absolute path of its folder.
    public func model(_ name: String) -> URL {
        name.hasPrefix("/")
            ? URL(filePath: name, directoryHint: .isDirectory)
            : models.appending(path: name, directoryHint: .isDirectory)
    }

    /// Remembers which models were tried and found good.
    public var triedModels: URL { url.appending(path: "tried.json") }
}
