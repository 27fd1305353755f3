import Foundation
import Glibc
import Testing

@testable import DictationSystem

@Suite("What the kernel reports about a process")
struct ProcessStatTests {
    private static let rest = "1 7 7 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 4242 0 0"

    @Test(
        "the name may have blanks and parentheses",
        arguments: ["cat", "a b", "a) S 9 (", "((", ""])
    func name(name: String) throws {
        let stat = try #require(ProcessStat(line: "17 (\(name)) T \(Self.rest)\n"))
        #expect(stat.name == name && stat.state == "T" && stat.isStopped)
        #expect(stat.parent == 1 && stat.startTime == 4242)
    }

    @Test("a line that is none", arguments: ["", "17", "17 (cat", "17 (cat) T", ") 17 ( T \(rest)"])
    func none(line: String) { #expect(ProcessStat(line: line) == nil) }

    @Test("a process that is there, and one that is not")
    func process() throws {
        let own = try #require(ProcessStat(of: getpid()))
        #expect(own.parent == getppid() && !own.isStopped && own.startTime > 0)
        #expect(ProcessStat(of: -1) == nil)
    }
}
