import DictationBus
import DictationSettings
import DictationShared

/// Which notices the desktop shows: states in, effects out; no clock, no bus.
///
///     held ──────────────────► show, with Insert, Copy and Discard
///     inserted or discarded ─► close it
///     failed ────────────────► show, unless there was nothing to hear
///
/// Where no overlay can be shown, a dictation has one notification that changes:
///
///     recording ─► “Recording” ─► “Writing the text” ─► closed when it is inserted, or held or failed as above
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

        var label: String {
            switch self {
            case .insert: "Insert"
            case .copy: "Copy"
            case .discard: "Discard"
            }
        }
    }

    /// Characters of a text that are shown.
    static let excerpt = 120

    private enum Kind {
        case recording, writing, held, failed
    }

    private var shown: [DictationID: Kind] = [:]

    /// - Parameters:
    ///   - tellsProgress: whether they say what the overlay would.
    ///   - key: types a held text into the focused window; nil where there is none.
    mutating func handle(
        _ state: DictationState, settings: NoticesSettings, tellsProgress: Bool = false,
        heldHotkey key: String? = nil
    ) -> Effect? {
        guard settings.isShown, let kind = Self.kind(of: state, tellsProgress: tellsProgress) else {
            return shown.removeValue(forKey: state.id).map { _ in .close(state.id) }
        }
        // A change that changes nothing to see.
        guard shown.updateValue(kind, forKey: state.id) != kind else { return nil }
        return .show(Self.notice(of: state, settings: settings, key: key), state.id)
    }

    private static func kind(of state: DictationState, tellsProgress: Bool) -> Kind? {
        switch state.phase {
        case .starting, .recording: tellsProgress ? .recording : nil
        case .processing, .ready(.pending), .ready(.claimed): tellsProgress ? .writing : nil
        // The user has just asked for that, and has it.
        case .ready(.held(.askedFor)), .ready(.held(.undone)): nil
        case .ready(.held): .held
        // Mostly a key that was pressed by mistake; the overlay says it.
        case .failed(let failure) where [.noSpeech, .scratched, .notEdited].contains(failure.knownCode):
            tellsProgress ? .failed : nil
        case .failed: .failed
        case .ready(.inserted), .ready(.discarded), .cancelled: nil
        }
    }

    private static func notice(
        of state: DictationState, settings: NoticesSettings, key: String?
    ) -> DesktopNotice {
        switch state.phase {
        case .ready(.held(let reason)):
            DesktopNotice(
                summary: "A text is held: \(reason.explanation)",
                body: [
                    settings.showsText && !state.isPrivate ? beginning(of: state.remainder) : nil,
                    key.map { "\($0) types it into the focused window." },
                ].compactMap { $0 }.joined(separator: "\n"),
                actions: Answer.allCases.map { .init($0.rawValue, label: $0.label) },
                // An urgent notification is shown even in "do not disturb" mode. A user who has all texts
                // held expects this one, so it is not urgent.
                isUrgent: reason != .bySetting)
        case .failed(let failure):
            DesktopNotice(
                summary: "A dictation failed",
                body: ([failure.message] + (failure.kept.map { ["Kept: \($0)"] } ?? [])).joined(
                    separator: "\n"))
        case .starting, .recording:
            DesktopNotice(
                summary: "Recording", body: "Speak. dictstate stop ends it, dictstate cancel discards it.",
                isTransient: true)
        case .processing, .ready, .cancelled:
            DesktopNotice(summary: "Writing the text", body: "", isTransient: true)
        }
    }

    private static func beginning(of text: String) -> String {
        text.count <= excerpt ? text : text.prefix(excerpt - 1) + "…"
    }
}
