import DictationBus
import DictationSystem
import Glibc
import Logging
import TestSupport
import Testing

@testable import DesktopIBus

/// Through a real IBus.
@Suite("The engine of the user", .serialized, .timeLimit(.minutes(5)))
struct EngineLoanTests {
    /// A desk on which another process has replaced the user's engine by ours.
    private struct Scene {
        let desk: IBusTypingTests.Desk
        let loan: EngineLoan
        private let note: NoteFile<EngineNote>
        private static let logger = Logger(label: "test")

        init() async throws {
            desk = try await IBusTypingTests.Desk.start()
            try await desk.inputMethod.choose("xkb:us:intl:eng")
            note = NoteFile(path: desk.folder.file("note"))
            let environment = desk.inputMethod.environment
            loan = try EngineLoan(
                IBusDaemon(environment), note: note, environment, logger: Self.logger)
        }

        /// Begins what the next process does at its start.
        func giveBack() -> Task<Void, Never> {
            let (note, environment) = (note, desk.inputMethod.environment)
            return Task {
                await withCheckedContinuation { continuation in
                    startThread(named: "give-back") {
                        EngineLoan.giveBackLeftOver(by: note, environment, logger: Self.logger)
                        continuation.resume()
                    }
                }
            }
        }

        /// As a kill does.
        func endLoan() { loan.daemon.bus.close() }
    }

    @Test("comes back when IBus notices the end of a killed process while the next one starts")
    func lateEnd() async throws {
        let scene = try await Scene()
        let back = scene.giveBack()
        // The end comes at some instant of the next one's work.
        try await Task.sleep(for: .milliseconds(300))
        scene.endLoan()
        await back.value
        #expect(try await scene.desk.inputMethod.engine() == "xkb:us:intl:eng" && !scene.desk.hasNote)
        await scene.desk.end()
    }

    @Test("an IBus that hangs is abandoned in time")
    func hanging() async throws {
        let desk = try await IBusTypingTests.Desk.start()
        desk.inputMethod.signal(SIGSTOP)
        #expect(throws: BusError.self) { try IBusDaemon(desk.inputMethod.environment) }
        desk.inputMethod.signal(SIGCONT)
        await desk.end()
    }
}
