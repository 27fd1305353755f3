import DictationBus
import DictationSettings
import DictationShared

/// Which notices the desktop shows: states in, effects out; no clock, no bus.
///
///     held ──────────────────► show, with Insert, Copy and Discard
///     inserted or discarded ─► close it
///     failed ────────────────► show, unless there was nothing to hear
struct NoticeFlow: Equatable {
    enum Effect: Equatable {
        case show(DesktopNotice, DictationID)
        case close(DictationID)
    }

    /// The answers of a user; the raw values are the actions' names on the bus.
    enum Answer: String, CaseIterable {
        case insert, copy, discard

        func action(_ id: DictationID) -> Intent.Action {
            switch self {
            case .insert: .insert(id)
            case .copy: .copy(id)
            case .discard: .discard(id)
            }
        }

        fileprivate var label: String {
            switch self {
            case .insert: "Insert"
            case .copy: "Copy"
            case .discard: "Discard"
            }
        }
    }

    /// Characters of a text that are shown.
    static let excerpt = 120

    private var shown: Set<DictationID> = []

    /// - Parameter key: types a held text into the focused window; nil where there is none.
    mutating func handle(
        _ state: DictationState, settings: NoticesSettings, heldHotkey key: String? = nil
    ) -> Effect? {
        guard settings.isShown, let notice = Self.notice(of: state, settings: settings, key: key) else {
            return shown.remove(state.id).map(Effect.close)
        }
        // A change that changes nothing to see.
        guard shown.insert(state.id).inserted else { return nil }
        return .show(notice, state.id)
    }

    private static func notice(
        of state: DictationState, settings: NoticesSettings, key: String?
    ) -> DesktopNotice? {
        switch state.phase {
        // The user has just asked for that, and has it.
        case .ready(.held(.askedFor)), .ready(.held(.undone)): nil
        case .ready(.held(let reason)):
            DesktopNotice(
                summary: "A text is held: \(reason.explanation)",
                body: [
                    settings.showsText && !state.isPrivate ? beginning(of: state.remainder) : nil,
                    key.map { "\($0) types it into the focused window." },
                ].compactMap { $0 }.joined(separator: "\n"),
                actions: Answer.allCases.map { .init($0.rawValue, label: $0.label) },
                // An urgent one is shown also to those who want no disturbance; who lets all be held expects it.
                isUrgent: reason != .bySetting)
        // Mostly a key that was pressed by mistake; the overlay says it.
        case .failed(let failure) where [.noSpeech, .scratched].contains(failure.knownCode): nil
        case .failed(let failure):
            DesktopNotice(
                summary: "A dictation failed",
                body: ([failure.message] + (failure.kept.map { ["Kept: \($0)"] } ?? [])).joined(
                    separator: "\n"))
        case .starting, .recording, .processing, .ready, .cancelled: nil
        }
    }

    private static func beginning(of text: String) -> String {
        text.count <= excerpt ? text : text.prefix(excerpt - 1) + "…"
    }
}
