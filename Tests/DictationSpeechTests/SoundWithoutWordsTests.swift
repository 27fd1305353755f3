import Foundation
import TestSupport
import Testing

@testable import DictationSpeech

@Suite("Recordings without recognized words", .timeLimit(.minutes(5)))
struct SoundWithoutWordsTests {
    @Test("a recording without words is reported, and no more of it is read than needed at once")
    func withoutWords() async throws {
        let folder = try Folder()
        let file = folder.url.appending(path: "long.wav")
        let session = SpeechSession(input: AudioFileInput(url: file))
        try await session.prepare()
        #expect(session.tellsVoices)
        func sound(_ samples: [Int16]) throws -> SoundWithoutWords? {
            let writer = try WaveFileWriter(url: file)
            for _ in 0..<40 { try writer.append(samples) }
            writer.finish()
            return session.soundWithoutWords(in: file)
        }
        #expect(try sound(AudioFile.samples(of: Recording.short.url)) == .voice)
        #expect(try sound(Noise.gusts.samples()) == .noise)
        let silence = ToneModel.silence(10)
        // 13 MB of sound; as a whole, it took more than 60 MB.
        let before = try Memory.newPeak()
        #expect(try sound(silence) == .silence)
        if !Memory.keepsFreed { #expect(try Memory.peak() - before < 30_000) }
    }
}

/// The memory of this process.
private enum Memory {
    struct Unknown: Error {}

    /// The address sanitizer keeps 256 MB of freed memory, to find later uses.
    static let keepsFreed = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] != nil

    /// Resets the peak; if the kernel cannot do that, the peak stays higher.
    ///
    /// - Returns: the current value.
    static func newPeak() throws -> Int {
        try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        return try peak()
    }

    /// The most that it had, in kilobytes.
    static func peak() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        guard let peak = status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap({ Int($0.output.1) }) else {
            throw Unknown()
        }
        return peak
    }
}
