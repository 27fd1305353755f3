import DictationSystem
import Foundation
import Glibc
import Synchronization

/// Writes 16-bit mono sound to a WAV file that is valid at every instant: a program that dies in the middle
/// leaves all that it had written, ready to be played.
///
/// The samples are written first, and the sizes in the header after them, with each ``append(_:)``. The file
/// belongs to the user alone (mode 0600).
public final class WaveFileWriter: Sendable {
    public let url: URL
    private let file: Descriptor
    private let written = Mutex(0)

    /// RIFF header, "fmt " chunk of 16 bytes, and the head of the "data" chunk.
    private static let headerSize = 44
    private static let riffSizeOffset = 4
    private static let dataSizeOffset = 40
    /// WAV sizes have 32 bits; 4 GiB are 37 hours at 16 kHz.
    private static let largestData = Int(UInt32.max) - headerSize

    /// Creates the file, or empties one that is there.
    ///
    /// - Throws: ``SpeechSessionError/recordingFailed(path:reason:)``.
    public init(url: URL, sampleRate: Int = SpeechAudio.sampleRate) throws {
        self.url = url
        do {
            file = try .opening("open") {
                open(url.path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
            }
            // A file that was there before keeps its mode: make it private before anything is in it.
            try retryingInterrupted("chmod") { fchmod(file.raw, 0o600) }
            try Self.write(Self.header(sampleRate: sampleRate), to: file.raw, at: 0)
        } catch {
            throw SpeechSessionError.recordingFailed(path: url.path, reason: "\(error)")
        }
    }

    /// How many samples the file holds.
    public var sampleCount: Int { written.withLock { $0 / 2 } }

    /// Adds samples at the end.
    ///
    /// - Throws: ``SpeechSessionError/recordingFailed(path:reason:)``; what was written before stays valid, and
    ///   a later call goes on after it.
    public func append(_ samples: [Int16]) throws {
        guard !samples.isEmpty else { return }
        try written.withLock { bytes in
            let size = samples.count * 2
            guard bytes + size <= Self.largestData else {
                throw SpeechSessionError.recordingFailed(path: url.path, reason: "a WAV file ends at 4 GiB")
            }
            do {
                let data = samples.map(\.littleEndian).withUnsafeBytes { Array($0) }
                try Self.write(data, to: file.raw, at: Self.headerSize + bytes)
                let total = bytes + size
                try Self.write(
                    Self.bytes(UInt32(total + Self.headerSize - 8)), to: file.raw, at: Self.riffSizeOffset)
                try Self.write(Self.bytes(UInt32(total)), to: file.raw, at: Self.dataSizeOffset)
                bytes = total
            } catch {
                throw SpeechSessionError.recordingFailed(path: url.path, reason: "\(error)")
            }
        }
    }

    private static func header(sampleRate: Int) -> [UInt8] {
        let bytesPerSecond = UInt32(sampleRate * 2)
        var header = Array("RIFF".utf8) + bytes(UInt32(headerSize - 8)) + Array("WAVEfmt ".utf8)
        header += bytes(UInt32(16)) + bytes(UInt16(1)) + bytes(UInt16(1))  // PCM, one channel
        header += bytes(UInt32(sampleRate)) + bytes(bytesPerSecond) + bytes(UInt16(2)) + bytes(UInt16(16))
        return header + Array("data".utf8) + bytes(UInt32(0))
    }

    private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32, at offset: Int) throws {
        var done = 0
        while done < bytes.count {
            done += try bytes.withUnsafeBytes { buffer in
                try retryingInterrupted("write") {
                    pwrite(
                        descriptor, buffer.baseAddress.map { $0 + done }, bytes.count - done,
                        off_t(offset + done))
                }
            }
        }
    }
}
