import DictationSystem
import Foundation
import Testing

@Suite("A program as a shell finds it")
struct ExecutableTests {
    @Test("by its name or its path, if it may be run")
    func found() {
        #expect(Executable.find("sh")?.path.hasSuffix("/sh") == true)
        #expect(Executable.find("/bin/sh")?.path == "/bin/sh")
        #expect(Executable.find("/etc/passwd") == nil)
        #expect(Executable.find("no-such-program") == nil)
    }
}
