import DictationSystem
import Foundation
import TestSupport
import Testing

@testable import HostAgent

@Suite("Agents that the setup starts")
struct DetachedAgentTests {
    @Test(
        "a log is the user's alone, also where one that everybody could read was there; a link is not followed"
    )
    func log() throws {
        let folder = try TemporaryFolder("log")
        let path = try folder.write("a title\n", to: "host-agent.log")
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        try DetachedAgent.beginLog(at: path).writeAll(Array("new\n".utf8))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "new\n")
        let link = folder.file("link.log")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        #expect(throws: (any Error).self) { try DetachedAgent.beginLog(at: link) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "new\n")
    }
}
