import DictationSystem

/// The engine that the user had while ours is in its place, so that it is given back after this process was killed.
struct EngineNote: Codable, Equatable, Sendable {
    let engine: String
    /// Of the daemon: another one knows nothing of our engine.
    let address: String
}
