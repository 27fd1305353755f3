import CLinux
import DictationSystem
import Foundation
import Glibc
import Synchronization

/// Writes 16-bit mono sound to a WAV file that is valid at every instant: anyone who opens it in the middle of the
/// recording, or after the writer was killed, finds a header that promises exactly the samples that are there.
///
/// With each ``append(_:)`` the samples are written first, and the header after them in one write. A header with
/// "unknown" sizes (all bits set), which would never have to be written again, is shown as a length of 37 hours by
/// some programs and refused by others. Samples for which the header came too late, and a header for which the file
/// was cut, are repaired by ``repair(_:)``.
///
/// Half a megabyte of disk is always reserved ahead of the last sample. So a full disk is noticed while there
/// is still room: for the samples that are on their way, and, once the reserve is given back, for the text.
///
/// Every two seconds the samples are synced in the background: a power failure may lose that much.
///
/// Only the user can access the file (mode 0600), and appears with its header already in it.
public final class WaveFileWriter: Sendable {
    public let url: URL
    private let file: Descriptor
    private let sampleRate: Int
    private let sync: BackgroundSync
    private let state: Mutex<State>

    private struct State {
        /// Bytes of samples in the file.
        var written = 0
        /// How far the disk's space is reserved, from the beginning of the file.
        var reserved = 0
        var isFinished = false
    }

    /// 16 s of sound, or some twenty commits of the store.
    public static let reserve = 512 * 1024
    /// The reserve is topped up, and the samples are brought to the disk, in steps of this size: every two seconds.
    private static let reserveStep = 64 * 1024

    /// Creates the file, or replaces one that is there.
    ///
    /// - Throws: ``SpeechSessionError/recordingFailed(path:reason:seconds:)``.
    public init(url: URL, sampleRate: Int = SpeechAudio.sampleRate) throws {
        self.url = url
        self.sampleRate = sampleRate
        let unfinished = Self.unfinishedName(of: url)
        do {
            let file = try Descriptor.opening("open") {
                open(unfinished, O_CREAT | O_RDWR | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
            }
            // A file that was left by a crash keeps its mode: make it private before writing to it.
            try retryingInterrupted("chmod") { fchmod(file.raw, 0o600) }
            try file.writeAll(WaveFileHeader(sampleRate: sampleRate).bytes, at: 0)
            var state = State()
            _ = try Self.topUp(&state, file)
            sync = try BackgroundSync(of: file, in: url.deletingLastPathComponent().path)
            try retryingInterrupted("rename") { rename(unfinished, url.path) }
            self.file = file
            self.state = Mutex(state)
        } catch {
            unlink(unfinished)
            throw SpeechSessionError.recordingFailed(path: url.path, reason: "\(error)", seconds: 0)
        }
    }

    deinit { finish() }

    /// The name under which a file gets its header; one that is found was left by a crash, and holds nothing.
    public static func unfinishedName(of url: URL) -> String { url.path + ".new" }

    /// Adds samples at the end.
    ///
    /// - Throws: ``SpeechSessionError/recordingFailed(path:reason:seconds:)`` when the disk has no room for more. The
    ///   written part is valid; nothing can be added any more.
    public func append(_ samples: [Int16]) throws {
        try state.withLock { state in
            guard !samples.isEmpty else { return }
            guard !state.isFinished else { throw failure("it was finished", state) }
            guard state.written + samples.count * 2 <= WaveFileHeader.largestData else {
                throw failure("a WAV file ends at 4 GiB", state)
            }
            let data = samples.map(\.littleEndian).withUnsafeBytes { Array($0) }
            var problem: (any Error)?
            var count = data.count
            do {
                try file.writeAll(data, at: WaveFileHeader.size + state.written)
            } catch {
                // A part may be there.
                problem = error
                count = Self.size(of: file) - WaveFileHeader.size - state.written
            }
            state.written += max(0, count) & ~1
            do {
                let header = WaveFileHeader(sampleRate: sampleRate, dataBytes: state.written)
                try file.writeAll(header.bytes, at: 0)
                if problem == nil, try Self.topUp(&state, file) { sync.request() }
            } catch {
                problem = error
            }
            if let problem {
                Self.finish(&state, file)
                throw failure("\(problem)", state)
            }
        }
    }

    /// Ends the file: releases the reserved disk space.
    public func finish() {
        state.withLock { Self.finish(&$0, file) }
        sync.finish()
    }

    private static func finish(_ state: inout State, _ file: Descriptor) {
        guard !state.isFinished else { return }
        state.isFinished = true
        file.releaseSpace(beyond: WaveFileHeader.size + state.written)
    }

    /// - Returns: whether another step is full.
    private static func topUp(_ state: inout State, _ file: Descriptor) throws -> Bool {
        let wanted = WaveFileHeader.size + state.written + reserve
        guard wanted - state.reserved >= reserveStep else { return false }
        try file.reserveSpace(upTo: wanted)
        state.reserved = wanted
        return true
    }

    private func failure(_ reason: String, _ state: State) -> SpeechSessionError {
        .recordingFailed(
            path: url.path, reason: reason, seconds: Double(state.written / 2) / Double(sampleRate))
    }

    /// Makes the header of a recording match the contents of the file: after a crash there may be a few
    /// samples more than it promises, after a power failure fewer. Call it when nothing writes to the file.
    ///
    /// - Returns: how many samples it holds; nil for a file that no ``WaveFileWriter`` wrote, which is
    ///   unchanged.
    /// - Throws: `SystemError`.
    @discardableResult
    public static func repair(_ url: URL) throws -> Int? {
        let file = try Descriptor.opening("open \(url.path)") {
            open(url.path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        }
        var bytes = [UInt8](repeating: 0, count: WaveFileHeader.size)
        let count = try retryingInterrupted("read \(url.path)") { pread(file.raw, &bytes, bytes.count, 0) }
        // Cut within the header: there was no sample, or none is left.
        guard count == WaveFileHeader.size else { return 0 }
        guard var header = WaveFileHeader(bytes) else { return nil }
        header.dataBytes = (size(of: file) - WaveFileHeader.size) & ~1
        guard header.dataBytes <= WaveFileHeader.largestData else { return nil }
        if header.bytes != bytes { try file.writeAll(header.bytes, at: 0) }
        return header.dataBytes / 2
    }

    private static func size(of file: Descriptor) -> Int {
        var status = stat()
        return fstat(file.raw, &status) == 0 ? Int(status.st_size) : 0
    }
}
