import Desktop
import DictationService
import DictationSettings
import DictationShared
import Logging
import ServiceLifecycle

/// Shows the words of a dictation that may still change in the text field that its text will go to, if that
/// goes by IBus. Without such a setting nothing is followed.
actor VolatileWords: Service {
    private let context: AgentContext
    private let backend: InsertionBackend
    private let preedit: any PreeditShowing
    private var following: Task<Void, Never>?
    /// The dictation whose words are shown.
    private var shown: DictationID?

    init(context: AgentContext, backend: InsertionBackend, preedit: any PreeditShowing) {
        self.context = context
        self.backend = backend
        self.preedit = preedit
    }

    func run() async {
        for await _ in context.settings.updates().cancelOnGracefulShutdown() {
            let isWanted = DeliveryPolicy(context.settings, backend).mayUseIBus
            if isWanted, following == nil {
                following = Task { await self.follow() }
            } else if !isWanted {
                await stop()
            }
        }
        await stop()
    }

    /// Waits for the last words: they may be on their way, after a text that is typed.
    private func stop() async {
        following?.cancel()
        await following?.value
        (following, shown) = (nil, nil)
        await preedit.hide()
    }

    private func follow() async {
        do {
            let revision = try context.store.revision()
            // Somebody may be speaking already.
            for state in try context.store.unfinished() { try await handle(state) }
            let changes = StateWatcher.changes(of: context.store, since: revision, where: { _ in true })
            for try await change in changes {
                for state in change.dictations { try await handle(state) }
            }
        } catch {
            context.logger.warning("words are not shown while you speak: \(error)")
        }
    }

    private func handle(_ state: DictationState) async throws {
        guard state.isBeingSpoken else {
            if shown == state.id { await hide() }
            return
        }
        let policy = DeliveryPolicy(context.settings, backend)
        guard backend.session.absence == nil, let focused = try await backend.windows.focusedWindow(),
            policy.showsWords(of: state, in: focused)
        else { return await hide() }
        shown = state.id
        await preedit.show(state.spokenText.tentative)
    }

    private func hide() async {
        guard shown != nil else { return }
        shown = nil
        await preedit.hide()
    }
}
