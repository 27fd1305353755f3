import DictationSystem
import Foundation
import Glibc
import Synchronization

/// A thread that owns clipboards until another program does, and serves their contents. It has its own
/// connection: a program that pastes must not wait until a typist has time.
final class ClipboardThread: Sendable {
    /// Nil if the connection is lost.
    private typealias Job = @Sendable (ClipboardDesk?) -> Void
    private struct State {
        var jobs: [Job] = []
        var isOver = false
    }
    private let state = Mutex(State())
    private let wakeUp: WakeUp

    /// - Throws: ``SystemError``
    init(socket: String, journal: ClipboardJournal) throws {
        wakeUp = try WakeUp()
        startThread(named: "clipboard") { [weak self, wakeUp] in
            // A program that stops reading must not end this process.
            var signals = sigset_t()
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            if let desk = try? ClipboardDesk(socket: socket, journal: journal) {
                while let jobs = self.flatMap({ $0.takeJobs() }) {
                    for job in jobs { job(desk) }
                    guard (try? desk.serve(until: wakeUp)) != nil else { break }
                }
            }
            self?.end()
        }
    }

    deinit {
        state.withLock { $0.isOver = true }
        wakeUp.signal()
    }

    /// Runs `body` on the thread, and returns when it is done.
    ///
    /// - Throws: ``WaylandError/lost`` if the compositor cannot be reached any more, or what `body` throws.
    func run<Result: Sendable>(_ body: @escaping @Sendable (ClipboardDesk) throws -> Result) throws -> Result
    {
        let done = DispatchSemaphore(value: 0)
        let result = Mutex<Swift.Result<Result, any Error>>(.failure(WaylandError.lost))
        start(body) { outcome in
            result.withLock { $0 = outcome }
            done.signal()
        }
        done.wait()
        return try result.withLock { try $0.get() }
    }

    /// Runs `body` on the thread.
    ///
    /// - Parameter whenDone: called on any thread, with ``WaylandError/lost`` if the compositor cannot be
    ///   reached any more.
    func start<Result: Sendable>(
        _ body: @escaping @Sendable (ClipboardDesk) throws -> Result,
        whenDone: @escaping @Sendable (Swift.Result<Result, any Error>) -> Void
    ) {
        let job: Job = { desk in
            whenDone(Swift.Result { if let desk { try body(desk) } else { throw WaylandError.lost } })
        }
        let isOver = state.withLock { state in
            if !state.isOver { state.jobs.append(job) }
            return state.isOver
        }
        if isOver { job(nil) } else { wakeUp.signal() }
    }

    /// - Returns: nil when it is over.
    private func takeJobs() -> [Job]? {
        state.withLock { state in
            defer { state.jobs = [] }
            return state.isOver ? nil : state.jobs
        }
    }

    private func end() {
        let jobs = state.withLock { state in
            defer { state.jobs = [] }
            state.isOver = true
            return state.jobs
        }
        for job in jobs { job(nil) }
    }
}
