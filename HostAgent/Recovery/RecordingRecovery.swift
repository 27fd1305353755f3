import DictationService
import DictationSettings
import DictationShared
import DictationSpeech
import Synchronization

/// Recognizes recordings that have no text: those that were never recognized, at the start and each time that
/// ``RecoveryFlow`` sees a reason, and those that the user asks for.
final class RecordingRecovery: Sendable {
    private let earlier: EarlierHost
    private let leftovers: LeftoverRecovery
    private let requests: RequestedRecognition
    private let flow = Mutex(RecoveryFlow())
    private let reasons = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    /// The requested ones, by their intents.
    private let recognitions = Mutex<[Int64: Task<Void, Never>]>([:])

    init(_ context: AgentContext, speech: SpeechService, text: TextService) {
        let settings = context.settings
        earlier = EarlierHost(
            in: context.store, ours: { context.keeper.begun }, logger: context.logger)
        leftovers = LeftoverRecovery(
            store: context.store, logger: context.logger,
            cleaner: { text.cleaner(for: TextOrigin(), locale: $0, of: $1) }, recognizer: .own,
            limits: { settings.recentLimits }, engine: speech.engine,
            locale: speech.locale)
        requests = RequestedRecognition(
            store: context.store, logger: context.logger, recognizer: .own, atWork: leftovers.atWork,
            cleaner: { text.cleaner(for: TextOrigin(), locale: $0, of: $1) },
            locale: { settings.current.speech.locale })
    }

    func handle(_ event: RecoveryFlow.Event) {
        if flow.withLock({ $0.handle(event) }) { reasons.continuation.yield() }
    }

    /// Ends the rows of an earlier host, and reads its recordings. Call it before this host's first dictation.
    func takeStock() -> LeftoverRecovery.Stock {
        earlier.end { [weak self] in self?.handle(.earlierHostEnded) }
        return leftovers.takeStock()
    }

    /// Works until its task is canceled.
    ///
    /// - Parameter stock: the recordings from before this host's first dictation.
    func run(_ stock: LeftoverRecovery.Stock) async {
        _ = flow.withLock { $0.handle(.started) }
        handle(.ended(isUnheard: await leftovers.recover(stock)))
        for await _ in reasons.stream {
            handle(.ended(isUnheard: await leftovers.recover(leftovers.takeStockAgain())))
        }
    }

    /// Carries out an intent, and answers it; returns at once.
    func recognize(_ id: DictationID, _ options: Intent.RecognitionOptions, for intent: Int64) {
        recognitions.withLock { all in
            all[intent] = Task {
                await requests.carryOut(intent, id, options)
                _ = recognitions.withLock { $0.removeValue(forKey: intent) }
            }
        }
    }

    /// Stops the requested work; returns when it has ended.
    func stop() async {
        let tasks = recognitions.withLock { Array($0.values) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    /// Removes the sound of a dictation, if it was delivered, discarded or canceled.
    func clearUp(_ state: DictationState) { leftovers.clearUp(state) }

    /// Removes the sound of everything delivered, discarded or canceled by now.
    func clearUp() { leftovers.clearUp() }
}
