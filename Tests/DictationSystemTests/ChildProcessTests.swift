import DictationSystem
import Foundation
import TestSupport
import Testing

@Suite("Programs that are run for their answer", .timeLimit(.minutes(1)))
struct ChildProcessTests {
    private func shell(_ script: String, limit: Duration) async throws -> String {
        let child = ChildProcess(
            program: "sh", arguments: ["-c", script], limit: limit, input: "words")
        return String(decoding: try await child.run(), as: UTF8.self)
    }

    @Test("a program whose file was replaced while it runs is the new file")
    func replaced() throws {
        let folder = try TemporaryFolder("replaced")
        func program(afterLinkTo target: String) throws -> String {
            let link = folder.file("exe")
            try? FileManager.default.removeItem(atPath: link)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
            return ChildProcess.program(at: link).path
        }
        let agent = try folder.write("", to: "agent")
        #expect(try program(afterLinkTo: agent) == agent)
        #expect(try program(afterLinkTo: agent + " (deleted)") == agent)
        let odd = try folder.write("", to: "odd (deleted)")
        #expect(try program(afterLinkTo: odd) == odd)
    }

    @Test("a name is looked up in PATH, and one that is not there cannot be started")
    func missing() async {
        let child = ChildProcess(program: "no-such-program", arguments: [], limit: .seconds(30))
        await #expect(throws: ChildProcess.Failure.notStarted(reason: "No such file or directory")) {
            try await child.run()
        }
    }

    @Test("one that never stops writing is killed when its time is over")
    func endlessOutput() async {
        await #expect(throws: ChildProcess.Failure.hung(limit: .milliseconds(200))) {
            try await shell("while :; do echo words; done", limit: .milliseconds(200))
        }
    }

    @Test("one that writes more than it may is killed at once")
    func tooMuchOutput() async {
        let child = ChildProcess(
            program: "yes", arguments: [], limit: .seconds(600), outputLimit: 1 << 20, input: "")
        await #expect(throws: ChildProcess.Failure.wroteTooMuch(limit: 1 << 20)) { try await child.run() }
    }

    @Test("each line comes as it is, however it was written, and what is no line is part of the answer only")
    func lines() async throws {
        let long = String(repeating: "a", count: 200_000)
        let child = ChildProcess(
            program: "sh", arguments: ["-c", "printf 'one\n\n'; cat; printf '\nrest'"], limit: .seconds(30),
            input: long)
        let (lines, told) = AsyncStream.makeStream(of: String.self)
        let output = try await child.run { told.yield($0) }
        told.finish()
        #expect(await lines.reduce(into: []) { $0.append($1) } == ["one", "", long])
        #expect(String(decoding: output, as: UTF8.self) == "one\n\n\(long)\nrest")
    }

    @Test("one that closes its output and continues is killed when its time is over")
    func closedOutput() async {
        await #expect(throws: ChildProcess.Failure.hung(limit: .milliseconds(200))) {
            try await shell("exec >&-; exec sleep 30", limit: .milliseconds(200))
        }
    }

    @Test("one that closes its output and ends in time has answered")
    func closedOutputInTime() async throws {
        #expect(try await shell("cat; exec >&-; exec sleep 0.1", limit: .seconds(30)) == "words")
    }

    @Test("its own end counts, though what it left in the background holds its output open")
    func background() async throws {
        let folder = try TemporaryFolder("background")
        let note = folder.file("sleeper")
        // A wait for the end of the sleep would reach the limit.
        #expect(
            try await shell("cat; sleep 600 2>/dev/null & echo $! >'\(note)'", limit: .seconds(30)) == "words"
        )
        let sleeper = try #require(
            Int32(try String(contentsOfFile: note, encoding: .utf8).trimmingCharacters(in: .newlines)))
        #expect(kill(sleeper, SIGKILL) == 0)
    }

    @Test("it is reaped when the call returns, though its background processes continue")
    func reaping() async throws {
        // In its own session, and without the streams of this test.
        let script = "setsid sleep 30 >/dev/null 2>&1 & echo $! $$"
        let ids = try await shell(script, limit: .seconds(30)).split { $0.isWhitespace }.compactMap {
            Int32($0)
        }
        try #require(ids.count == 2)
        let (sleeper, process) = (ids[0], ids[1])
        defer { kill(sleeper, SIGKILL) }
        #expect(kill(process, 0) == -1 && errno == ESRCH)
    }

    @Test("all that it has written before its end is read")
    func wholeOutput() async throws {
        #expect(try await shell("head -c 300000 /dev/zero", limit: .seconds(30)).utf8.count == 300_000)
    }

    @Test("with one that is killed, what it has started ends as well")
    func descendants() async throws {
        let script = "sleep 300 & echo $!; wait"
        let child = ChildProcess(
            program: "sh", arguments: ["-c", script], limit: .seconds(200),
            input: "")
        let (lines, told) = AsyncStream.makeStream(of: String.self)
        let run = Task { try await child.run { told.yield($0) } }
        let sleeper = try #require(Int32(await lines.first { _ in true } ?? ""))
        run.cancel()
        await #expect(throws: CancellationError.self) { try await run.value }
        // It may still be a zombie, whose parent has ended: then its end is known at once.
        if let end = try? ProcessEnd(of: sleeper) {
            #expect(try waitUntilReadable([end.raw], until: .now + Program.defaultLimit) == [end.raw])
        }
    }
}
