import Desktop
import DictationSettings
import DictationShared
import DictationSystem
import Foundation

/// Decides what the inserter does with a text: a pure value, without store, display or clock.
struct DeliveryPolicy: Equatable, Sendable {
    let insert: InsertSettings
    var profiles: [ProfileSettings] = []
    /// Whether every window can be seen. If not, and no window seems to be focused, one that cannot be seen
    /// may be.
    var seesEveryWindow = true

    /// A text that is older is held: by now the user may have turned to something else.
    var patience: TimeInterval { TimeInterval(insert.patience) }

    // MARK: Where to

    enum Decision: Equatable {
        case insert(into: WindowInfo)
        /// Give the focus to the window where recording began, then insert there.
        case activate(WindowInfo)
        case settle(DictationTransition)
    }

    /// Whether a text stays unclaimed until the window where recording began has the focus.
    func waits(_ state: DictationState, focused: WindowInfo?, isAsked: Bool) -> Bool {
        guard insert.policy == .origin, insert.originAway == .wait, !isAsked, let origin = state.target else {
            return false
        }
        return !origin.isSameWindow(as: focused)
    }

    /// Decides about a claimed text.
    ///
    /// - Parameter isAsked: the user wants it now, so it goes where the user is.
    func decide(_ state: DictationState, focused: WindowInfo?, isAsked: Bool) -> Decision {
        if !state.hasMoreToType { return .settle(.inserted(milliseconds: 0)) }
        if !isAsked {
            switch insert.policy {
            case .hold where state.isAskedFor: break
            case .hold: return .settle(.held(.bySetting))
            case .origin:
                // A text that began over a native window may have begun over another one.
                if state.target == nil, state.isSpoken, focused?.isNative == true {
                    return .settle(.held(.nativeWindow))
                }
                // A text that was never spoken comes from nowhere.
                if let origin = state.target, !origin.isSameWindow(as: focused) {
                    // It had the focus when the text was claimed, if it is waited for. While the user speaks, they may type
                    // in another window: it keeps the focus.
                    return insert.originAway == .wait || state.isGrowthClaimed
                        ? .settle(.held(.focusMoved)) : .activate(origin)
                }
            case .focused: break
            }
        }
        return focused.map { .insert(into: $0) } ?? .settle(.held(seesEveryWindow ? .noFocus : .nativeWindow))
    }

    /// Whether the words of a dictation that may still change are shown in the window that has the focus: it is where its
    /// text will go, by IBus.
    func showsWords(of state: DictationState, in focused: WindowInfo) -> Bool {
        guard state.isBeingSpoken, !state.spokenText.tentative.isEmpty, state.heldGrowth == nil else {
            return false
        }
        if insert.policy == .hold || (insert.policy == .origin && !focused.isSameWindow(as: state.target)) {
            return false
        }
        let style = style(for: focused)
        return style.method == .ibus && !style.verbatim
    }

    /// Whether any text may go by IBus.
    var mayUseIBus: Bool { insert.method == .ibus || profiles.contains { $0.method.value == .ibus } }

    // MARK: How

    /// - Parameter profile: the name of the one that the dictation asks for.
    func style(for window: WindowInfo, profile: String? = nil) -> InsertionStyle {
        InsertionStyle(for: window, insert: insert, profiles: profiles, profile: profile)
    }

    /// Whether nothing of a window goes to a language model.
    func isKeptFromModel(_ window: WindowInfo) -> Bool {
        ProfileSettings.keepFromModel(in: profiles, windowClass: window.windowClass, title: window.title)
    }

