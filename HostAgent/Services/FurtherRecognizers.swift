import DictationSettings
import DictationSpeech
import DictationSystem
import Synchronization

/// A recognizer with what belongs to it.
struct PreparedRecognizer: Sendable {
    let pipeline: SpeechPipeline
    let model: String?
    let adaptations: AdaptationFile

    /// The current recognizer: while the model cannot be used, the fallback does.
    var name: String {
        guard pipeline.recognizer.fallbackReason == nil else { return SpeechEngine.pocketsphinx.rawValue }
        return [pipeline.recognizer.engine, model].compactMap { $0 }.joined(separator: ", ")
    }
}

/// The recognizers of dictations that differ from the settings: another language, engine or model. Each is made with the first
/// such dictation, and stays in memory as long as the settings say (`speech.keep-loaded`) after its last one.
final class FurtherRecognizers: Sendable {
    private struct Entry {
        let choice: RecognizerChoice
        let recognizer: PreparedRecognizer
        var isLoaded = false
        /// Dictations that have not ended.
        var uses = 0
        /// Waits until it has not been used for long enough.
        var release: Task<Void, Never>?
    }
    private let entries = Mutex<[Entry]>([])

    /// Reserves the recognizer of a choice for one dictation.
    ///
    /// - Parameter make: called if none exists yet.
    /// - Returns: the recognizer, and whether its model must be loaded first.
    func take(
        _ choice: RecognizerChoice, make: () -> PreparedRecognizer
    ) -> (recognizer: PreparedRecognizer, mustLoad: Bool) {
        entries.withLock { entries in
            if !entries.contains(where: { $0.choice == choice }) {
                entries.append(Entry(choice: choice, recognizer: make()))
            }
            let index = entries.firstIndex { $0.choice == choice } ?? 0
            entries[index].release?.cancel()
            entries[index].release = nil
            entries[index].uses += 1
            return (entries[index].recognizer, !entries[index].isLoaded)
        }
    }

    func noteLoaded(_ choice: RecognizerChoice) {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.choice == choice }) else { return }
            entries[index].isLoaded = true
        }
    }

    /// A dictation that had reserved the recognizer has ended.
    ///
    /// - Parameter limit: how long it stays in memory; nil for no limit.
    func giveBack(_ choice: RecognizerChoice, keepLoaded limit: Duration?) {
        entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.choice == choice }) else { return }
            entries[index].uses -= 1
            guard entries[index].uses == 0, let limit else { return }
            entries[index].release = Task { [weak self] in
                // This waits for the time itself.
                guard (try? await pause(for: limit)) != nil else { return }
                self?.drop { $0 == choice }
            }
        }
    }

    /// Lets go of all that no dictation uses now: the settings or the files have changed.
    func dropIdle() { drop { _ in true } }

    private func drop(where isMeant: (RecognizerChoice) -> Bool) {
        entries.withLock { $0.removeAll { $0.uses == 0 && isMeant($0.choice) } }
    }
}
