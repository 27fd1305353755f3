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
            queue.lodge(lodger.news)
            body(lodger)
            queue.lodge(nil)
        }
    }

    /// What lives on the thread of a ``ThreadExecutor``.
    public struct Lodger: Sendable {
        fileprivate let queue: JobQueue
        fileprivate let news: WakeUp

        /// Carries out the jobs that are there, and those that they bring.
        public func carryOutJobs() {
            while let job = queue.takeFirst() { job() }
        }

        /// Carries out the jobs that are there, then sleeps until one of the descriptors is readable; meanwhile every job
        /// that comes is carried out.
        ///
        /// - Returns: those that are readable, at least one.
        /// - Throws: ``SystemError``
        public func sleep(untilReadable descriptors: [Int32]) throws -> [Int32] {
            while true {
                while let job = queue.firstOrAsleep() { job() }
                let ready = try waitUntilReadable(descriptors + [news.raw])
                // What the thread gives itself to do from here on, it finds without being woken.
                queue.awake()
                if ready.last == news.raw { news.clear() }
                if let first = ready.first, first != news.raw { return ready.filter { $0 != news.raw } }
            }
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
        /// Signalled in place of the semaphore; awake, it looks for jobs by itself.
        var lodger: (news: WakeUp, isAsleep: Bool)?
    }
    private let state = Mutex(State())
    private let available = DispatchSemaphore(value: 0)

    func add(_ job: @escaping @Sendable () -> Void) { change { $0.jobs.append(job) } }

    func finish() { change { $0.isFinished = true } }

    private func change(_ body: (inout State) -> Void) {
        let lodger = state.withLock { state in
            body(&state)
            defer { state.lodger?.isAsleep = false }
            return state.lodger
        }
        if let lodger {
            if lodger.isAsleep { lodger.news.signal() }
        } else {
            available.signal()
        }
    }

    /// To be called on the thread itself. Jobs may be there already.
    func lodge(_ news: WakeUp?) {
        state.withLock { $0.lodger = news.map { ($0, isAsleep: false) } }
    }

    /// The next job for the lodger; nil where there is none: then the next one that comes wakes it.
    func firstOrAsleep() -> (@Sendable () -> Void)? {
        state.withLock { state in
            if !state.jobs.isEmpty { return state.jobs.removeFirst() }
            state.lodger?.isAsleep = true
            return nil
        }
    }

    func awake() { state.withLock { $0.lodger?.isAsleep = false } }

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
