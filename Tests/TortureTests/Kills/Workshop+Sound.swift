import DictationShared
import DictationSystem
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

    /// All sound that was on the disk at a kill is now a text, or still sound, or contained no word.
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

    /// When all is delivered, no sound is left except that of failures, which keep it for the user.
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
        // Unneeded files are removed when the disk has the dictation's end, which all processes may have seen
        // by then.
        let news = Observed(())
        let removals = try FolderNews(of: store.group.audioFolder.path, for: .entryRemoved) { _ in
            news.change { _ in }
        }
        defer { withExtendedLifetime(removals) {} }
        let isClear: Bool? = await news.wait(within: Self.limit) { [store] _ in
            (try? Self.superfluousSound(in: store).isEmpty) == true ? true : nil
        }
        guard isClear == nil else { return }
        let files = try Self.superfluousSound(in: store).joined(separator: ", ")
        throw Failure(description: "left behind: \(files)")
    }

    /// All but the recordings that failures keep, and how often it was tried to recognize those.
    private static func superfluousSound(in store: StateStore) throws -> [String] {
        let files = try FileManager.default.contentsOfDirectory(atPath: store.group.audioFolder.path)
        return try files.compactMap { file in
            let id = file.prefix { $0 != "." }
            let state = try DictationID(String(id)).flatMap { try store.dictation($0) }
            if case .failed(let failure)? = state?.phase, failure.kept != nil, files.contains("\(id).wav") {
                return nil
            }
            return "\(file) (\(state?.status.rawValue ?? "no row"))"
        }
    }
}
