import Dispatch
import Foundation
import Synchronization

/// A serial executor with its own thread, so that an actor on it may call C libraries that block
/// (X11, ALSA, a decoder, a file lock) without starving Swift's cooperative threads: there are only as
/// many as cores.
///
/// ```swift
/// actor Decoder {
///     private let executor = ThreadExecutor(name: "decoder")
///     nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
/// }
/// ```
public final class ThreadExecutor: SerialExecutor {
    private let queue = JobQueue()

    /// - Parameter name: shown by `top -H`; the kernel keeps 15 characters.
    public init(name: String) {
        startThread(named: name) { [queue] in
            while let job = queue.next() { job() }
        }
    }

    deinit { queue.finish() }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.add { job.runSynchronously(on: executor) }
    }
}

/// Jobs in order of arrival; the thread sleeps in the kernel while there are none.
private final class JobQueue: Sendable {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var isFinished = false
    }
    private let state = Mutex(State())
    /// Signaled once for each job, and for the end.
    private let available = DispatchSemaphore(value: 0)

    func add(_ job: @escaping @Sendable () -> Void) {
        state.withLock { $0.jobs.append(job) }
        available.signal()
    }

    func finish() {
        state.withLock { $0.isFinished = true }
        available.signal()
    }

    /// Waits for the next job; nil once finished and empty.
    func next() -> (@Sendable () -> Void)? {
        while true {
            available.wait()
            let (job, isFinished) = state.withLock { state in
                (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.isFinished)
            }
            if let job { return job }
            if isFinished { return nil }
        }
    }
}
