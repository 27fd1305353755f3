import DictationSystem
import Synchronization

/// Whether a program has copied something in place of what is held on the clipboard. For any thread.
final class CopyWatch: Sendable {
    /// Signalled when it has.
    let news: WakeUp
    private let isReplaced = Mutex(false)

    /// - Throws: ``SystemError``
    init() throws { news = try WakeUp() }

    var hasCopied: Bool { isReplaced.withLock { $0 } }

    func replaced() {
        isReplaced.withLock { $0 = true }
        news.signal()
    }
}
