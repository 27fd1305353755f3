import DictationSystem
import Foundation

/// Notes which engine the user had while ours is in its place, so that it is given back after this process was killed.
struct EngineNote: Sendable {
    let path: String

    struct Content: Codable, Equatable {
        let engine: String
        /// Of the daemon: another one knows nothing of our engine.
        let address: String
    }

    func write(_ content: Content) throws {
        try replaceFile(at: path, with: Array(try JSONEncoder().encode(content)))
    }

    func clear() { unlink(path) }

    /// Nil where nothing is to be given back.
    var content: Content? {
        FileManager.default.contents(atPath: path).flatMap {
            try? JSONDecoder().decode(Content.self, from: $0)
        }
    }
}
