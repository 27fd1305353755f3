import Dispatch
import Foundation
import Synchronization

/// A serial executor that is one thread of its own, so that an actor on it may call C libraries that block
/// (X11, ALSA, a decoder, a file lock) without starving Swift's cooperative threads, of which there are only as
/// many as cores.
///
/// ```swift
/// actor Decoder {
///     private let executor = ThreadExecutor(name: "decoder")
///     nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
/// }
/// ```
public final class ThreadExecutor: SerialExecutor {
    private let queue: JobQueue
    /// The same thread, for tasks: one that prefers it waits there for what wakes it. Any other task is resumed on a
    /// thread of the pool first, also in the methods of an actor on this executor, and goes on to this one from there.
    ///
    /// ```swift
    /// try await withTaskExecutorPreference(executor.tasks) { try await actor.follow(mailbox) }
    /// ```
    public let tasks: any TaskExecutor

    /// - Parameter name: shown by `top -H`; the kernel keeps 15 characters.
    public init(name: String) {
        let queue = JobQueue()
        self.queue = queue
        tasks = ThreadTasks(queue: queue)
        startThread(named: name) {
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

private final class ThreadTasks: TaskExecutor {
    private let queue: JobQueue

    init(queue: JobQueue) { self.queue = queue }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedTaskExecutor()
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
    private let available = DispatchSemaphore(value: 0)

    func add(_ job: @escaping @Sendable () -> Void) {
        state.withLock { $0.jobs.append(job) }
        available.signal()
    }

    func finish() {
        state.withLock { $0.isFinished = true }
        available.signal()
    }

    /// The next job; nil once finished and empty.
    func next() -> (@Sendable () -> Void)? {
        available.wait()
        return state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
    }
}
