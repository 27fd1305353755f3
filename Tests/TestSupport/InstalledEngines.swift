import Foundation

/// The engines that `make test` has had installed.
public enum InstalledEngines {
    public static var folder: String {
        let environment = ProcessInfo.processInfo.environment
        return environment["VOICEDICTATION_ENGINES"]
            ?? (environment["XDG_DATA_HOME"] ?? NSHomeDirectory() + "/.local/share")
            + "/voicedictation/engines"
    }

    /// A model that people dictate with.
    public static let model = "moonshine-tiny-en"

    /// `make test` goes on where that cannot be fetched: it is large, and comes from others than sherpa-onnx does.
    public static var hasModel: Bool {
        FileManager.default.fileExists(atPath: "\(folder)/models/\(model)/model.json")
    }
}
