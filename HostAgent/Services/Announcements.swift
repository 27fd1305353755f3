import Desktop
import DictationBus
import DictationOptions
import DictationService
import DictationSettings
import DictationShared
import DictationViews
import Logging

/// All that a user sees and hears of dictations without asking: the overlay, notifications, sounds, the item in the tray, and
/// the offer of a better recognizer.
struct Announcements {
    /// Nil without a display.
    let overlay: Overlay?
    let surroundings: Surroundings
    let offer: RecognizerOffer
    private let context: AgentContext
    private let notices: DesktopNotices
    private let hooks: Hooks
    private var news: News
    private var noticeFlow = NoticeFlow()
    private var soundFlow = SoundFlow()
    private var tray: Tray

    /// - Parameter past: the store's revision from which on changes are announced; nil if it could not be read.
    init(_ context: AgentContext, overlay: Overlay?, since past: Revision?) {
        self.context = context
        hooks = Hooks(settings: context.settings, logger: context.logger)
        self.overlay = overlay
        surroundings = Surroundings(context)
        let (answers, answer) = AsyncStream.makeStream(of: OfferFlow.Answer.self)
        notices = DesktopNotices(context, offer: { answer.yield($0) })
        offer = RecognizerOffer(context, notices: notices, answers: answers)
        news = News(since: past)
        tray = Tray(context, notices: notices)
    }

    mutating func handle(_ changes: ChangeSet) {
        tray.handle(changes)
        if let overlay { for state in changes.dictations { overlay.handle(.changed(state)) } }
        for state in news.take(from: changes) {
            hooks.tell(of: state)
            offerToLearn(state)
            if let sound = soundFlow.handle(state) { surroundings.play(sound) }
            let settings = context.settings.current
            switch noticeFlow.handle(
                state, settings: settings.notices, tellsProgress: tellsProgress(settings),
                isStranded: state.delivery == .pending && !state.isCommand && !context.hasInserter,
                heldHotkey: settings.shownHeldHotkey)
            {
            case .show(let notice, let id): notices.show(notice, as: id.description)
            case .close(let id): notices.close(id.description)
            case nil: break
            }
        }
    }

    /// Offers to learn a word that was replaced twice, unless it is known.
    private func offerToLearn(_ state: DictationState) {
        let settings = context.settings.current
        let dictionary = DictionaryFile(beside: .standard())
        guard state.isCommand, let history = try? context.store.history(limit: LearnOffer.reach),
            let offer = LearnOffer.due(with: state, in: history, leadWord: settings.edit.leadWord),
            (try? dictionary.load())?.values.replacements.contains(where: { $0.heard == offer.heard })
                == false
        else { return }
        context.logger.notice("the same words were replaced twice; to replace them always: dictstate learn")
        guard settings.notices.isShown else { return }
        notices.show(
            offer.notice(showsText: settings.notices.showsText), as: LearnOffer.key + state.id.description)
    }

    mutating func settingsChanged() { tray.show() }

    /// Returns when nothing is shown any more, and other programs play as before.
    func stop() async {
        overlay?.stop()
        await offer.stop()
        notices.stop()
        tray.stop()
        await surroundings.stop()
    }

    private func tellsProgress(_ settings: Settings) -> Bool {
        switch settings.notices.progress {
        case .auto: overlay == nil && settings.overlay.isShown
        case .always: true
        case .never: false
        }
    }

    /// Reports the restrictions of the session once per session, and again with this agent's first dictation.
    func tell(of abilities: SessionAbilities) {
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
                    "\(restriction.statement.withCapital). \(restriction.advice ?? "")"
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
            DesktopNotice(summary: "No hotkey for dictation", body: "\(reason.withCapital). \(advice)"),
            as: "hotkey")
    }
}

extension AgentContext {
    /// Whether an insert-agent runs now.
    var hasInserter: Bool { (try? RoleLock.holder(of: .inserter, in: group)) != nil }
}

extension DesktopNotices {
    /// Those of this agent. The user's answers become intents, as a command's would.
    ///
    /// - Parameter offer: called with the answer to the offer of a recognizer.
    convenience init(
        _ context: AgentContext, offer: @escaping @Sendable (OfferFlow.Answer) -> Void
    ) {
        let (store, settings, logger) = (context.store, context.settings, context.logger)
        self.init(logger: logger) { key, action in
            if key == RecognizerOffer.key, let answer = OfferFlow.Answer(rawValue: action) {
                return offer(answer)
            }
            if key.hasPrefix(LearnOffer.key), action == LearnOffer.action {
                guard let id = DictationID(String(key.dropFirst(LearnOffer.key.count))),
                    let state = (try? store.dictation(id)) ?? nil,
                    let offer = LearnOffer(state, leadWord: settings.current.edit.leadWord)
                else { return }
                do {
                    try DictionaryFile(beside: .standard()).learn(heard: offer.heard, written: offer.written)
                    logger.notice("words were learned, as was asked for in the notification")
                } catch {
                    logger.error("the words cannot be learned: \(error)")
                }
                return
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

extension String {
    fileprivate var withCapital: String { prefix(1).uppercased() + dropFirst() }
}
