import Desktop
import DictationBus
import DictationSystem
import Foundation
import Logging

/// Inserts text through IBus, by an engine of our own that takes the place of the user's meanwhile.
///
/// A text goes to the text field that has the focus in IBus. Applications that show the text around the caret confirm each
/// piece of it.
public struct IBusTyping: CommitTyping {
    private let windows: any WindowFocus
    private let preedit: IBusPreedit?
    private let note: EngineNote
    private let logger: Logger
    private let environment: [String: String]

    /// How long an application may take to show a piece.
    private static let confirmationLimit: Duration = .seconds(5)
    /// How long a field may be without the focus. GTK 3 was seen to take it away and give it back within 1 ms when a text had
    /// filled the window.
    private static let returnLimit: Duration = .milliseconds(500)

    /// Gives back first what a killed process has left in the place of the user's engine.
    ///
    /// - Parameters:
    ///   - windows: tells which window has the focus.
    ///   - preedit: shows words by IBus in this process, and makes way for a text.
    ///   - note: a file of this program's own.
    ///   - environment: leads to the session's IBus daemon.
    public init(
        windows: any WindowFocus, preedit: IBusPreedit? = nil, note: String, logger: Logger,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) {
        self.windows = windows
        self.preedit = preedit
        self.note = EngineNote(path: note)
        self.logger = logger
        self.environment = environment
        EngineLoan.giveBackLeftOver(by: self.note, environment, logger: logger)
    }

    /// A description of IBus in this session: the engine of the user where a daemon answers. For a person.
    public static func survey() -> String? {
        guard let daemon = try? IBusDaemon(ProcessInfo.processInfo.environment) else { return nil }
        let engine = (try? daemon.globalEngine()) ?? nil
        return engine.map { "the daemon answers; its engine is \($0)" } ?? "the daemon answers"
    }

    nonisolated(nonsending) public func commit(
        _ text: String, into window: WindowInfo, options: TypingOptions,
        progress: (TypingProgress) throws -> Void
    ) async throws -> CommitOutcome {
        guard let pieces = CommitPiece.pieces(of: text, options: options) else {
            return .notPossible(.needsKeys)
        }
        await preedit?.beginCommit()
        let outcome: Result<CommitOutcome, any Error>
        do { outcome = .success(try await commit(pieces, into: window, progress)) } catch {
            outcome = .failure(error)
        }
        await preedit?.endCommit()
        return try outcome.get()
    }

    nonisolated(nonsending) private func commit(
        _ pieces: [CommitPiece], into window: WindowInfo, _ progress: (TypingProgress) throws -> Void
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
        // IBus 1.5.27 passes a text on to programs of XIM later than it says, and was seen to end meanwhile: in 3 of 6 runs xterm
        // lost the rest. They cannot show what they have.
        guard loan.engine.state.tellsSurroundings else { return .notPossible(.unconfirmed) }
        return try await insert(pieces, into: window, context: context, by: loan, progress)
    }

    nonisolated(nonsending) private func insert(
        _ pieces: [CommitPiece], into window: WindowInfo, context: String, by loan: EngineLoan,
        _ progress: (TypingProgress) throws -> Void
    ) async throws -> CommitOutcome {
        var count = 0
        var isConfirmed = true
        do {
            if loan.engine.state.tellsSurroundings { try loan.engine.requireSurroundings() }
            for piece in pieces {
                let focused = try await windows.focusedWindow()
                if focused?.id != window.id {
                    return .ended(
                        .stopped(count, reason: focused.map { .focusMoved(to: $0) } ?? .noFocus))
                }
                guard try has(loan, context) else {
                    return .ended(.stopped(count, reason: .focusMoved(to: nil)))
                }
                switch try commit(piece, by: loan, context) {
                case .confirmed: break
                case .passedOn: isConfirmed = false
                case .moved:
                    return .ended(.stopped(count, reason: .focusMoved(to: nil)))
                case .silent:
                    return .ended(.stopped(count, reason: .notResponding))
                case .different: return .unsure
                }
                count = piece.end
                try progress(
                    TypingProgress(
                        sent: count, read: count, route: InsertionRoute(.ibus, isConfirmed: isConfirmed)))
            }
        } catch let error as BusError {
            logger.warning("IBus went away while it inserted a text: \(error)")
            return .unsure
        }
        return .ended(.typed(count))
    }

    private enum PieceOutcome {
        case confirmed
        /// IBus has given it to the field, which tells nothing.
        case passedOn
        /// The field has lost the focus meanwhile.
        case moved
        /// The application has not reacted at all.
        case silent
        /// It shows another text.
        case different
    }

    private func commit(
        _ piece: CommitPiece, by loan: EngineLoan, _ context: String
    ) throws(BusError) -> PieceOutcome {
        let engine = loan.engine
        let isShown = engine.state.tellsSurroundings && engine.state.readBack.wouldShow(piece.text)
        let losses = engine.state.losses
        engine.state.readBack.expect(piece.text)
        try engine.commit(piece.text)
        if isShown {
            try loan.daemon.bus.process(until: .now + Self.confirmationLimit) {
                let state = engine.state
                return !state.readBack.isConfirmed && state.losses == losses && state.tellsSurroundings
            }
            if engine.state.readBack.isConfirmed { return .confirmed }
            if engine.state.losses == losses, engine.state.tellsSurroundings {
                return engine.state.readBack.hasNews ? .different : .silent
            }
        }
        // The answer comes behind the text. A piece that was on its way when the field lost the focus may be lost.
        guard try has(loan, context) else { return .moved }
        if engine.state.losses == losses { return .passedOn }
        return engine.state.readBack.isConfirmed ? .confirmed : .moved
    }

    /// Whether text goes to the field that had the focus at the beginning, or has it again.
    private func has(_ loan: EngineLoan, _ context: String) throws(BusError) -> Bool {
        let bus = loan.daemon.bus
        try bus.process(until: .now + Self.returnLimit) { !loan.engine.state.hasField }
        let focused = try loan.daemon.focusedContext()
        try bus.process()
        return focused == context && loan.engine.state.hasField
    }
}
