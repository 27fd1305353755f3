import DictationSpeech
import Foundation
import TestSupport
import Testing

@testable import DictationHost

@Suite("A recognizer's adaptation to microphones")
struct AdaptationFileTests {
    private let learned = ["alsa:default": SourceAdaptation(level: -31.5, cepstralMean: [40.5, -1.25, 0])]

    @Test("survives a restart, privately, and next to another engine's")
    func survives() throws {
        let folder = try TemporaryFolder("adaptations")
        let url = URL(filePath: folder.file("adaptations.json"))
        let (one, other) = (AdaptationFile(url: url, engine: "a"), AdaptationFile(url: url, engine: "b"))
        #expect(one.load().isEmpty)
        try one.save(learned)
        try other.save([:])
        #expect(AdaptationFile(url: url, engine: "a").load() == learned)
        #expect(other.load().isEmpty)
        let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["adaptations.json"])
    }

    @Test("two recognizers may save at once")
    func together() async throws {
        let folder = try TemporaryFolder("adaptations")
        let url = URL(filePath: folder.file("adaptations.json"))
        let engines = ["a", "b", "c"]
        try await withThrowingTaskGroup(of: Void.self) { [learned] group in
            for count in 0..<60 {
                group.addTask { try AdaptationFile(url: url, engine: engines[count % 3]).save(learned) }
            }
            try await group.waitForAll()
        }
        for engine in engines { #expect(AdaptationFile(url: url, engine: engine).load() == learned) }
    }

    @Test("a file that cannot be read is as good as none, and is replaced", arguments: ["", "{", "[1]"])
    func damaged(text: String) throws {
        let folder = try TemporaryFolder("adaptations")
        let url = URL(filePath: try folder.write(text, to: "adaptations.json"))
        let file = AdaptationFile(url: url, engine: "a")
        #expect(file.load().isEmpty)
        try file.save(learned)
        #expect(file.load() == learned)
    }
}
