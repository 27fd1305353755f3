import Foundation

/// The engines that `make test` has had installed.
public enum InstalledEngines {
    public static var folder: String {
        let environment = ProcessInfo.processInfo.environment
        return environment["VOICEDICTATION_ENGINES"]
            ?? (environment["XDG_DATA_HOME"] ?? NSHomeDirectory() + "/.local/share")
            + "/voicedictation/engines"
    }

    /// The same without any model of speech: what programs recognize with does not depend on what was installed. A folder
    /// next to the programs, with links.
    static let withoutModels: String = {
        let manager = FileManager.default
        let path = BuildFolder.path + "/engines-without-models"
        // An engine that cannot be linked is not installed, as far as a test can see.
        try? manager.createDirectory(atPath: path, withIntermediateDirectories: true)
        try? manager.removeItem(atPath: path + "/models")
        for name in (try? manager.contentsOfDirectory(atPath: folder)) ?? []
        where name.hasPrefix("sherpa-onnx") || name.hasPrefix("silero") {
            let (link, target) = ("\(path)/\(name)", "\(folder)/\(name)")
            guard (try? manager.destinationOfSymbolicLink(atPath: link)) != target else { continue }
            try? manager.removeItem(atPath: link)
            try? manager.createSymbolicLink(atPath: link, withDestinationPath: target)
        }
        return path
    }()

    /// A model that people dictate with.
    public static let model = "moonshine-tiny-en"

    /// `make test` continues if that cannot be fetched: it is large, and comes from others than sherpa-onnx
    /// does.
    public static var hasModel: Bool {
        FileManager.default.fileExists(atPath: "\(folder)/models/\(model)/model.json")
    }
}
