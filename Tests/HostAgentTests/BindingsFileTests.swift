import Desktop
import Foundation
import TestSupport
import Testing

@testable import DictationHost

@Suite("The compositor's configuration")
struct BindingsFileTests {
    @Test("a file that was saved since it was read is left as it is")
    func saved() throws {
        let home = try TemporaryFolder("bindings")
        try FileManager.default.createDirectory(
            atPath: home.file(".config/sway"), withIntermediateDirectories: true)
        let path = try home.write("bindsym a exec a\n", to: ".config/sway/config")
        let configuration = try #require(CompositorConfiguration(of: .sway, ["HOME": home.path]))
        #expect(configuration.file == path)
        let read = configuration.contents
        // An editor.
        let saved = "bindsym b exec b\n"
        try home.write(saved, to: ".config/sway/config")
        let file = BindingsFile(configuration)
        #expect(throws: BindingsFile.Failure.changed(path)) {
            try file.change(path, from: read, to: read + Array("include x\n".utf8))
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == saved)
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.file(".config/sway")) == ["config"])
        try file.change(path, from: Array(saved.utf8), to: Array("new\n".utf8))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "new\n")
        #expect(try String(contentsOfFile: path + ".before-voicedictation", encoding: .utf8) == saved)
    }
}
