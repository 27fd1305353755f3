import DictationShared

/// The answers to intents on their way to the store, which may be unavailable at the moment.
struct IntentAnswers {
    /// Intents that are answered when their dictation has settled.
    private var awaiting: [DictationID: [Int64]] = [:]
    /// In the order in which they were given.
    private var unsent: [(intent: Int64, answer: Intent.Phase)] = []

    /// Whether an intent waits for this dictation.
    func isAwaited(_ id: DictationID) -> Bool { awaiting[id] != nil }

    /// Answers an intent when a dictation has settled.
    mutating func awaitSettling(of id: DictationID, for intent: Int64) {
        awaiting[id, default: []].append(intent)
    }

    /// Answers all intents that wait for a dictation.
    mutating func settle(_ id: DictationID, _ answer: Intent.Phase) {
        unsent += (awaiting.removeValue(forKey: id) ?? []).map { ($0, answer) }
    }

    mutating func add(_ answer: Intent.Phase, to intent: Int64) { unsent.append((intent, answer)) }

    /// Sends what the store takes; the rest stays for the next time.
    mutating func send(to store: StateStore) throws {
        while let (intent, answer) = unsent.first {
            try store.answer(intent, answer)
            unsent.removeFirst()
        }
    }
}
