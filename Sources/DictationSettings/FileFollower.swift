import DictationSystem
import Logging
import Synchronization

/// Reads a settings file again whenever it has changed. A file that is removed or emptied changes nothing, nor does one with an
/// error: the log says where it is.
final class FileFollower: Sendable {
    private let file: SettingsFile
    private let logger: Logger
    private let last: Mutex<[UInt8]?>
    private let watch = Mutex<PathWatch?>(nil)

    /// - Parameter bytes: the content of the file that was read already.
    init(file: SettingsFile, bytes: [UInt8]?, logger: Logger) {
        self.file = file
        self.logger = logger
        last = Mutex(bytes)
    }

    deinit { stop() }

    /// Starts a thread that sleeps until something happens to the file.
    func follow(_ take: @escaping @Sendable ([UInt8]) throws(SettingsError) -> Void) {
        do {
            let watch = try PathWatch { [path = file.path] in .init(files: [path]) }
            self.watch.withLock { $0 = watch }
            startThread(named: "settings") { [weak self, logger] in
                do {
                    try watch.run { self?.look(take) }
                } catch {
                    logger.warning("settings are no longer followed: \(error)")
                }
            }
        } catch {
            logger.warning("changes of \(file.path) take effect at the next start only: \(error)")
        }
    }

    func stop() { watch.withLock { $0?.stop() } }

    private func look(_ take: ([UInt8]) throws(SettingsError) -> Void) {
        do {
            let bytes = try file.bytes()
            let before = last.withLock { last in
                defer { last = bytes }
                return last
            }
            guard bytes != before else { return }
            // Some editors remove the file for a moment, or empty it before they write it, which may fail on a full disk.
            guard let bytes else {
                logger.notice("\(file.path) is gone; its settings stay in effect until the next start.")
                return
            }
            guard !bytes.isEmpty else {
                logger.warning(
                    "\(file.path) is empty; the settings from before stay in use until the next start.")
                return
            }
            try take(bytes)
        } catch {
            logger.error("\(error)\nThe values from before stay in use.")
        }
    }
}
