import DictationSystem
import Testing

@Suite("A broadcast")
struct BroadcastTests {
    @Test("every reader gets each value, and a new one the newest at once")
    func readers() async {
        let broadcast = Broadcast(newest: 1, keeping: 9)
        let first = broadcast.stream()
        broadcast.send(2)
        let second = broadcast.stream()
        broadcast.send(3)
        broadcast.finish()
        #expect(await first.reduce(into: []) { $0.append($1) } == [1, 2, 3])
        #expect(await second.reduce(into: []) { $0.append($1) } == [2, 3])
    }

    @Test("a reader that is late gets the newest values only, and of a plain one nothing that was before it")
    func late() async {
        let broadcast = Broadcast<Int>(keeping: 2)
        broadcast.send(0)
        let stream = broadcast.stream()
        for value in 1...5 { broadcast.send(value) }
        broadcast.finish()
        #expect(await stream.reduce(into: []) { $0.append($1) } == [4, 5])
    }

    @Test("a reader that stops is forgotten, and that is reported")
    func left() async {
        let broadcast = Broadcast<Int>()
        let (gone, goes) = AsyncStream.makeStream(of: Void.self)
        let stream = broadcast.stream { goes.finish() }
        #expect(broadcast.hasReaders)
        let reader = Task { for await _ in stream {} }
        reader.cancel()
        for await _ in gone {}
        #expect(!broadcast.hasReaders)
    }
}
