import DictationSystem
import Foundation
import Synchronization

/// A text that is on the clipboard for a moment, and which programs have read it. For any thread.
final class PassingText: Sendable {
    enum Reader: Sendable {
        /// As far as is known.
        case window
        case other
    }

    private struct State {
        var isKeyPressed = false
        var isRead = false
        var isReplaced = false
        /// The time of the window's last request.
        var lastRequest: ContinuousClock.Instant?
    }

    let content: ClipboardContent
    /// Signalled when something has changed.
    let news: WakeUp
    private let followers: ClipboardFollowers
    private let state = Mutex(State())

    /// - Throws: ``SystemError``
    init(_ text: String, followers: ClipboardFollowers) throws {
        content = ClipboardContent(text: text).markedAsPassing()
        news = try WakeUp()
        self.followers = followers
    }

    /// The window has all of it.
    var isRead: Bool { state.withLock { $0.isRead } }
    /// Another program has copied something before the window asked: it may get that in place of the text.
    var isReplaced: Bool { state.withLock { $0.isReplaced } }
    var lastRequest: ContinuousClock.Instant? { state.withLock { $0.lastRequest } }

    /// Call it directly before the key. The window does not ask for the text sooner: only a program does that
    /// follows the clipboard.
    func keyIsPressed() { state.withLock { $0.isKeyPressed = true } }

    /// - Parameter pipe: to which the text is written.
    func asked(by pipe: Int32) -> Reader {
        let isKeyPressed = state.withLock { $0.isKeyPressed }
        if !isKeyPressed {
            followers.learn(readersOf: pipe)
            return .other
        }
        if followers.contain(readersOf: pipe) { return .other }
        state.withLock { $0.lastRequest = .now }
        news.signal()
        return .window
    }

    /// All of it was read.
    func read(by reader: Reader) {
        guard reader == .window else { return }
        state.withLock { $0.isRead = true }
        news.signal()
    }

    func replaced() {
        state.withLock { $0.isReplaced = $0.lastRequest == nil }
        news.signal()
    }
}
