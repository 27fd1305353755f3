import CLinux
import DictationSystem
import Foundation
import Synchronization

/// Reports that this process waits too long for a lock, and which processes hold it.
///
/// A lock that is free costs nothing here. A waiter sets a timer and, when it has the lock, stops it again; the
/// thread that sleeps on the timer wakes only if it runs out.
final class LockPatience: Sendable {
    /// A writer holds the lock for some tens of microseconds, and for as long as the disk takes if the commit
    /// waits for it. One that has it for two seconds is stopped, or its disk hangs.
    static let limit = Duration.seconds(2)
    /// While the wait continues: another process may hold it by then.
    private static let repetition = Duration.seconds(10)

    private struct State {
        var timer: Descriptor?
        var waitingSince: ContinuousClock.Instant?
        var told: LockWait?
    }
    private let path: String
    private let onLongWait: @Sendable (LockWait) -> Void
    private let state = Mutex(State())
    private let stopping = Mutex<WakeUp?>(nil)

    init(path: String, onLongWait: @escaping @Sendable (LockWait) -> Void) {
        self.path = path
        self.onLongWait = onLongWait
    }

    deinit { stopping.withLock { $0?.signal() } }

    func begin() throws {
        try state.withLock { state in
            if state.timer == nil { state.timer = try start() }
            state.waitingSince = .now
            state.told = nil
            if let timer = state.timer { Self.set(timer, first: Self.limit, then: Self.repetition) }
        }
    }

    func end() {
        state.withLock { state in
            state.waitingSince = nil
            if let timer = state.timer { Self.set(timer, first: .zero, then: .zero) }
        }
    }

    private func start() throws -> Descriptor {
        let timer = try Descriptor.opening("create a timer") {
            timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
        }
        let stop = try WakeUp()
        stopping.withLock { $0 = stop }
        startThread(named: "lock-patience") { [weak self] in
            while let ready = try? waitUntilReadable([timer.raw, stop.raw]), !ready.contains(stop.raw) {
                var count: UInt64 = 0
                _ = read(timer.raw, &count, MemoryLayout<UInt64>.size)
                self?.lookWhoHasIt()
            }
        }
        return timer
    }

    private func lookWhoHasIt() {
        guard let since = state.withLock({ $0.waitingSince }) else { return }
        let wait = LockWait(path: path, waited: since.duration(to: .now), holders: LockHolder.all(of: path))
        let isNews = state.withLock { state in
            // The lock may have come while we looked.
            guard state.waitingSince == since else { return false }
            if let told = state.told, told.holders == wait.holders, told.isHopeless || !wait.isHopeless {
                return false
            }
            state.told = wait
            return true
        }
        if isNews { onLongWait(wait) }
    }

    private static func set(_ timer: Descriptor, first: Duration, then repetition: Duration) {
        var specification = itimerspec()
        specification.it_value.tv_sec = Int(first.components.seconds)
        specification.it_interval.tv_sec = Int(repetition.components.seconds)
        // Without the timer there is no message; the lock is still waited for.
        _ = timerfd_settime(timer.raw, 0, &specification, nil)
    }
}

/// A process waits for a lock that others do not release.
public struct LockWait: Equatable, Sendable, CustomStringConvertible {
    public let path: String
    public let waited: Duration
    /// The processes that hold the lock; empty if this user may not see them.
    public let holders: [LockHolder]

    /// Whether a person should stop waiting. A disk that hangs, or the repair of a large store, takes a few seconds less. The wait
    /// is reported again then.
    public var isHopeless: Bool { waited >= .seconds(10) }

    public var description: String {
        let seconds = waited.components.seconds
        guard !holders.isEmpty else {
            return
                "\(path) has been locked for at least \(seconds) s by a process that cannot be seen from here "
                + "(another user's, or one in a container). See: lsof \(path.shellQuoted)"
        }
        return holders.map { holder in
            "\(path) has been locked for at least \(seconds) s by \(holder). \(holder.advice)"
        }.joined(separator: " ")
    }
}
