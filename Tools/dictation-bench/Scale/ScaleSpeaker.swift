import DictationShared
import DictationSystem
import Synchronization

/// Repeats a client's commit on a separate thread, and records how long each one took: other writers
/// wait that long.
final class ScaleSpeaker: Sendable {
    private struct State {
        var milliseconds: [Double] = []
        var failure: (any Error)?
    }

    private let state = Mutex(State())
    private let isStopping = Atomic(false)
    private let ended: WakeUp

    /// Nanoseconds between two commits.
    private static let pause = 1_000_000
    private static let patience: Duration = .seconds(60)

    init(group: AppGroup) throws {
        let ended = try WakeUp()
        self.ended = ended
        let store = try StateStore(group: group)
        startThread(named: "scale-speaker") { [self] in
            defer { ended.signal() }
            do {
                while !isStopping.load(ordering: .relaxed) {
                    let begin = MonotonicTime.now()
                    // It is not carried out: its time is over when it arrives.
                    let intent = try store.submit(.record(.cancel), timeToLive: 0)
                    let elapsed = Double(MonotonicTime.now() - begin) / 1e6
                    try store.answer(intent.id, .refused("a measurement"))
                    state.withLock { $0.milliseconds.append(elapsed) }
                    MonotonicTime.pause(nanoseconds: Self.pause)
                }
            } catch {
                state.withLock { $0.failure = error }
            }
        }
    }

    /// - Returns: how long each commit took, in milliseconds.
    func stop() throws -> [Double] {
        isStopping.store(true, ordering: .relaxed)
        _ = try waitUntilReadable([ended.raw], until: .now + Self.patience)
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            return state.milliseconds
        }
    }
}
