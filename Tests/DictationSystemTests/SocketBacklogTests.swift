import DictationSystem
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("The backlog of a socket's clients")
struct SocketBacklogTests {
    @Test("is counted for each connection, until it is read")
    func counted() throws {
        let folder = try TemporaryFolder("backlog")
        let path = folder.file("socket")
        let listening = try ListeningSocket(at: path)
        let (reader, first) = try listening.connection()
        let (silent, second) = try listening.connection()
        for server in [first, second] { try server.writeAll([UInt8](repeating: 0, count: 10_000)) }
        let before = try #require(SocketBacklog.unread(of: path))
        #expect(before.count == 2 && before.values.allSatisfy { $0 >= 10_000 })
        var bytes = [UInt8](repeating: 0, count: 10_000)
        #expect(recv(reader.raw, &bytes, bytes.count, Int32(MSG_WAITALL)) == 10_000)
        let after = try #require(SocketBacklog.unread(of: path))
        #expect(after.values.filter { $0 == 0 }.count == 1)
        #expect(after.values.filter { $0 >= 10_000 }.count == 1)
        withExtendedLifetime(silent) {}
    }

    @Test("nothing is known if no connection was made to that path")
    func unknown() { #expect(SocketBacklog.unread(of: "/nonexistent/socket") == nil) }
}
