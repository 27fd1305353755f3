import DictationSystem

/// Reports the events in a folder while it is used, on a separate thread.
public final class FolderNews: Sendable {
    private let stopping: WakeUp

    /// - Parameter onNews: called with the events since the last call.
    /// - Throws: ``SystemError`` if there is no such folder.
    public init(
        of folder: String, for kinds: FileEvents.Kinds,
        onNews: @escaping @Sendable ([FileEvents.Event]) -> Void
    ) throws {
        let events = try FileEvents()
        let stopping = try WakeUp()
        try events.watch(folder, for: kinds)
        self.stopping = stopping
        startThread(named: "folder-news") {
            while let happened = try? events.wait(stopping: stopping) { onNews(happened) }
        }
    }

    deinit { stopping.signal() }
}
