import DictationShared
import DictationSpeech
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DictationHost

@Suite("Recognizing in a separate process", .timeLimit(.minutes(2)))
struct ChildRecognizerTests {
    static func shell(_ script: String, limit: Duration = .seconds(60)) -> ChildRecognizer {
        ChildRecognizer(program: URL(filePath: "/bin/sh"), arguments: ["-c", script, "sh"], limit: limit)
    }

    @Test("gives the answer, however long it is")
    func answer() async throws {
        let script = """
            printf '{"seconds":1.5,"speechSeconds":1,"text":"%s ' "$2"
            head -c 300000 /dev/zero | tr '\\0' a; printf '"}'
            """
        let answer = try await Self.shell(script).recognize(URL(filePath: "/tmp/x.wav"))
        #expect(answer.text.count == 300_000 + "/tmp/x.wav ".count)
        #expect(answer.seconds == 1.5)
    }

    @Test(
        "a child that crashes, fails, hangs or talks nonsense has its own kind of failure",
        arguments: [
            ("kill -SEGV $$", .ended(.crashed(signal: SIGSEGV))),
            ("kill -KILL $$", .ended(.crashed(signal: SIGKILL))),
            ("exit 3", .ended(.failed(code: 3))), ("echo hello", .unreadableAnswer),
            ("exec sleep 1000", .ended(.hung(limit: .milliseconds(300)))),
        ] as [(String, ChildRecognizer.Failure)])
    func failures(script: String, failure: ChildRecognizer.Failure) async {
        let limit: Duration =
            if case .ended(.hung(limit: let limit)) = failure { limit } else { .seconds(60) }
        await #expect(throws: failure) {
            try await Self.shell(script, limit: limit).recognize(URL(filePath: "/tmp/x.wav"))
        }
    }

    @Test("a program that is not there is reported")
    func missing() async {
        let child = ChildRecognizer(program: URL(filePath: "/nonexistent"), arguments: [], limit: .seconds(9))
        await #expect(throws: ChildRecognizer.Failure.self) {
            try await child.recognize(URL(filePath: "/tmp/x.wav"))
        }
    }

    @Test("reports progress, passes the options to the child, and uses the child's failure")
    func progress() async throws {
        let parts = Mutex<[Double]>([])
        let script = """
            echo '{"progress":0.25}'; printf '{"prog'; printf 'ress":0.5}\n'
            printf '{"seconds":1,"speechSeconds":1,"text":"%s"}\n' "$*"
            """
        let answer = try await Self.shell(script).recognize(
            URL(filePath: "/tmp/-x.wav"), options: .init(engine: "remote", language: "de-DE")
        ) { part in parts.withLock { $0.append(part) } }
        #expect(answer.text == "--engine remote --language de-DE -- /tmp/-x.wav")
        #expect(parts.withLock { $0 } == [0.25, 0.5])
        await #expect(throws: ChildRecognizer.Failure.refused(.serverFailed, message: "It is off.")) {
            try await Self.shell(#"echo '{"failure":"server-failed","message":"It is off."}'"#)
                .recognize(URL(filePath: "/tmp/x.wav"))
        }
    }

    @Test("cancelling ends the child")
    func cancelling() async throws {
        let started = try NamedPipe()
        let task = Task {
            try await Self.shell("echo $$ > \(started.path); exec sleep 1000").recognize(
                URL(filePath: "/tmp/x.wav"))
        }
        let pid = try #require(Int32(await started.text()))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(kill(pid, 0) == -1 && errno == ESRCH, "it is reaped when the call returns")
    }
}

/// A pipe through which a shell script sends words.
struct NamedPipe {
    private let folder: TemporaryFolder
    var path: String { folder.file("pipe") }

    init() throws {
        folder = try TemporaryFolder("pipe")
        try #require(mkfifo(folder.file("pipe"), 0o600) == 0)
    }

    /// All that the first writer says, without white space around it.
    func text() async -> String {
        await withCheckedContinuation { continuation in
            // Opening a pipe blocks until there is a writer: not on one of the few threads that all tests share.
            Thread.detachNewThread { [path] in
                let data = (try? FileHandle(forReadingFrom: URL(filePath: path)).readToEnd()) ?? nil
                let text = String(decoding: data ?? Data(), as: UTF8.self)
                continuation.resume(returning: text.trimmingCharacters(in: .whitespacesAndNewlines))
            }
        }
    }
}
