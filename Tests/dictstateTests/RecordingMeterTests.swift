import DictationShared
import Foundation
import TestSupport
import Testing

@testable import dictstate

@Suite("The meter of a recording that another process makes")
final class RecordingMeterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder("meter") }

    deinit { folder.remove() }

    private func file(of id: DictationID, in group: AppGroup) throws -> URL {
        let file = group.audio(of: id)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        return file
    }

    /// A WAV file of one channel, 16,000 samples a second. The meter reads nothing of the header but the length.
    private static func recording(_ samples: [Int16]) -> Data {
        var data = Data(repeating: 0, count: 40)
        withUnsafeBytes(of: UInt32(samples.count * 2).littleEndian) { data.append(contentsOf: $0) }
        for sample in samples { withUnsafeBytes(of: sample.littleEndian) { data.append(contentsOf: $0) } }
        return data
    }

    @Test("each tenth of a second has its peak, independent of how often it is read", arguments: [1, 3, 7])
    func peaks(looks: Int) throws {
        let group = try AppGroup(folder: URL(fileURLWithPath: folder.path, isDirectory: true))
        let id = DictationID()
        // Full scale, a tenth of it, silence, and so on; the last window is not full.
        let loudness: [Int16] = (0..<14).map { [-32_768, 3_277, 0][$0 % 3] }
        let samples =
            loudness.flatMap { Array(repeating: $0, count: 1_600) } + Array(repeating: 1, count: 800)
        let file = try file(of: id, in: group)
        try Self.recording([]).write(to: file)
        var meter = try RecordingMeter()
        meter.follow(id, in: group)
        // As it grows: written over, so that the file that is followed stays the same.
        let handle = try FileHandle(forWritingTo: file)
        for look in 1...looks {
            try handle.seek(toOffset: 0)
            try handle.write(contentsOf: Self.recording(Array(samples.prefix(samples.count * look / looks))))
            meter.look()
        }
        #expect(meter.reading.milliseconds == 1_450)
        let peaks = loudness.map { [0: -100, 3_277: -20][$0] ?? 0 }
        #expect(meter.reading.peaks.map { Int($0.rounded()) } == peaks)
    }

    @Test("of a long recording that was not looked at, the last 20 s are shown")
    func long() throws {
        let group = try AppGroup(folder: URL(fileURLWithPath: folder.path, isDirectory: true))
        let id = DictationID()
        let file = try file(of: id, in: group)
        let quiet = Array(repeating: Int16(328), count: 16_000 * 5)
        let loud = Array(repeating: Int16(3_277), count: 16_000 * 20)
        try Self.recording(quiet + loud).write(to: file)
        var meter = try RecordingMeter()
        meter.follow(id, in: group)
        meter.look()
        #expect(meter.reading.milliseconds == 25_000)
        #expect(meter.reading.peaks.map { Int($0.rounded()) } == Array(repeating: -20, count: 200))
        // Without a dictation, it shows nothing.
        meter.follow(nil, in: group)
        #expect(meter.reading == .init())
    }
}
