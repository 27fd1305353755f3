import CSherpaOnnx
import Foundation

/// sherpa-onnx's functions. The library is loaded when it is first needed, and stays for the life of the process; a
/// program starts without it.
final class SherpaLibrary {
    /// The one version whose structures are known.
    static let version = CSHERPA_VERSION

    let functions: csherpa

    /// - Throws: ``SpeechSessionError/libraryMissing(engine:path:)``,
    ///   ``SpeechSessionError/libraryUnfit(engine:path:reason:)``.
    init(_ url: URL) throws {
        let path = url.path(percentEncoded: false)
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw SpeechSessionError.libraryMissing(engine: SherpaRecognizer.name, path: path)
        }
        var reason = [CChar](repeating: 0, count: 512)
        guard let functions = csherpa_load(path, &reason, reason.count) else {
            let text = String(
                decoding: reason.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            throw SpeechSessionError.libraryUnfit(engine: SherpaRecognizer.name, path: path, reason: text)
        }
        self.functions = functions.pointee
    }
}

/// Strings for a C structure, which live as long as this does.
final class CStrings {
    private var pointers: [UnsafeMutablePointer<CChar>] = []

    deinit { for pointer in pointers { free(pointer) } }

    /// Nil, which the library takes for "not set", if there is no memory left.
    func callAsFunction(_ text: String) -> UnsafePointer<CChar>? {
        guard let copy = strdup(text) else { return nil }
        pointers.append(copy)
        return UnsafePointer(copy)
    }
}
