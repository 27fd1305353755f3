import Desktop
import DictationSystem
import Synchronization

/// The clipboards of a Wayland compositor (ext-data-control-v1 or wlr-data-control). A content stays until another
/// program copies something, or this process ends.
public final class WaylandClipboard: Sendable {
    private let socket: String
    let journal: ClipboardJournal
    /// The name of the text that a killed process was pasting: it is unknown whether the window has it.
    let unsure: String?
    let followers = ClipboardFollowers()
    /// Started when it is first needed.
    private let thread = Mutex<ClipboardThread?>(nil)

    /// Restores what a killed process has left.
    ///
    /// - Parameter socket: the absolute path of the compositor's socket.
    /// - Returns: nil if the compositor gives no access to its clipboards.
    public init?(socket: String) {
        guard let connection = try? WaylandConnection(socket: socket),
            DataControl.isOffered(by: connection)
        else { return nil }
        self.socket = socket
        journal = ClipboardJournal(socket: socket)
        unsure = journal.pasting
        let contents = journal.contents
        let copied = journal.copied
        if !contents.isEmpty { try? run { try $0.restore(contents, copied: copied) } }
    }

    /// Leaves a text on the clipboard.
    ///
    /// - Throws: ``WaylandError``, ``SystemError``
    public func copy(_ text: String) async throws {
        let thread = try startedThread()
        try await withCheckedThrowingContinuation { continuation in
            thread.start {
                try $0.set(ClipboardContent(text: text), as: .clipboard)
            } whenDone: {
                continuation.resume(with: $0)
            }
        }
    }

    /// Blocks until it is done.
    func run<Result: Sendable>(_ body: @escaping @Sendable (ClipboardDesk) throws -> Result) throws -> Result
    {
        try startedThread().run(body)
    }

    private func startedThread() throws -> ClipboardThread {
        try thread.withLock { thread in
            if let thread { return thread }
            let new = try ClipboardThread(socket: socket, journal: journal)
            thread = new
            return new
        }
    }
}
