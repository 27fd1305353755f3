import CleanupChoices
import Logging
import Synchronization

/// The user's dictionary while an agent runs: always the last good one, read again when the file changes.
public final class LiveDictionary: Sendable {
    private let state: Mutex<TextDictionary>
    private let follower: FileFollower
    private let file: DictionaryFile
    private let logger: Logger

    /// Reads the file. One with errors counts as empty, and the log says where they are: no dictation waits for it.
    public init(file: DictionaryFile, logger: Logger) {
        self.file = file
        self.logger = logger
        var bytes: [UInt8]?
        var dictionary = TextDictionary.empty
        do {
            bytes = try file.bytes()
            let loaded = try file.load(bytes)
            for line in loaded.warningLines { logger.warning("\(line)") }
            dictionary = loaded.dictionary
        } catch {
            logger.error("\(error)\nThe dictionary is not used until this is corrected.")
        }
        state = Mutex(dictionary)
        follower = FileFollower(file: SettingsFile(path: file.path), bytes: bytes, logger: logger)
    }

    public var current: TextDictionary { state.withLock { $0 } }

    /// Follows the file from now on.
    public func follow() {
        follower.follow { [weak self] bytes throws(SettingsError) in
            guard let self else { return }
            let loaded = try file.load(bytes)
            state.withLock { $0 = loaded.dictionary }
            for line in loaded.warningLines { logger.warning("\(line)") }
            logger.notice("dictionary read from \(file.path)")
        }
    }

    public func stop() { follower.stop() }
}
