import Desktop
import DictationBus
import DictationSystem
import Foundation
import Logging

/// Inserts text through IBus, by an engine of our own that temporarily replaces the user's.
///
/// A text goes to the text field that has the focus in IBus. Applications that show the text around the caret confirm each
/// piece of it.
public struct IBusTyping: CommitTyping {
    private let windows: any WindowFocus
    private let hasPassedOn: @Sendable () -> Bool
    private let preedit: IBusPreedit?
    private let note: NoteFile<EngineNote>
    private let logger: Logger
    private let environment: [String: String]

    /// First restores the user's engine if a killed process has left ours in its place.
    ///
    /// - Parameters:
    ///   - windows: tells which window has the focus.
    ///   - hasPassedOn: whether everything between IBus and the application has handled all earlier input;
    ///     waits for it. GNOME Shell passes on what IBus gives to a native window.
    ///   - preedit: shows words by IBus in this process, and is hidden for a text.
    ///   - note: a file that only this program uses.
    ///   - environment: leads to the session's IBus daemon.
    public init(
        windows: any WindowFocus, hasPassedOn: @escaping @Sendable () -> Bool = { true },
        preedit: IBusPreedit? = nil, note: String, logger: Logger,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.windows = windows
        self.hasPassedOn = hasPassedOn
        self.preedit = preedit
        self.note = NoteFile(path: note)
        self.logger = logger
        self.environment = environment
        EngineLoan.giveBackLeftOver(by: self.note, environment, logger: logger)
    }

    /// A description of IBus in this session: the engine of the user if a daemon answers. Meant for people.
    public static func survey() -> String? {
        guard let daemon = try? IBusDaemon(ProcessInfo.processInfo.environment) else { return nil }
        let engine = (try? daemon.globalEngine()) ?? nil
        return engine.map { "the daemon answers; its engine is \($0)" } ?? "the daemon answers"
    }

    nonisolated(nonsending) public func commit(
        _ text: String, into window: WindowInfo, options: TypingOptions,
        confirmation: CommitConfirmation, progress: (TypingProgress) throws -> Void
    ) async throws -> CommitOutcome {
        guard let pieces = CommitPiece.pieces(of: text, options: options) else {
            return .notPossible(.needsKeys)
        }
        await preedit?.beginCommit()
        let outcome: Result<CommitOutcome, any Error>
        do { outcome = .success(try await commit(pieces, into: window, confirmation, progress)) } catch {
            outcome = .failure(error)
        }
        await preedit?.endCommit()
        return try outcome.get()
    }

    nonisolated(nonsending) private func commit(
        _ pieces: [CommitPiece], into window: WindowInfo, _ confirmation: CommitConfirmation,
        _ progress: (TypingProgress) throws -> Void
    ) async throws -> CommitOutcome {
        let loan: EngineLoan
        let context: String
        do {
            guard let daemon = try? IBusDaemon(environment) else { return .notPossible(.notRunning) }
            guard let focused = try daemon.focusedContext(), focused != IBusDaemon.fakeContext else {
                return .ended(.stopped(0, reason: .noInputContext))
            }
            context = focused
            loan = try EngineLoan(daemon, note: note, environment, logger: logger)
        } catch {
            return .notPossible(.refused("\(error)"))
        }
        defer { loan.giveBack() }
        let run = CommitRun(
            loan: loan, context: context, window: window, windows: windows, hasPassedOn: hasPassedOn)
        do {
            switch confirmation {
            case .needed:
                // IBus 1.5.27 passes a text on to programs of XIM later than it says, and sometimes ends
                // before that: in 3 of 6 runs xterm lost the rest. They cannot show what they have.
                guard loan.engine.state.tellsSurroundings else { return .notPossible(.unconfirmed) }
                return try await run.insertConfirmed(pieces, progress)
            case .notNeeded: return try await run.handOver(pieces, progress)
            }
        } catch let error as BusError {
            logger.warning("IBus went away while it inserted a text: \(error)")
            return .unsure
        }
    }
}
