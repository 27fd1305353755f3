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
