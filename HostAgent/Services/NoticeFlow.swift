import DictationBus
import DictationSettings
import DictationShared

/// Which notices the desktop shows: states in, effects out; no clock, no bus.
///
///     held ──────────────────► show, with Insert, Copy and Discard
///     ready, and not typed ───► show; close it when an inserter has it
///     inserted or discarded ─► close it
///     failed ────────────────► show, unless there was nothing to hear
///
/// If no overlay can be shown, a dictation has one notification that changes:
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
        case recording, writing, stranded, held, failed
    }

    private var shown: [DictationID: Kind] = [:]

    /// - Parameters:
    ///   - tellsProgress: whether they show what the overlay would.
    ///   - isStranded: whether it waits to be typed, without a running insert-agent.
    ///   - key: types a held text into the focused window; nil if there is none.
    mutating func handle(
        _ state: DictationState, settings: NoticesSettings, tellsProgress: Bool = false,
        isStranded: Bool = false, heldHotkey key: String? = nil
    ) -> Effect? {
        let kind = isStranded ? .stranded : Self.kind(of: state, tellsProgress: tellsProgress)
        guard settings.isShown, let kind else {
            return shown.removeValue(forKey: state.id).map { _ in .close(state.id) }
        }
        // A change that changes nothing to see.
        guard shown.updateValue(kind, forKey: state.id) != kind else { return nil }
        let notice =
            isStranded
            ? Self.strandedNotice(of: state, settings: settings)
            : Self.notice(of: state, settings: settings, key: key)
        return .show(notice, state.id)
    }

    private static func kind(of state: DictationState, tellsProgress: Bool) -> Kind? {
        switch state.phase {
        case .starting, .recording: tellsProgress ? .recording : nil
        case .processing, .ready(.pending), .ready(.claimed): tellsProgress ? .writing : nil
        // The user has just requested that.
        case .ready(.held(.askedFor)), .ready(.held(.undone)): nil
        case .ready(.held): .held
        // Mostly a key that was pressed by mistake; the overlay says it.
        case .failed(let failure)
        where [.noSpeech, .scratched, .emptied, .notEdited].contains(failure.knownCode):
            tellsProgress ? .failed : nil
        case .failed: .failed
        case .ready(.inserted), .ready(.discarded), .cancelled: nil
        }
    }

    /// It has no buttons: their requests are carried out by the missing agent.
    private static func strandedNotice(
        of state: DictationState, settings: NoticesSettings
    ) -> DesktopNotice {
        DesktopNotice(
            summary: "A text is not typed: insert-agent does not run",
            body: [
                excerpt(of: state, settings),
                "The text is safe. Start it: systemctl --user start insert-agent",
            ].compactMap { $0 }.joined(separator: "\n"),
            isUrgent: true)
    }

    private static func notice(
        of state: DictationState, settings: NoticesSettings, key: String?
    ) -> DesktopNotice {
        switch state.phase {
        case .ready(.held(let reason)):
            DesktopNotice(
                summary: "A text is held: \(reason.explanation)",
                body: [
                    excerpt(of: state, settings), key.map { "\($0) types it into the focused window." },
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

    /// Nil if the text is not to be shown.
    private static func excerpt(of state: DictationState, _ settings: NoticesSettings) -> String? {
        guard settings.showsText, !state.isPrivate else { return nil }
        let text = state.remainder
        return text.count <= excerpt ? text : text.prefix(excerpt - 1) + "…"
    }
}
