import DictationSystem
import Logging

/// Replaces the recognizer when its settings or the installed models have changed.
struct EngineWatch {
    private let watch: PathWatch

    /// - Returns: nil if nothing can be watched.
    init?(_ speech: SpeechService, logger: Logger) {
        let unwatched = "installed models and changed settings of recognition count from the next start on"
        do {
            let watch = try PathWatch { speech.places() }
            startThread(named: "engines") {
                do { try watch.run { speech.look() } } catch { logger.warning("\(unwatched): \(error)") }
            }
            self.watch = watch
        } catch {
            logger.warning("\(unwatched): \(error)")
            return nil
        }
    }

    /// The settings may name other folders now.
    func lookAgain() { watch.lookAgain() }

    func stop() { watch.stop() }
}
