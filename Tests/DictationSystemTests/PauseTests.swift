import DictationSystem
import Testing

@Suite("A pause", .timeLimit(.minutes(1)))
struct PauseTests {
    @Test("lasts as long as it should, or until the task is canceled")
    func lasts() async throws {
        let began = ContinuousClock.now
        try await pause(for: .milliseconds(50))
        #expect(began.duration(to: .now) >= .milliseconds(50))
        try await pause(for: .zero)
        let task = Task { try await pause(for: .seconds(100_000_000)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
