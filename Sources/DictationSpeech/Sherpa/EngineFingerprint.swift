import CLinux
import Foundation
import Glibc

extension SherpaConfiguration {
    /// Tells the files of the engine and of its model from others under the same paths: another text after something was
    /// installed, replaced, repaired or removed. Looks at the files' sizes and times, not at their contents.
    public var fingerprint: String {
        let modelFiles: String
        do {
            modelFiles = try SherpaModel(folder: model).fingerprint
        } catch {
            modelFiles = "\(error)"
        }
        let files = [library, voiceActivityModel].compactMap { $0 }.map(FileStamp.init)
        return (files.map(\.text) + [modelFiles]).joined(separator: "; ")
    }
}

/// A file as it was at one moment, to tell whether it has changed.
struct FileStamp {
    let text: String

    init(_ url: URL) {
        var status = stat()
        let path = url.path(percentEncoded: false)
        text =
            stat(path, &status) == 0
            ? "\(path) \(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
            : "\(path) is not there"
    }
}

extension EngineFolder {
    /// The same for the model of voices and the library that runs it.
    public var voiceFingerprint: String {
        [sherpaLibrary, voiceActivityModel].map { FileStamp($0).text }.joined(separator: "; ")
    }
}
