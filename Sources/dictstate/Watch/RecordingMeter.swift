import DictationShared
import DictationSystem
import Foundation
import Glibc

/// The loudness of a recording that another process is making, read from its growing file.
///
/// inotify reports new data; there is no timer.
struct RecordingMeter {
    /// The present part of a recording.
    struct Reading: Equatable {
        /// Of sound.
        var milliseconds = 0
        /// The loudest samples of each tenth of a second so far, oldest first, in dB relative to full scale.
        var peaks: [Double] = []
    }

    /// Of samples, one channel of 16 bits.
    private static let rate = 16_000
    private static let header = 44
    /// Samples for each peak.
    private static let window = rate / 10
    /// The most peaks.
    private static let memory = 200

    private(set) var reading = Reading()
    /// The windows that were measured.
    private var measured = 0
    private let events: FileEvents
    private var watched: (id: DictationID, watch: FileEvents.Watch, file: Descriptor)?

    init() throws { events = try FileEvents() }

    /// For ``waitUntilReadable(_:timeout:)``.
    var raw: Int32 { events.raw }

    /// Follows the recording of a dictation; nil follows none.
    mutating func follow(_ id: DictationID?, in group: AppGroup) {
        if watched?.id != id {
            if let watched { events.unwatch(watched.watch) }
            watched = nil
            reading = Reading()
            measured = 0
        }
        let url = id.map(group.audio(of:))
        guard watched == nil, let id, let url,
            let file = try? Descriptor.opening("open", { open(url.path, O_RDONLY | O_CLOEXEC) }),
            let watch = try? events.watch(url.path, for: [.modified])
        else { return }
        watched = (id, watch, file)
    }

    /// Reads the new data.
    mutating func look() {
        _ = events.take()
        guard let file = watched?.file else { return }
        var bytes = [UInt8](repeating: 0, count: 4)
        // The header promises exactly the samples that are there.
        guard pread(file.raw, &bytes, 4, off_t(Self.header - 4)) == 4 else { return }
        let count = bytes.reversed().reduce(0) { $0 << 8 | Int($1) } / 2
        reading.milliseconds = max(reading.milliseconds, count * 1_000 / Self.rate)
        // Every window has its peak, even if it is rarely read.
        let first = max(measured, count / Self.window - Self.memory)
        let windows = count / Self.window - first
        guard windows > 0 else { return }
        var samples = [Int16](repeating: 0, count: windows * Self.window)
        let start = off_t(Self.header + 2 * first * Self.window)
        let read = samples.withUnsafeMutableBytes { pread(file.raw, $0.baseAddress, $0.count, start) }
        guard read == samples.count * 2 else { return }
        measured = first + windows
        for window in 0..<windows {
            let loudest = samples[window * Self.window..<(window + 1) * Self.window].reduce(0) {
                max($0, abs(Int($1)))
            }
            reading.peaks.append(loudest > 0 ? 20 * log10(Double(loudest) / 32_768) : -100)
        }
        reading.peaks.removeFirst(max(0, reading.peaks.count - Self.memory))
    }
}
