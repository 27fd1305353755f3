import DictationSystem
import Foundation
import Testing

@Suite("Thread executor")
struct ThreadExecutorTests {
    private actor Counter {
        nonisolated let executor = ThreadExecutor(name: "counter")
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        private(set) var value = 0
        private(set) var threads: Set<ObjectIdentifier> = []

        func add() {
            value += 1
            threads.insert(ObjectIdentifier(Thread.current))
        }
    }

    @Test("runs every job, one at a time, on one thread")
    func serial() async {
        let counter = Counter()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<1_000 { group.addTask { await counter.add() } }
        }
        #expect(await counter.value == 1_000)
        #expect(await counter.threads.count == 1)
    }

    @Test("what lodges on the thread hears its own news there, and the jobs go on beside it and after it")
    func lodger() async throws {
        let counter = Counter()
        let own = try WakeUp()
        let heard = AsyncStream<ObjectIdentifier>.makeStream()
        try counter.executor.lodge { lodger in
            for _ in 0..<2 {
                guard (try? lodger.sleep(untilReadable: [own.raw])) == [own.raw] else { break }
                own.clear()
                heard.continuation.yield(ObjectIdentifier(Thread.current))
            }
            heard.continuation.finish()
        }
        var visits = heard.stream.makeAsyncIterator()
        await counter.add()
        own.signal()
        var threads = [await visits.next()]
        await counter.add()
        own.signal()
        threads.append(await visits.next())
        #expect(await visits.next() == nil)
        await counter.add()
        #expect(await counter.value == 3)
        let ofJobs = await counter.threads
        #expect(ofJobs.count == 1 && threads.allSatisfy { $0 == ofJobs.first })
    }

    @Test("a wake-up given before the sleeper looks is not lost")
    func wakeUp() throws {
        let wakeUp = try WakeUp()
        #expect(try waitUntilReadable([wakeUp.raw], timeout: 0) == [])
        wakeUp.signal()
        wakeUp.signal()
        #expect(try waitUntilReadable([wakeUp.raw], timeout: 0) == [wakeUp.raw])
        wakeUp.clear()
        #expect(try waitUntilReadable([wakeUp.raw], timeout: 0) == [])
    }
}
