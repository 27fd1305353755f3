import Desktop
import DictationBus
import DictationService
import DictationSettings
import DictationShared
import DictationViews
import Logging

/// The agent and the desktop around it: notices, locks and sleep.
extension DictationAgent {
    /// The user is not there any more: what was said until then is recognized, and the inserter holds it.
    func handle(_: SessionAbsence) {
        handle(.userLeft)
        overlay?.handle(.userLeft)
    }

    func show(_ states: [DictationState]) {
        for state in states {
            if let sound = soundFlow.handle(state) { surroundings.play(sound) }
            let settings = context.settings.current
            switch noticeFlow.handle(
                state, settings: settings.notices, tellsProgress: tellsProgress(settings),
                heldHotkey: settings.insert.shownHeldHotkey)
            {
            case .show(let notice, let id): notices.show(notice, as: id.description)
            case .close(let id): notices.close(id.description)
            case nil: break
            }
        }
    }

    private func tellsProgress(_ settings: Settings) -> Bool {
        switch settings.notices.progress {
        case .auto: overlay == nil && settings.overlay.isShown
        case .always: true
        case .never: false
        }
    }

    /// Says once a session what dictation cannot do in it, and with this agent's first dictation again.
    nonisolated func tell(of abilities: SessionAbilities) {
        let restrictions = abilities.restrictions
        guard abilities.session.isWayland, !restrictions.isEmpty else { return }
        if abilities.session.nativeWindows == .outOfReach {
            overlay?.handle(.hint("Wayland session: only X11 windows get the text, for others it is held."))
        }
        guard let marker = OnceASession.marker(), marker.take(), context.settings.current.notices.isShown
        else { return }
        notices.show(
            DesktopNotice(
                summary: "Dictation in a Wayland session",
                body: restrictions.map { restriction in
                    let statement = restriction.statement
                    return
                        "\(statement.prefix(1).uppercased())\(statement.dropFirst()). \(restriction.advice ?? "")"
                }.joined(separator: " ")),
            as: "wayland")
    }

    /// There is no hotkey, or none any more.
    func tellOfHotkey(_ reason: String) {
        let advice =
            "Choose a key for VoiceDictation in the desktop's keyboard settings, or bind dictstate toggle to one; "
            + "restart host-agent to be asked again."
        context.logger.warning("\(reason). \(advice)")
        guard context.settings.current.notices.isShown else { return }
        notices.show(
            DesktopNotice(
                summary: "No hotkey for dictation",
                body: "\(reason.prefix(1).uppercased())\(reason.dropFirst()). \(advice)"),
            as: "hotkey")
    }

    /// The user's answers become intents, as a command's would.
    ///
    /// - Parameter offer: called with the answer to the offer of a recognizer.
    static func notices(
        _ context: AgentContext, offer: @escaping @Sendable (OfferFlow.Answer) -> Void
    ) -> DesktopNotices {
        let (store, logger) = (context.store, context.logger)
        return DesktopNotices(logger: logger) { key, action in
            if key == RecognizerOffer.key, let answer = OfferFlow.Answer(rawValue: action) {
                return offer(answer)
            }
            guard let id = DictationID(key), let answer = NoticeFlow.Answer(rawValue: action) else { return }
            do {
                _ = try store.submit(answer.action(id))
            } catch {
                logger.error("the answer to a notification cannot be carried out: \(error)")
            }
        }
    }
}
