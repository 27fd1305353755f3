import DictationSystem
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Unix addresses")
struct UnixAddressTests {
    /// Each kind of name, as it may be written.
    private func name(isAbstract: Bool, in folder: TemporaryFolder) -> String {
        isAbstract ? "@voicedictation-test-\(UUID().uuidString)" : folder.file("socket")
    }

    @Test("what is sent arrives at a path and at an abstract name", arguments: [false, true])
    func datagram(isAbstract: Bool) throws {
        let folder = try TemporaryFolder("socket")
        let address = UnixAddress(name(isAbstract: isAbstract, in: folder))
        let receiver = try address.bind(.datagram)
        let sender = try address.connect(.datagram)
        try sender.writeAll(Array("ready".utf8))
        var buffer = [UInt8](repeating: 0, count: 16)
        let count = try retryingInterrupted("receive") { recv(receiver.raw, &buffer, buffer.count, 0) }
        #expect(String(decoding: buffer.prefix(count), as: UTF8.self) == "ready")
        // An abstract name leaves no file.
        let entries = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(entries == (isAbstract ? [] : ["socket"]))
    }

    @Test("connections for streams are accepted")
    func stream() throws {
        let folder = try TemporaryFolder("socket")
        let address = UnixAddress(folder.file("socket"))
        let listener = try address.bind(.stream)
        #expect(throws: SystemError("connect to \(address)", code: ECONNREFUSED)) {
            try address.connect(.stream)
        }
        try retryingInterrupted("listen") { listen(listener.raw, 1) }
        _ = try address.connect(.stream)
    }

    @Test("a name that is too long has its own error, the longest one is not")
    func length() throws {
        let longest = "@" + UUID().uuidString.padding(toLength: 106, withPad: "x", startingAt: 0)
        _ = try UnixAddress(longest).bind(.datagram)
        let address = UnixAddress(longest + "x")
        #expect(throws: SystemError("bind \(address)", code: ENAMETOOLONG)) { try address.bind(.datagram) }
        #expect(throws: SystemError("connect to \(address)", code: ENAMETOOLONG)) {
            try address.connect(.stream)
        }
    }
}
