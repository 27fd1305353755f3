import DictationSystem
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DictationShared

@Suite("The writers' lock")
struct LockTests {
    @Test("none of eight writers starves", .timeLimit(.minutes(2)))
    func fair() async throws {
        let test = try TestGroup()
        let total = 20_000
        let left = Countdown(from: total)
        let stores = try (0..<8).map { _ in try test.store() }
        let begun = DispatchGroup()
        for _ in stores { begun.enter() }
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for store in stores {
                group.addTask {
                    try await OwnThread.run {
                        var count = 0
                        let begin = Result { try store.begin(target: nil, engine: "test", locale: "en-US") }
                        // A thread that starts late would find no turns left.
                        begun.leave()
                        begun.wait()
                        let state = try begin.get()
                        while left.next() {
                            try store.apply(.partial("\(count)"), to: state.id)
                            count += 1
                        }
                        return count
                    }
                }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(counts.reduce(0, +) == total)
        #expect(counts.allSatisfy { $0 > total / 8 / 10 }, "\(counts)")
    }

    @Test("a holder is found by its lock, a process that merely has the file open is not")
    func holder() async throws {
        let folder = try TemporaryFolder("lock")
        let path = folder.file("lock")
        let lock = try FileLock(path: path)
        #expect(LockHolder.all(of: path).isEmpty)
        try lock.lock()
        let holders = LockHolder.all(of: path)
        #expect(holders.map(\.pid) == [ProcessInfo.processInfo.processIdentifier])
        #expect(holders.allSatisfy { !$0.process.isStopped })
        lock.unlock()
        #expect(LockHolder.all(of: path).isEmpty)
    }

    @Test("one who takes the lock again and again lets those go first who wait", .timeLimit(.minutes(1)))
    func letsOthersGoFirst() async throws {
        let folder = try TemporaryFolder("lock")
        let path = folder.file("lock")
        let holder = try FileLock(path: path, waitingByte: 2)
        // No process waits.
        try holder.letOthersGoFirst()
        for _ in 0..<200 {
            try holder.lock()
            let waiter = try FileLock(path: path, waitingByte: 2)
            let order = Mutex<[String]>([])
            async let hasWaited: Void = OwnThread.run {
                try waiter.lock()
                order.withLock { $0.append("waiter") }
                waiter.unlock()
            }
            // It waits when its byte is shared.
            let probe = try FileLock(path: path, byte: 2)
            while try !probe.isHeldElsewhere() { await Task.yield() }
            holder.unlock()
            try holder.letOthersGoFirst()
            try holder.lock()
            order.withLock { $0.append("holder") }
            holder.unlock()
            try await hasWaited
            #expect(order.withLock { $0 } == ["waiter", "holder"])
        }
    }

    @Test(
        "a long wait is told once for each holder, and the lock comes all the same", .timeLimit(.minutes(1)))
    func longWait() async throws {
        let folder = try TemporaryFolder("lock")
        let path = folder.file("lock")
        let holder = try FileLock(path: path)
        try holder.lock()
        let (told, telling) = AsyncStream<LockWait>.makeStream()
        let waiter = try FileLock(path: path) { telling.yield($0) }
        async let locked: Void = OwnThread.run { try waiter.lock() }
        var waits = told.makeAsyncIterator()
        let wait = try #require(await waits.next())
        holder.unlock()
        try await locked
        telling.finish()
        #expect(await waits.next() == nil, "it is told once")
        #expect(wait.waited >= LockPatience.limit)
        #expect(wait.description.contains("process \(ProcessInfo.processInfo.processIdentifier)"))
    }
}

/// The turns of all threads together.
private final class Countdown: Sendable {
    private let left: Atomic<Int>
    init(from count: Int) { left = Atomic(count) }
    func next() -> Bool { left.subtract(1, ordering: .relaxed).newValue >= 0 }
}

/// Runs blocking work on a separate thread: Swift's cooperative threads are as few as the cores.
enum OwnThread {
    static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
        }
    }
}
