import Desktop
import DictationSystem
import Foundation

extension InsertionBackend {
    /// A file, or a terminal's device: it always has the focus, and the user is always there.
    ///
    /// - Parameters:
    ///   - path: the file is created if it is missing.
    ///   - journal: a file for what is being written.
    ///   - makeRoom: gives the journal's disk some room that was put by; false if there is none.
    /// - Throws: ``FileTargetError``
    public static func file(
        _ path: String, journal: String, makeRoom: @escaping @Sendable () -> Bool = { false }
    ) throws -> InsertionBackend {
        let target = FileTarget(path: path)
        let typist = try FileTypist(target: target, journal: FileJournal(path: journal, makeRoom: makeRoom))
        let hasLength = try target.open().hasLength
        return InsertionBackend(
            summary: "It writes to \(target.path).", typing: typist,
            windows: FileWindow(target: target, hasLength: hasLength), session: AlwaysPresent(),
            undo: hasLength ? typist : nil)
    }
}

private struct AlwaysPresent: SessionPresence {
    let absence: SessionAbsence? = nil
}

/// The file as a window. Profiles know it by the class `file`, and by its path.
private struct FileWindow: WindowFocus {
    let target: FileTarget
    let hasLength: Bool

    let seesEveryWindow = true

    func focusedWindow() -> WindowInfo? { WindowInfo(id: 1, windowClass: "file", title: target.path) }

    func activate(_ window: WindowInfo) -> Bool { true }

    func waitForFocus(of window: WindowInfo, within limit: Duration) -> Bool { false }

    func watchTouches(of window: WindowInfo) -> (any TouchWatching)? {
        FileTouch(target: target, hasLength: hasLength)
    }
}

/// Whether a file has changed since. For a device this is unknown: it counts as unchanged.
private struct FileTouch: TouchWatching {
    private let target: FileTarget
    private let hasLength: Bool
    let seesKeys = true
    private let before: (identity: FileTarget.Identity, length: Int)?

    init(target: FileTarget, hasLength: Bool) {
        self.target = target
        self.hasLength = hasLength
        before = target.look()
    }

    func isTouched() -> Bool {
        guard let before, let now = target.look() else { return true }
        return now.identity != before.identity || hasLength && now.length != before.length
    }
}
