import CSndFile
import Foundation
import Glibc

/// An audio file of any kind that libsndfile reads (WAV, FLAC, Ogg, AIFF, MP3 …), of any rate and number of
/// channels, read as 16 kHz mono, chunk by chunk.
///
/// ```swift
/// let file = try AudioFile(url: url)
/// while let chunk = try file.next() { … }
/// ```
public final class AudioFile {
    public let url: URL
    /// The length that the file's header promises, in seconds.
    public let duration: TimeInterval
    private let handle: OpaquePointer
    private let channels: Int
    private let resampler: Resampler
    private var downmix: Downmix
    private var position = 0
    private var isAtEnd = false

    /// Frames read at once: 0.1 to 0.5 s at usual rates.
    private static let block = 4096

    /// - Throws: ``SpeechSessionError/unreadableAudio(path:reason:)``,
    ///   ``SpeechSessionError/unknownAudioFormat(path:format:)``.
    public init(url: URL) throws {
        self.url = url
        // Opening a pipe would wait for its writer.
        var status = stat()
        if stat(url.path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) {
            throw SpeechSessionError.unreadableAudio(
                path: url.path,
                reason: "it is not a file, and a recording is read more than once. Save it first")
        }
        var info = SF_INFO()
        guard let handle = sf_open(url.path, Int32(SFM_READ), &info) else {
            throw Self.failure(toOpen: url)
        }
        do {
            guard info.channels > 0, info.samplerate > 0 else {
                throw SpeechSessionError.unreadableAudio(
                    path: url.path, reason: "it has no channels or no rate")
            }
            resampler = try Resampler(from: Int(info.samplerate))
        } catch {
            sf_close(handle)
            throw error
        }
        self.handle = handle
        channels = Int(info.channels)
        downmix = Downmix(channels: channels)
        duration = Double(max(0, info.frames)) / Double(info.samplerate)
    }

    deinit { sf_close(handle) }

    /// The next chunk, or nil at the end. A truncated file gives the samples that it has.
    ///
    /// - Throws: ``SpeechSessionError``.
    public func next() throws -> AudioChunk? {
        while !isAtEnd {
            var frames = 0
            let interleaved = [Float](unsafeUninitializedCapacity: Self.block * channels) { buffer, count in
                frames = Int(sf_readf_float(handle, buffer.baseAddress, sf_count_t(Self.block)))
                count = max(0, frames) * channels
            }
            isAtEnd = frames < Self.block
            if frames <= 0 && sf_error(handle) != 0 && position == 0 {
                throw SpeechSessionError.unreadableAudio(path: url.path, reason: Self.reason(handle))
            }
            let mono = downmix.mix(interleaved)
            let samples = SampleConversion.quantized(try resampler.convert(mono, isLast: isAtEnd))
            guard !samples.isEmpty else { continue }
            defer { position += samples.count }
            return AudioChunk(samples: samples, position: position)
        }
        return nil
    }

    /// The whole file at once.
    public static func samples(of url: URL) throws -> [Int16] {
        let file = try AudioFile(url: url)
        var samples: [Int16] = []
        while let chunk = try file.next() { samples += chunk.samples }
        return samples
    }

    /// Why the library did not open a file, which it reports only until the next call.
    private static func failure(toOpen url: URL) -> SpeechSessionError {
        let (kind, code) = (sf_error(nil), errno)
        var status = stat()
        // Whether the library reports these depends on its version.
        if stat(url.path, &status) == 0 {
            switch status.st_mode & S_IFMT {
            case S_IFDIR: return .unreadableAudio(path: url.path, reason: "it is a folder")
            case S_IFREG where status.st_size == 0:
                return .unreadableAudio(path: url.path, reason: "it is empty")
            default: break
            }
        }
        switch Int(kind) {
        case Int(SF_ERR_SYSTEM):
            return .unreadableAudio(
                path: url.path, reason: code == 0 ? reason(nil) : String(cString: strerror(code)))
        case Int(SF_ERR_UNRECOGNISED_FORMAT), Int(SF_ERR_UNSUPPORTED_ENCODING), Int(SF_ERR_MALFORMED_FILE):
            let format = AudioFormat.name(of: url)
            if format == nil, Int(kind) != Int(SF_ERR_UNRECOGNISED_FORMAT) { fallthrough }
            return .unknownAudioFormat(path: url.path, format: format)
        default:
            return .unreadableAudio(path: url.path, reason: reason(nil))
        }
    }

    private static func reason(_ handle: OpaquePointer?) -> String {
        // The library's sentence, for the middle of another one.
        sf_strerror(handle).map {
            String(cString: $0).trimmingCharacters(in: CharacterSet(charactersIn: ". \n"))
        }
            ?? "unknown"
    }
}
