import CleanupChoices
import DictationSpeech
import DictationSystem
import Foundation
import TestSupport

/// The recordings of real speech that come with the repository.
enum Recording: String, CaseIterable, Sendable {
    case demo, short, casting, calligraphy, universe

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Recordings")

    var url: URL { Self.folder.appending(path: "\(rawValue).wav") }

    /// The words that are said.
    func reference() throws -> String {
        let table = try String(contentsOf: Self.folder.appending(path: "transcripts.tsv"), encoding: .utf8)
        let row = table.split(separator: "\n").first { $0.hasPrefix("\(rawValue).wav\t") }
        return try row.map { String($0.split(separator: "\t")[1]) }
            ?? { throw MissingReference(file: rawValue) }()
    }
}

struct MissingReference: Error { let file: String }

/// Makes recordings speak as microphones. The configuration is written once for the whole process, because ALSA
/// reads it when the first device is opened.
enum Microphones {
    /// Lives as long as the process, which removes its folder.
    private static let configuration: Result<(ALSAConfiguration, TemporaryFolder), any Error> = Result {
        let folder = try TemporaryFolder("microphones")
        let configuration = try ALSAConfiguration(playing: nil, in: folder)
        setenv("ALSA_CONFIG_PATH", configuration.path, 1)
        // The sound server's client library would put its files into the user's home.
        setenv("PULSE_COOKIE", folder.file("cookie"), 1)
        setenv("PULSE_RUNTIME_PATH", folder.path, 1)
        // Nothing is deinitialized at the end of a process.
        atexit { if case .success(let (_, folder)) = Microphones.configuration { folder.remove() } }
        return (configuration, folder)
    }

    static func input(
        speaking recording: URL, overrunAfter: Int? = nil, unplugAfter: Int? = nil, hangAfter: Int? = nil,
        late: Int = 0, lock: String = "",
        retryPolicy: RetryPolicy = .openingDevice
    ) -> ALSAInput {
        input(
            device: ALSAConfiguration.device(
                speaking: recording.path, overrunAfter: overrunAfter, unplugAfter: unplugAfter,
                hangAfter: hangAfter, late: late, lock: lock),
            retryPolicy: retryPolicy)
    }

    /// A device by its name, under the same configuration.
    static func input(device: String, retryPolicy: RetryPolicy = .openingDevice) -> ALSAInput {
        if case .failure(let error) = configuration {
            preconditionFailure("the ALSA configuration cannot be written: \(error)")
        }
        return ALSAInput(device: device, retryPolicy: retryPolicy)
    }
}

extension RetryPolicy {
    /// Waits for a device until it is free: how long a busy machine takes to close it decides no test.
    static let untilFree = RetryPolicy(
        retries: .max, firstDelay: .milliseconds(50), longestDelay: .milliseconds(200))
}

/// A folder that goes with the test.
final class Folder {
    let url = FileManager.default.temporaryDirectory.appending(path: "speech-\(UUID().uuidString)")
    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(at: url) }
}

/// Errors per word of the reference: insertions, deletions and substitutions.
func wordErrorRate(_ text: String, reference: String) -> Double {
    let heard = text.lowercased().split(separator: " ")
    let said = reference.lowercased().split(separator: " ")
    return Double(EditDistance.between(heard, said)) / Double(max(1, said.count))
}

/// The results of a session's stream: the final words, the number of volatile results, and the error at the
/// end.
struct Outcome {
    var results: [TranscriptionResult] = []
    var volatileCount = 0
    var error: SpeechSessionError?
    var text: String { Transcript(results: results).plainText }

    init(_ stream: AsyncThrowingStream<TranscriptionResult, any Error>) async throws {
        do {
            for try await result in stream {
                if result.isFinal { results.append(result) } else { volatileCount += 1 }
            }
        } catch let error as SpeechSessionError {
            self.error = error
        }
    }
}

/// Something that happens, and that a test waits for.
final class Once: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func happen() { continuation.finish() }
    func wait() async { for await _ in stream {} }
}
