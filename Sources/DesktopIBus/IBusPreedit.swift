import Desktop
import DictationBus
import DictationSystem
import Foundation
import Logging

/// Shows words as the preedit of the text field that has the focus in IBus. Our engine is in the place of the user's from the
/// first words until ``hide()``; it lets all keys through.
public actor IBusPreedit: PreeditShowing {
    private let note: NoteFile<EngineNote>
    private let logger: Logger
    private let environment: [String: String]
    private let executor = ThreadExecutor(name: "ibus-preedit")
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private var loan: EngineLoan?
    private var events: EventThread?
    private var expiry: Task<Void, Never>?
    private var lastShown = ContinuousClock.now
    /// Texts that are committed at this moment, by an engine of their own.
    private var commits = 0

    /// Words that have not changed for this long are removed, and the user gets the engine back.
    static let lifetime: Duration = .seconds(30)

    /// - Parameter note: as for ``IBusTyping``.
    public init(
        note: String, logger: Logger, environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.note = NoteFile(path: note)
        self.logger = logger
        self.environment = environment
    }

    deinit { events?.stop() }

    public func show(_ words: String) {
        guard commits == 0 else { return }
        do {
            guard let loan = try loan ?? borrow() else { return }
            try loan.engine.showPreedit(loan.engine.state.showsPreedit ? words : "")
            expireLater()
        } catch {
            logger.debug("no preedit: \(error)")
            hide()
        }
    }

    public func hide() {
        expiry?.cancel()
        events?.stop()
        (expiry, events) = (nil, nil)
        guard let loan else { return }
        self.loan = nil
        try? loan.engine.showPreedit("")
        loan.giveBack()
    }

    /// Call it before a text is committed: only one of our engines can replace the user's.
    func beginCommit() {
        commits += 1
        hide()
    }

    func endCommit() { commits -= 1 }

    /// - Returns: nil if no text field has the focus, or no daemon answers.
    private func borrow() throws -> EngineLoan? {
        guard let daemon = try? IBusDaemon(environment), let context = try daemon.focusedContext(),
            context != IBusDaemon.fakeContext
        else { return nil }
        let events = try EventThread(descriptor: daemon.bus.descriptor, named: "ibus-events")
        do { loan = try EngineLoan(daemon, note: note, environment, logger: logger) } catch {
            events.stop()
            throw error
        }
        self.events = events
        // During this time the user's keys come through our engine, and wait for its answer.
        Task { [weak self] in
            for await _ in events.arrivals {
                guard let self, await self.handleEvents(of: events) else { break }
            }
            events.stop()
        }
        return loan
    }

    /// - Returns: whether more may come.
    private func handleEvents(of events: EventThread) -> Bool {
        guard events === self.events, let loan else { return false }
        do { try loan.daemon.bus.process() } catch {
            logger.debug("no preedit: \(error)")
            hide()
            return false
        }
        events.goOn()
        return true
    }

    /// Hides the words when nothing has come for ``lifetime``. There may be no event at the end of speech:
    /// the process that would send it may have died.
    private func expireLater() {
        lastShown = .now
        guard expiry == nil else { return }
        expiry = Task { [weak self] in
            while let left = await self?.timeLeft, left > .zero {
                guard (try? await pause(for: left)) != nil else { return }
            }
            await self?.hide()
        }
    }

    private var timeLeft: Duration { ContinuousClock.now.duration(to: lastShown + Self.lifetime) }
}
