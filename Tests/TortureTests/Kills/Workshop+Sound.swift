import DictationShared
import Foundation
import TestSupport

@testable import StoreTorture

/// The sound that is left, on the disk and in words.
extension Workshop {
    /// The bytes of sound of each recording that is there.
    func soundOnDisk() throws -> [String: Int] {
        let header = 44
        var sizes: [String: Int] = [:]
        for file in try FileManager.default.contentsOfDirectory(atPath: store.group.audioFolder.path) {
            let path = store.group.audioFolder.appendingPathComponent(file).path
            // The host may remove it just now.
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { continue }
            sizes[file] = max(0, (attributes[.size] as? Int ?? 0) - header)
        }
        return sizes.filter { $0.value > 0 }
    }

    /// All sound that was on the disk when somebody died is now a text, or still sound, or nobody had said a word.
    func checkSound(_ before: [String: Int]) throws {
        let now = try soundOnDisk()
        for (file, size) in before {
            guard let id = DictationID(String(file.dropLast(4))), let state = try store.dictation(id) else {
                throw Failure(description: "\(size) bytes of sound in \(file) belong to no dictation")
            }
            let isHeard = state.status == .ready || state.error?.knownCode == .noSpeech
            guard isHeard || now[file] ?? 0 >= size else {
                throw Failure(description: "the sound of \(id) is gone, and there is no text")
            }
        }
    }

    /// When all is delivered, no sound is left but that of failures, which keep it for the user.
    func checkAudio() async throws {
        // The host answers requests after it has handled what changed before them, and is asked for that reason.
        let request = try store.submit(.record(.stop()))
        let answer = await log.wait(within: Self.limit) { contents -> Bool? in
            switch contents.intents[request.id]?.phase {
            case .done, .refused: true
            case .pending, .taken, nil: nil
            }
        }
        guard answer == true else { throw Failure(description: "host-agent does not answer") }
        for file in try FileManager.default.contentsOfDirectory(atPath: store.group.audioFolder.path) {
            let state = try DictationID(String(file.dropLast(4))).flatMap { try store.dictation($0) }
            guard case .failed? = state?.phase else {
                throw Failure(
                    description: "the sound \(file) is left behind (\(state?.status.rawValue ?? "no row"))")
            }
        }
    }
}
