import DictationSpeech
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A recording on disk", .timeLimit(.minutes(5)))
struct WaveFileTests {
    private static let header = 44

    private func samples(_ count: Int) -> [Int16] { (0..<count).map { Int16(truncatingIfNeeded: $0 * 131) } }

    private func write(_ count: Int, to name: String, in folder: TemporaryFolder) throws -> URL {
        let url = URL(filePath: folder.file(name))
        let writer = try WaveFileWriter(url: url)
        try writer.append(samples(count))
        writer.finish()
        return url
    }

    @Test("has a header that fits after every append, is private, and has all that was written")
    func alwaysValid() async throws {
        let folder = try TemporaryFolder("wave")
        let file = URL(filePath: folder.file("live.wav"))
        let writer = try WaveFileWriter(url: file)
        var all: [Int16] = []
        #expect(try AudioFile.samples(of: file) == [])
        for step in 1...20 {
            let chunk = (0..<step * 37).map { Int16(truncatingIfNeeded: $0 * step * 131) }
            try writer.append(chunk)
            all += chunk
            #expect(try AudioFile.samples(of: file) == all)
        }
        // Another program, in the middle of the recording.
        let length = try await Program.run("soxi", ["-s", file.path])
        #expect(length.trimmingCharacters(in: .whitespacesAndNewlines) == "\(all.count)")
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(attributes[.size] as? Int == Self.header + all.count * 2, "reserved space is no content")
    }

    @Test("a file that was there is replaced, and a header that a crash left is overwritten")
    func replaces() throws {
        let folder = try TemporaryFolder("wave")
        let file = try write(500, to: "a.wav", in: folder)
        try Data("rubbish".utf8).write(to: URL(filePath: WaveFileWriter.unfinishedName(of: file)))
        #expect(chmod(WaveFileWriter.unfinishedName(of: file), 0o666) == 0)
        let again = try write(10, to: "a.wav", in: folder)
        #expect(try AudioFile.samples(of: again) == samples(10))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.wav"])
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("cut at any byte, it opens, and has all whole samples before the cut")
    func cutAnywhere() throws {
        let folder = try TemporaryFolder("wave")
        let whole = try Data(contentsOf: write(40, to: "whole.wav", in: folder))
        let file = URL(filePath: folder.file("cut.wav"))
        for length in 0...whole.count {
            try whole.prefix(length).write(to: file)
            let expected = samples(max(0, length - Self.header) / 2)
            if length >= Self.header {
                #expect(try AudioFile.samples(of: file) == expected, "cut after \(length) bytes")
            }
            #expect(try WaveFileWriter.repair(file) == expected.count)
            if length >= Self.header { #expect(try AudioFile.samples(of: file) == expected) }
        }
    }

    @Test("cut, other programs open it", arguments: [44, 45, 1001, 8043])
    func cutForOthers(length: Int) async throws {
        let folder = try TemporaryFolder("wave")
        let whole = try Data(contentsOf: write(4000, to: "whole.wav", in: folder))
        let file = URL(filePath: folder.file("cut.wav"))
        try whole.prefix(length).write(to: file)
        let raw = folder.file("samples.raw")
        try await Program.run("sox", [file.path, raw])
        let kept = try Data(contentsOf: URL(filePath: raw)).count / 2
        #expect(kept == (length - Self.header) / 2)
    }

    @Test("samples that were written before their header are found again")
    func lateHeader() throws {
        let folder = try TemporaryFolder("wave")
        let file = try write(100, to: "a.wav", in: folder)
        var data = try Data(contentsOf: file)
        data.append(contentsOf: [1, 0, 2, 0, 3])
        try data.write(to: file)
        #expect(try WaveFileWriter.repair(file) == 102)
        #expect(try AudioFile.samples(of: file) == samples(100) + [1, 2])
    }

    @Test("a file that another program wrote is left alone")
    func foreign() async throws {
        let folder = try TemporaryFolder("wave")
        let file = folder.file("foreign.wav")
        try await Program.run("sox", ["-n", "-r", "8000", "-c", "2", file, "synth", "0.1", "sine", "440"])
        let before = try Data(contentsOf: URL(filePath: file))
        #expect(try WaveFileWriter.repair(URL(filePath: file)) == nil)
        #expect(try Data(contentsOf: URL(filePath: file)) == before)
    }

    @Test("space is reserved ahead of the samples, and given back at the end")
    func reserve() throws {
        let folder = try TemporaryFolder("wave")
        let file = URL(filePath: folder.file("a.wav"))
        let writer = try WaveFileWriter(url: file)
        try writer.append(samples(10))
        #expect(blocks(of: file) >= WaveFileWriter.reserve / 512)
        writer.finish()
        #expect(blocks(of: file) <= 16, "a page or two hold the ten samples")
        #expect(try AudioFile.samples(of: file) == samples(10))
        #expect(throws: SpeechSessionError.self) { try writer.append(samples(1)) }
    }

    /// In blocks of 512 bytes, as in stat(2).
    private func blocks(of file: URL) -> Int {
        var status = stat()
        return stat(file.path, &status) == 0 ? Int(status.st_blocks) : -1
    }
}
