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

    /// Has `body` stay on this thread, to wait there for what is no job, such as a file: what it hears of is then known
    /// where it is wanted, without a change of threads. Jobs are carried out while it waits, as the lodger is told.
    ///
    /// - Throws: ``SystemError``
    public func lodge(_ body: @escaping @Sendable (Lodger) -> Void) throws {
        let lodger = Lodger(queue: queue, news: try WakeUp())
        queue.add { [queue] in
            queue.wake(lodger.news)
            body(lodger)
            queue.wake(nil)
        }
    }

    /// What lives on the thread of a ``ThreadExecutor``.
    public struct Lodger: Sendable {
        fileprivate let queue: JobQueue
        fileprivate let news: WakeUp

        /// Readable when there are jobs: to be waited for beside all else.
        public var raw: Int32 { news.raw }

        /// Carries out the jobs that are there.
        public func letWork() {
            news.clear()
            while let job = queue.takeFirst() { job() }
        }
    }

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
        /// Signalled in place of the semaphore.
        var lodger: WakeUp?
    }
    private let state = Mutex(State())
    private let available = DispatchSemaphore(value: 0)

    func add(_ job: @escaping @Sendable () -> Void) { change { $0.jobs.append(job) } }

    func finish() { change { $0.isFinished = true } }

    private func change(_ body: (inout State) -> Void) {
        let lodger = state.withLock { state in
            body(&state)
            return state.lodger
        }
        if let lodger { lodger.signal() } else { available.signal() }
    }

    /// From now on this one is signalled; to be called on the thread itself. Jobs may be there already.
    func wake(_ lodger: WakeUp?) {
        state.withLock { $0.lodger = lodger }
        lodger?.signal()
    }

    func takeFirst() -> (@Sendable () -> Void)? {
        state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
    }

    /// The next job; nil once finished and empty.
    func next() -> (@Sendable () -> Void)? {
        while true {
            if let job = takeFirst() { return job }
            if state.withLock({ $0.isFinished }) { return nil }
            available.wait()
        }
    }
}
