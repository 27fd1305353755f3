import Desktop
import DictationBus
import DictationSystem
import Logging

/// Our engine in the place of the user's, until ``giveBack()``. Belongs to one thread.
final class EngineLoan {
    let daemon: IBusDaemon
    let engine: CommittingEngine
    private let note: NoteFile<EngineNote>
    private let environment: [String: String]
    private let logger: Logger

    /// - Throws: ``BusError``, or the error of writing the note. Then the user's engine is unchanged.
    init(
        _ daemon: IBusDaemon, note: NoteFile<EngineNote>, _ environment: [String: String], logger: Logger
    ) throws {
        self.daemon = daemon
        self.environment = environment
        self.note = note
        self.logger = logger
        if let users = try daemon.globalEngine(), users != CommittingEngine.name {
            // The next session has another daemon, so the text does not wait for the disk.
            try note.write(EngineNote(engine: users, address: daemon.address), isSynced: false)
        }
        do {
            engine = try CommittingEngine(daemon)
            try daemon.setGlobalEngine(CommittingEngine.name)
        } catch {
            // It may have been carried out all the same.
            Self.giveBack(by: note, environment, from: daemon, logger: logger)
            throw error
        }
    }

    /// Gives the user's engine back, or the one that the user has chosen since. If there was none, there is
    /// none again. Ends the connection.
    func giveBack() { Self.giveBack(by: note, environment, from: daemon, logger: logger) }

    /// Gives back the engine that a killed process has left noted.
    static func giveBackLeftOver(
        by note: NoteFile<EngineNote>, _ environment: [String: String], logger: Logger
    ) {
        guard note.content != nil else { return }
        giveBack(by: note, environment, from: nil, logger: logger)
    }

    /// - Parameter former: the connection that has our engine.
    private static func giveBack(
        by note: NoteFile<EngineNote>, _ environment: [String: String], from former: IBusDaemon?,
        logger: Logger
    ) {
        let content = note.content
        // Without a daemon nothing can be restored; a new daemon does not know our engine.
        guard let daemon = try? IBusDaemon(environment) else { return }
        do {
            let noted = content.flatMap { $0.address == daemon.address ? $0.engine : nil }
            let current = try daemon.globalEngine()
            let users = current == CommittingEngine.name ? noted : current ?? noted
            // When IBus forgets any engine, it has none at all afterward (1.5.27). So it forgets ours first; that of a killed
            // process may still be known.
            former?.bus.close()
            try daemon.awaitForgetting()
            if let users, try daemon.globalEngine() != users { try daemon.setGlobalEngine(users) }
            note.clear()
        } catch {
            guard let content else { return }
            logger.warning(
                "IBus did not take back its engine \(content.engine): \(error). Choose it in IBus, or restart insert-agent."
            )
        }
    }
}
