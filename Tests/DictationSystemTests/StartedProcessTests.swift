import DictationSystem
import Foundation
import Testing

@Suite("Programs that are started", .timeLimit(.minutes(1)))
struct StartedProcessTests {
    private func run(
        _ script: String, errors: StartedProcess.Stream = .inherited,
        leading independence: StartedProcess.Independence = .group
    ) throws -> (id: Int32, output: [Substring], end: StartedProcess.End) {
        let file = try Descriptor.memoryFile(holding: "")
        let process = try StartedProcess(
            "sh", ["-c", script], output: .descriptor(file), errors: errors, leading: independence)
        let end = process.reap()
        let bytes = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/fd/\(file.raw)")).readToEnd()
        return (process.id, String(decoding: bytes ?? Data(), as: UTF8.self).split(separator: "\n"), end)
    }

    @Test(
        "their end is reported",
        arguments: [("exit 0", .exited(0)), ("exit 3", .exited(3)), ("kill -TERM $$", .killed(signal: 15))]
            as [(String, StartedProcess.End)])
    func ends(_ script: String, _ end: StartedProcess.End) throws {
        #expect(try run(script).end == end)
    }

    @Test("one that is not there", arguments: ["no-such-program", "/no/such/program"])
    func missing(_ name: String) {
        #expect(throws: SystemError("start \(name)", code: ENOENT)) { try StartedProcess(name) }
    }

    @Test("it gets no descriptor besides its standard streams, and an input that ends at once")
    func descriptors() throws {
        let file = try Descriptor.memoryFile(holding: "secret")
        // As a library opens one.
        _ = fcntl(file.raw, F_SETFD, 0)
        let found = try run(
            "cat; test -e /proc/$$/fd/\(file.raw) || echo none; echo words >&2", errors: .nothing)
        #expect(found.output == ["none"])
    }

    @Test("signals have their usual effect, independent of this process's handlers")
    func signals() throws {
        let former = signal(SIGUSR2, SIG_IGN)
        defer { signal(SIGUSR2, former) }
        #expect(try run("kill -USR2 $$").end == .killed(signal: SIGUSR2))
    }

    @Test("it leads its own group or session")
    func independence() throws {
        // The fields of proc_pid_stat(5) after the parent: the group and the session.
        let script = #"read -r _ _ _ _ group session _ < /proc/$$/stat; echo "$group"; echo "$session""#
        let group = try run(script)
        #expect(group.output == ["\(group.id)", "\(getsid(0))"])
        let session = try run(script, leading: .session)
        #expect(session.output == ["\(session.id)", "\(session.id)"])
    }

    @Test("a signal reaches the group of one that has ended, until it is reaped")
    func group() throws {
        let file = try Descriptor.memoryFile(holding: "")
        let process = try StartedProcess("sh", ["-c", "sleep 300 & echo $!"], output: .descriptor(file))
        process.waitUntilEnded()
        var digits = [UInt8](repeating: 0, count: 16)
        let count = pread(file.raw, &digits, digits.count, 0)
        let sleeper = try #require(Int32(String(decoding: digits[..<max(0, count - 1)], as: UTF8.self)))
        let end = try ProcessEnd(of: sleeper)
        process.signalGroup(SIGKILL)
        #expect(try waitUntilReadable([end.raw], timeout: 30_000) == [end.raw])
        #expect(process.reap() == .exited(0))
        // The kernel may have given the id to another process by now.
        process.signalGroup(SIGKILL)
    }
}
