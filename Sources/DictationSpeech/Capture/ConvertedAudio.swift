import DictationSystem
import Foundation
import Glibc

/// A recording in a format that libsndfile does not read, converted to a WAV file by ffmpeg or sox.
///
/// The file has no name, so that nothing of it is left when this process ends, even if it is killed.
public final class ConvertedAudio: Sendable {
    private let file: Descriptor

    /// Open it while this object lives.
    public var url: URL { URL(filePath: "/proc/\(getpid())/fd/\(file.raw)") }

    private init(file: Descriptor) { self.file = file }

    /// - Returns: nil if libsndfile reads the recording itself, so that there is nothing to convert.
    /// - Throws: ``SpeechSessionError/unreadableAudio(path:reason:)`` when no program can read it either, and
    ///   ``SpeechSessionError/unknownAudioFormat(path:format:)`` when there is none that knows its format;
    ///   `CancellationError`.
    public static func ifNeeded(_ recording: URL) async throws -> ConvertedAudio? {
        do {
            _ = try AudioFile(url: recording)
            return nil
        } catch let error as SpeechSessionError {
            guard case .unknownAudioFormat = error else { throw error }
            let converters = Converter.allCases.filter(\.isInstalled)
            guard !converters.isEmpty else { throw error }
            return try await convert(recording, with: converters, otherwise: error)
        }
    }

    private static func convert(
        _ recording: URL, with converters: [Converter], otherwise unknown: SpeechSessionError
    ) async throws -> ConvertedAudio {
        var problems: [String] = []
        for converter in converters {
            let result = ConvertedAudio(file: try unnamedFile())
            let child = ChildProcess(
                program: converter.rawValue,
                arguments: converter.arguments(from: recording.path, to: result.url.path),
                limit: .seconds(3600), errors: .taken)
            do {
                _ = try await child.run()
                return result
            } catch let failure as ChildProcess.Failure {
                problems.append("\(converter.rawValue) \(failure)")
            }
        }
        // sox alone reads few formats more. ffmpeg, which is not there, may read it, and that message says how.
        let isUnknown = problems.allSatisfy { $0.contains("no handler for ") }
        guard converters.contains(.ffmpeg) || !isUnknown else { throw unknown }
        throw SpeechSessionError.unreadableAudio(
            path: recording.path, reason: problems.joined(separator: "; ").withoutControls)
    }

    private static func unnamedFile() throws -> Descriptor {
        let path = FileManager.default.temporaryDirectory.appending(
            path: "voicedictation-\(UUID().uuidString)"
        ).path
        let file = try Descriptor.opening("make \(path)") {
            open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0o600)
        }
        unlink(path)
        return file
    }
}

/// The programs that people have for this, the one that reads more first.
private enum Converter: String, CaseIterable {
    case ffmpeg, sox

    var isInstalled: Bool { Executable.find(rawValue) != nil }

    func arguments(from source: String, to target: String) -> [String] {
        switch self {
        case .ffmpeg:
            [
                "-nostdin", "-v", "error", "-y", "-i", "file:" + source, "-vn", "-ac", "1", "-ar", "16000",
                "-f", "wav",
                target,
            ]
        // An absolute path is never read as an option.
        case .sox:
            ["-V1", URL(filePath: source).path, "-t", "wav", "-r", "16000", "-c", "1", "-b", "16", target]
        }
    }
}