    /// The methods to try, one after another; each is safe if those before it have done nothing.
    ///
    /// - Parameter isGrowing: it is a part of a text that is still spoken. Such a part is pasted only if keys
    ///   cannot type it: if the inserter is killed, it is unknown whether a paste has arrived.
    func methods(
        _ style: InsertionStyle, text: String, survey: TypingSurvey, isGrowing: Bool = false
    ) -> [InsertMethod] {
        // Neither keys nor pastes reach it.
        if survey.onlyCommits != nil, [.type, .paste, .ibus].contains(style.method) { return [.ibus] }
        switch style.method {
        case .ibus:
            var typed = style
            typed.method = .type
            return [.ibus] + methods(typed, text: text, survey: survey, isGrowing: isGrowing)
        case .type:
            let mayPaste = !isGrowing && survey.canPaste && style.isKnownToPaste && style.canPaste(text)
            let isLong = mayPaste && insert.pasteFrom > 0 && survey.characterCount >= insert.pasteFrom
            // A window that does not say when it has read its keys is given half a second for each change of the map.
            let isSlow = mayPaste && !survey.tellsReading && survey.mapChanges > 1
            let isAltered = mayPaste && !style.wantsKeys && style.alteration.changes(text)
            return isLong || isSlow || isAltered || survey.hasInputMethod || survey.untypable > 0
                ? [.paste, .type] : [.type]
        case .paste: return [.paste, .type]
        case .xdotool: return [.xdotool, .type]
        case .copy: return [.copy]
        case .none: return []
        }
    }

    /// The methods for a text that takes the place of a selected one. A paste replaces all of it in one step, and lines are
    /// not indented by the window.
    func replacingMethods(_ style: InsertionStyle, survey: TypingSurvey) -> [InsertMethod] {
        style.wantsKeys || !survey.canPaste ? [.type] : [.paste, .type]
    }

    // MARK: The outcome

    /// - Parameter milliseconds: from the claim to the last key.
    func settle(_ outcome: TypingOutcome, milliseconds: Int) -> DictationTransition {
        switch outcome {
        case .typed: .inserted(milliseconds: milliseconds)
        case .stopped(_, let reason): .held(holdReason(for: reason))
        }
    }

    /// Whether typing continues by itself when the keyboard is free again: the user dictates the next text,
    /// and has not turned to something else.
    func givesWay(_ reason: TypingOutcome.StopReason, whileRecording isRecording: Bool) -> Bool {
        switch reason {
        case .hotkeyPressed: true
        case .keyboardBusy: isRecording
        default: false
        }
    }

    func holdReason(for reason: TypingOutcome.StopReason) -> HoldReason {
        switch reason {
        case .focusMoved, .fieldLeft: .focusMoved
        // The window of the text had it. If not every window is visible to us, one of those may have it now.
        case .noFocus: seesEveryWindow ? .noFocus : .focusMoved
        case .windowClosed: .windowClosed
        case .keyboardBusy, .hotkeyPressed: .keyboardBusy
        case .escapePressed: .escapePressed
        case .notResponding: .notResponding
        case .noKeys: .noKeys
        case .noInputContext: .noInputContext
        case .notTaken: .notTaken
        case .diskFull: .diskFull
        case .unsure: .pasteUnsure
        case .unreachable, .keyboardUnknown: .nativeWindow
        }
    }

    static func holdReason(for absence: SessionAbsence) -> HoldReason {
        switch absence {
        case .sleeping: .machineSlept
        case .inactive: .otherSession
        case .locked: .userAway
        }
    }

    /// The dictation that is meant without a name: the newest that is held, else the newest that has a text.
    /// If that was discarded none is meant: an older one would be a surprise.
    ///
    /// - Parameter history: newest first.
    func dictationToInsert(among history: [DictationState]) -> DictationState? {
        let ready = history.filter { ($0.status == .ready && !$0.isCommand) || $0.heldGrowth != nil }
        let held = ready.filter { $0.delivery?.heldReason != nil || $0.heldGrowth != nil }
        // A text that was selected once is held next to the one that was to replace it.
        return held.first { $0.delivery != .held(.formerText) } ?? held.first ?? ready.first
    }
}

extension DeliveryPolicy {
    /// By the settings as they are now.
    init(_ settings: LiveSettings, _ backend: InsertionBackend) {
        self = settings.read {
            DeliveryPolicy(
                insert: $0.insert, profiles: $0.profiles, seesEveryWindow: backend.windows.seesEveryWindow)
        }
    }
}
