import DictationShared
import Foundation

/// A separate app group for a test, removed with it.
final class TestGroup {
    let folder: URL
    let group: AppGroup

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "voicedictation-\(UUID().uuidString)")
        group = try AppGroup(folder: folder)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func store() throws -> StateStore { try StateStore(group: group) }
}

extension StateStore {
    /// A dictation that is ready to be typed.
    func addReady(_ text: String, at date: Date = Date()) throws -> DictationState {
        let state = try begin(target: nil, engine: "test", locale: "en-US", at: date)
        return try apply(.recognized(.init(rawText: text, cleanedText: text)), to: state.id, at: date)
    }
}

let claimant = Claimant("boot/1/2")
