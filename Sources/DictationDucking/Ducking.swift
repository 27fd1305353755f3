import DictationSystem
import Logging
import Synchronization

/// Something of the desktop that makes a noise, and can be made quiet for a while. Belongs to one thread, and may block.
protocol Noise {
    /// Does not change what is quiet already.
    func duck() throws
    /// Undoes exactly what ``duck()`` did, also one of a process that was killed; does nothing if there is nothing
    /// to undo.
    func restore() throws
    /// Waits until `wakeUp` is signalled, or there is something new to duck.
    func wait(for wakeUp: WakeUp) throws
}

extension Noise {
    func wait(for wakeUp: WakeUp) throws { _ = try waitUntilReadable([wakeUp.raw]) }
}

/// Makes other programs quiet for the time of a recording, on a thread that sleeps in between.
///
/// Each change is noted in a file first: the next start undoes those that a killed process has left.
///
/// ```swift
/// let players = Ducking.mediaPlayers(journal: file)
/// players.setDucked(true)     // returns at once
/// players.setDucked(false)
/// await players.stop()       // all is as it was
/// ```
public final class Ducking: Sendable {
    private struct State {
        var isDuckingWanted = false
        var isStopped = false
    }
    private let state = Mutex(State())
    /// Nil only when the process has no descriptors left: then nothing is made quiet.
    private let wakeUp = try? WakeUp()
    /// Ends with the thread.
    private let life: AsyncStream<Never>

    /// - Parameters:
    ///   - thread: its name.
    ///   - noise: made on that thread.
    ///   - complaint: the failure in words, logged once, before its reason.
    init(
        thread: String, of noise: @escaping @Sendable () -> any Noise, complaint: String, logger: Logger
    ) {
        let (life, end) = AsyncStream.makeStream(of: Never.self)
        self.life = life
        guard let wakeUp else {
            end.finish()
            return
        }
        startThread(named: thread) { [weak self] in
            defer { end.finish() }
            let noise = noise()
            var hasComplained = false
            var failures = 0
            while true {
                guard let (isDuckingWanted, isStopped) = self?.wanted() else { return }
                do {
                    try isDuckingWanted ? noise.duck() : noise.restore()
                    failures = 0
                } catch {
                    if !hasComplained { logger.notice("\(complaint): \(error)") }
                    hasComplained = true
                    failures += 1
                }
                if isStopped { return }
                // No event says when a sound server answers again, and other programs must not stay quiet
                // until then.
                let delay =
                    isDuckingWanted || failures == 0
                    ? nil : RetryPolicy.savingWhatIsKept.delay(afterFailures: failures)
                guard (try? Self.wait(noise, for: wakeUp, atMost: delay)) != nil else { return }
                wakeUp.clear()
            }
        }
    }

    deinit { wakeUp?.signal() }

    private static func wait(_ noise: any Noise, for wakeUp: WakeUp, atMost limit: Duration?) throws {
        guard let limit else { return try noise.wait(for: wakeUp) }
        _ = try waitUntilReadable([wakeUp.raw], until: .now + limit)
    }

    public func setDucked(_ isDucked: Bool) {
        let isNew = state.withLock { state in
            defer { state.isDuckingWanted = isDucked }
            return state.isDuckingWanted != isDucked
        }
        if isNew { wakeUp?.signal() }
    }

    /// Returns when everything is restored.
    public func stop() async {
        state.withLock { $0 = State(isDuckingWanted: false, isStopped: true) }
        wakeUp?.signal()
        for await _ in life {}
    }

    private func wanted() -> (isDuckingWanted: Bool, isStopped: Bool) {
        state.withLock { ($0.isDuckingWanted, $0.isStopped) }
    }
}
