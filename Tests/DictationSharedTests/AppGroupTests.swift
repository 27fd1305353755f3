import Foundation
import Testing

@testable import DictationShared

@Suite("The app group's folder")
struct AppGroupTests {
    private static func scratch() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "group-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        return folder
    }

    @Test("is made for the user alone")
    func made() throws {
        let test = try TestGroup()
        _ = try test.store()
        let files = try FileManager.default.subpathsOfDirectory(atPath: test.folder.path) + ["."]
        for file in files {
            let attributes = try FileManager.default.attributesOfItem(
                atPath: test.folder.appendingPathComponent(file).path)
            let mode = try #require(attributes[.posixPermissions] as? NSNumber).intValue
            #expect(mode & 0o077 == 0, "\(file) is \(String(mode, radix: 8))")
        }
    }

    @Test("is refused when others may look into it or write to it", arguments: [0o777, 0o770, 0o755, 0o710])
    func open(mode: Int) throws {
        let folder = try Self.scratch()
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.path)
        #expect(throws: AppGroup.Refusal.openToOthers(path: folder.path, mode: UInt32(mode))) {
            try AppGroup(folder: folder)
        }
    }

    @Test("is refused when it is a symbolic link, or a file")
    func link() throws {
        let folder = try Self.scratch()
        defer { try? FileManager.default.removeItem(at: folder) }
        let link = folder.appendingPathComponent("link")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder)
        #expect(throws: AppGroup.Refusal.symbolicLink(path: link.path)) { try AppGroup(folder: link) }
        let file = folder.appendingPathComponent("file")
        try Data().write(to: file)
        #expect(throws: AppGroup.Refusal.notAFolder(path: file.path)) { try AppGroup(folder: file) }
    }

    @Test("is where the environment says")
    func place() throws {
        #expect(try AppGroup.defaultFolder(environment: ["VOICEDICTATION_GROUP": "/x/y"]).path == "/x/y")
        #expect(
            try AppGroup.defaultFolder(environment: ["XDG_DATA_HOME": "/data"]).path
                == "/data/voicedictation/group.voicedictation")
        #expect(
            try AppGroup.defaultFolder(environment: ["XDG_DATA_HOME": "relative"]).path
                .hasSuffix("/.local/share/voicedictation/group.voicedictation"))
        #expect(throws: AppGroup.Refusal.relativePath("grp")) {
            try AppGroup.folder(named: "/x", environment: ["VOICEDICTATION_GROUP": "grp"])
        }
    }

    @Test("a role is held by one, and asking for its holder takes nothing")
    func roles() throws {
        let test = try TestGroup()
        #expect(try RoleLock.holder(of: .host, in: test.group) == nil)
        var lock: RoleLock? = try RoleLock(.host, in: test.group)
        #expect(lock != nil)
        let pid = ProcessInfo.processInfo.processIdentifier
        #expect(throws: RoleLock.Taken(role: .host, pid: pid)) { try RoleLock(.host, in: test.group) }
        #expect(try RoleLock.holder(of: .host, in: test.group)?.pid == pid)
        #expect(try RoleLock.holder(of: .inserter, in: test.group) == nil)
        lock = nil
        #expect(try RoleLock.holder(of: .host, in: test.group) == nil)
    }
}
