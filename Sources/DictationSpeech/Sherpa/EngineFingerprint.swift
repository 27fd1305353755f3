import DictationSystem
import Foundation

extension SherpaConfiguration {
    /// Distinguishes the files of the engine and its model from others under the same paths: it changes after
    /// something was installed, replaced, repaired or removed. It uses the files' sizes and times, not
    /// their contents.
    public var fingerprint: String {
        let modelFiles: String
        do {
            modelFiles = try SherpaModel(folder: model).fingerprint
        } catch {
            modelFiles = "\(error)"
        }
        let files = [library, voiceActivityModel].compactMap { $0 }.map(FileStamp.text)
        return (files + [modelFiles]).joined(separator: "; ")
    }
}

extension FileStamp {
    /// The current state of a file, as a part of a fingerprint.
    static func text(of url: URL) -> String {
        let path = url.path(percentEncoded: false)
        guard let stamp = FileStamp(of: path) else { return "\(path) is not there" }
        let (seconds, nanoseconds) = stamp.modified.quotientAndRemainder(dividingBy: 1_000_000_000)
        return "\(path) \(stamp.size) \(seconds).\(nanoseconds)"
    }
}

extension EngineFolder {
    /// The same for the voice activity detector and its library.
    public var voiceFingerprint: String {
        [sherpaLibrary, voiceActivityModel].map(FileStamp.text).joined(separator: "; ")
    }
}
