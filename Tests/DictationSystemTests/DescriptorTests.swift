import DictationSystem
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Descriptors")
struct DescriptorTests {
    @Test("a wait with a deadline ends when it has passed, not before")
    func deadline() throws {
        let wakeUp = try WakeUp()
        let deadline = ContinuousClock.now + .microseconds(1_500)
        #expect(try waitUntilReadable([wakeUp.raw], until: deadline) == [])
        #expect(deadline <= .now)
    }

    @Test("a deadline that has passed only looks")
    func passed() throws {
        let wakeUp = try WakeUp()
        let past = ContinuousClock.now - .seconds(1)
        #expect(try waitUntilReadable([wakeUp.raw], until: past) == [])
        wakeUp.signal()
        #expect(try waitUntilReadable([wakeUp.raw], until: past) == [wakeUp.raw])
    }

    @Test("no deadline, or one further than poll(2) counts, waits for what comes")
    func far() throws {
        let years = Duration.seconds(3_000_000_000)
        for limit in [nil, years] {
            let wakeUp = try WakeUp()
            Thread.detachNewThread { wakeUp.signal() }
            let ready = try waitUntilReadable([wakeUp.raw], until: limit.map { .now + $0 })
            #expect(ready == [wakeUp.raw])
        }
    }

    @Test("a lock is with one at a time, until it is given back or its descriptor ends")
    func lock() throws {
        let folder = try TemporaryFolder("lock")
        let path = try folder.write("", to: "file")
        func opened() throws -> Descriptor { try .opening("open") { open(path, O_RDONLY | O_CLOEXEC) } }
        let first = try opened()
        #expect(first.tryLock())
        #expect(try !opened().tryLock())
        first.unlock()
        do {
            let second = try opened()
            #expect(second.tryLock())
        }
        // It has ended with its descriptor.
        try first.lock("lock")
    }
}
