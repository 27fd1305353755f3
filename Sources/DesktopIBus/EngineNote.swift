import DictationSystem

/// The user's engine while ours replaces it, so that it can be restored after a kill of this process.
struct EngineNote: Codable, Equatable, Sendable {
    let engine: String
    /// Identifies the daemon: a new one does not know our engine.
    let address: String
}
