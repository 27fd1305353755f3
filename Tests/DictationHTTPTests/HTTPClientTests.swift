import DictationHTTP
import DictationSystem
import Foundation
import TestSupport
import Testing

@Suite("The HTTP client", .timeLimit(.minutes(2)))
struct HTTPClientTests {
    private struct Greeting: Codable, Equatable { let words: String }

    /// Sends a request to a server with this answer, and returns the result.
    private func ask(
        _ steps: [LoopbackServer.Step], _ change: (inout HTTPRequest) -> Void = { _ in }
    ) async throws -> HTTPResponse {
        let server = try LoopbackServer { _ in steps }
        var request = HTTPRequest(server.address("/v1"))
        change(&request)
        return try await HTTPClient().send(request)
    }

    @Test("a question with a key, and its answer as JSON")
    func question() async throws {
        let server = try LoopbackServer { request in
            [.answer(200, ["Content-Type": "application/json"], request.body)]
        }
        let client = try HTTPClient()
        var request = HTTPRequest(server.address("/v1/chat"), key: APIKey("geheim\n"))
        request.body = try .json(Greeting(words: "Grüße 🌍"))
        request.headers = [("X-Note", "one\r\nX-Two: two")]
        let answer = try await client.send(request)
        #expect(try answer.decoded(as: Greeting.self) == Greeting(words: "Grüße 🌍"))
        let seen = try #require(server.requests.first)
        #expect(seen.method == "POST" && seen.path == "/v1/chat")
        #expect(seen.headers["authorization"] == "Bearer geheim")
        #expect(seen.headers["content-type"] == "application/json")
        #expect(seen.headers["x-two"] == nil, "a value made a header of its own")
    }

    @Test("a form with a file, as large as a dictation of ten minutes")
    func form() async throws {
        let server = try LoopbackServer { _ in [.answer(200)] }
        var sound = Data(0...UInt8.max)
        while sound.count < 20_000_000 { sound += sound }
        let body = HTTPRequest.Body.form([
            .init("model", "whisper-1"), .init("file", file: "a.wav", type: "audio/wav", sound),
        ])
        _ = try await HTTPClient().send(HTTPRequest(server.address(), body: body))
        let seen = try #require(server.requests.first)
        #expect(seen.headers["content-type"]?.hasPrefix("multipart/form-data; boundary=") == true)
        #expect(seen.body.firstRange(of: sound) != nil)
        #expect(seen.body.firstRange(of: Data("filename=\"a.wav\"".utf8)) != nil)
    }

    @Test("a server's refusal is reported in its words, without the key")
    func refused() async throws {
        let body = Data("{\"error\": \"the key geheim\n is wrong\"}".utf8)
        await #expect {
            try await ask([.answer(401, [:], body)]) { $0.key = APIKey("geheim") }
        } throws: { error in
            let text = "\(error)"
            return text.contains("status 401") && text.contains("is wrong") && !text.contains("geheim")
        }
    }

    @Test("a server that says nothing is not waited for longer than the limit")
    func tooSlow() async throws {
        await #expect {
            try await ask([.hang]) { $0.limits.whole = .milliseconds(200) }
        } throws: { error in
            guard case HTTPError.tooSlow = error else { return false }
            return true
        }
    }

    @Test("silence in the middle of an answer is noticed, without a limit for the whole")
    func silence() async throws {
        let head = Data("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf".utf8)
        await #expect {
            try await ask([.send(head), .hang]) {
                $0.limits.whole = nil
                $0.limits.silence = .seconds(1)
            }
        } throws: { error in
            guard case HTTPError.brokenOff = error else { return false }
            return true
        }
    }

    @Test(
        "a connection that breaks at any place is reported",
        arguments: [
            "", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40\r\nhalf",
        ])
    func brokenOff(sent: String) async throws {
        for last in [[LoopbackServer.Step.reset], []] {
            await #expect {
                try await ask([.send(Data(sent.utf8))] + last)
            } throws: { error in
                guard case HTTPError.brokenOff = error else { return false }
                return true
            }
        }
    }

    @Test("more than is wanted is not taken")
    func tooLong() async throws {
        await #expect(throws: HTTPError.self) {
            try await ask([.answer(200, [:], Data(count: 2_000))]) { $0.limits.answer = 1_000 }
        }
    }

    @Test("an answer that is no HTTP, or no JSON, is reported")
    func notUnderstood() async throws {
        await #expect {
            try await ask([.send(Data("SSH-2.0-OpenSSH\r\n".utf8))])
        } throws: { error in
            guard case HTTPError.notUnderstood = error else { return false }
            return true
        }
        let answer = try await ask([.answer(200, [:], Data("<html>".utf8))])
        #expect { try answer.decoded(as: Greeting.self) } throws: { "\($0)".contains("not the JSON") }
    }

    @Test(
        "an error that comes as a success is reported in the server's words, without the key",
        arguments: [
            #"{"error": {"message": "no model geheim x", "type": "invalid_request_error"}}"#,
            #"{"error": "no model geheim\n x"}"#, #"{"detail": [{"loc": ["body"], "msg": "no model x"}]}"#,
            #"{"message": "no model x", "code": 400}"#,
        ])
    func failureAsSuccess(body: String) async throws {
        let answer = try await ask([.answer(200, [:], Data(body.utf8))]) { $0.key = APIKey("geheim") }
        #expect { try answer.decoded(as: Greeting.self) } throws: { error in
            let text = "\(error)"
            return text.contains("“no model") && text.contains(" x”") && !text.contains("geheim")
        }
    }

    @Test("a redirected request with a body is not repeated there; the error names the new address")
    func redirectedQuestion() async throws {
        let server = try LoopbackServer { request in
            [.answer(308, ["Location": "https://127.0.0.1:1\(request.path)/?key=secret"])]
        }
        var request = HTTPRequest(server.address("/v1"), key: APIKey("geheim"))
        request.body = try .json(Greeting(words: "hello"))
        await #expect {
            try await HTTPClient().send(request)
        } throws: { error in
            let text = "\(error)"
            return text.contains("status 308") && text.contains("https://127.0.0.1:1/v1/")
                && !text.contains("secret")
        }
        #expect(server.requests.count == 1)
    }

    @Test("the error names the machine that does not answer, which may be a proxy, and has no times in it")
    func unreachable() async throws {
        let closed = try LoopbackServer { _ in [] }
        let port = closed.port
        closed.stop()
        await #expect {
            try await HTTPClient().send(HTTPRequest("http://127.0.0.1:\(port)/v1"))
        } throws: { error in
            guard case HTTPError.unreachable(_, let reason) = error else { return false }
            return reason.contains("port \(port)") && reason.firstMatch(of: /\d ms/) == nil
        }
    }

    @Test("addresses of other kinds are refused, and none is shown with its password or query")
    func addresses() async throws {
        let client = try HTTPClient()
        for address in ["", "file:///etc/passwd", "ftp://127.0.0.1/", "//127.0.0.1/", "not an address"] {
            await #expect {
                try await client.send(HTTPRequest(address))
            } throws: { error in
                guard case HTTPError.badAddress = error else { return false }
                return true
            }
        }
        let closed = try LoopbackServer { _ in [] }
        let port = closed.port
        closed.stop()
        await #expect {
            try await client.send(HTTPRequest("http://me:secret@127.0.0.1:\(port)/a?key=secret"))
        } throws: { error in
            !"\(error)".contains("secret") && "\(error)".contains("127.0.0.1:\(port)/a")
        }
    }

    @Test("a transient error is retried, a lasting one is reported at once", arguments: [503, 400])
    func retries(status: Int) async throws {
        let tries = Counter()
        let server = try LoopbackServer { _ in [.answer(tries.next() < 3 ? status : 200)] }
        let policy = RetryPolicy(retries: 3, firstDelay: .milliseconds(1))
        let send = { try await HTTPClient().send(HTTPRequest(server.address()), retrying: policy) }
        if status == 503 {
            #expect(try await send().head.status == 200)
            #expect(server.requests.count == 3)
        } else {
            await #expect(throws: HTTPError.self) { try await send() }
            #expect(server.requests.count == 1)
        }
    }

    @Test("a machine that takes no connection in time is not asked again")
    func noConnection() async throws {
        // Connections are not accepted: the system takes as many connections as fit into the queue, and drops
        // the others.
        let listener = try FullListener()
        var request = HTTPRequest("http://127.0.0.1:\(listener.port)")
        request.limits.connecting = .milliseconds(100)
        let policy = RetryPolicy(retries: .max, firstDelay: .zero)
        await #expect(
            throws: HTTPError.noConnection(address: request.shownAddress, limit: .milliseconds(100))
        ) {
            try await HTTPClient().send(request, retrying: policy)
        }
        withExtendedLifetime(listener) {}
    }

    @Test("further tries end with the time limit")
    func retriesEnd() async throws {
        let server = try LoopbackServer { _ in [.answer(503)] }
        var request = HTTPRequest(server.address())
        request.limits.whole = .milliseconds(300)
        let policy = RetryPolicy(retries: .max, firstDelay: .milliseconds(100))
        await #expect(throws: HTTPError.self) { try await HTTPClient().send(request, retrying: policy) }
        #expect(server.requests.count <= 3)
    }

    @Test("a canceled request ends at once, and the client continues")
    func cancelled() async throws {
        let server = try LoopbackServer { request in request.path == "/hang" ? [.hang] : [.answer(200)] }
        let client = try HTTPClient()
        let task = Task { try await client.send(HTTPRequest(server.address("/hang"))) }
        let other = try await client.send(HTTPRequest(server.address("/")))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(other.head.isSuccess)
        #expect(try await client.send(HTTPRequest(server.address("/"))).head.isSuccess)
    }

    @Test("a GET follows a redirect, without its key; a POST does not")
    func redirected() async throws {
        let second = try LoopbackServer { _ in [.answer(200, [:], Data("here".utf8))] }
        let target = second.address("/new").replacingOccurrences(of: "127.0.0.1", with: "localhost")
        let first = try LoopbackServer { _ in [.answer(307, ["Location": target])] }
        let client = try HTTPClient()
        let answer = try await client.send(HTTPRequest(first.address(), key: APIKey("geheim")))
        #expect(answer.body == Data("here".utf8))
        #expect(second.requests.first?.headers["authorization"] == nil)
        let form = HTTPRequest.Body.form([.init("file", "words")])
        await #expect(throws: HTTPError.self) {
            try await client.send(HTTPRequest(first.address(), body: form))
        }
        #expect(second.requests.count == 1)
    }

    @Test("a download comes in pieces; an error of the receiver ends it and is thrown")
    func download() async throws {
        let content = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let server = try LoopbackServer { _ in [.answer(200, [:], content)] }
        let client = try HTTPClient()
        let received = Received()
        let head = try await client.download(HTTPRequest(server.address())) { head, bytes in
            #expect(head.headers["content-length"] == "1000000")
            received.add(bytes)
        }
        #expect(head.status == 200 && received.data == content)
        struct Full: Error {}
        await #expect(throws: Full.self) {
            try await client.download(HTTPRequest(server.address())) { _, _ in throw Full() }
        }
    }
}

@Suite("Keys")
struct APIKeyTests {
    @Test("a key is redacted in logs and dumps")
    func hidden() throws {
        let key = try #require(APIKey(" geheim \n"))
        var request = HTTPRequest("http://127.0.0.1/")
        request.key = key
        var dumped = ""
        dump(request, to: &dumped)
        #expect(!"\(key) \(String(reflecting: key)) \(request) \(dumped)".contains("geheim"))
    }

    @Test("an unusable text is no key", arguments: ["", " \n", "two words", "tab\there", "ü", "a\u{0}b"])
    func noKey(text: String) { #expect(APIKey(text) == nil) }

    @Test("a file must be there, be the user's alone, and hold a key")
    func files() throws {
        let folder = try TemporaryFolder("key")
        let file = try folder.write("geheim\n", to: "key")
        #expect(try APIKey(file: file) == APIKey("geheim"))
        chmod(file, 0o644)
        #expect(throws: APIKey.Failure.readableByOthers(file: file)) { try APIKey(file: file) }
        let empty = try folder.write("\n", to: "empty")
        #expect(throws: APIKey.Failure.noKey(source: empty)) { try APIKey(file: empty) }
        #expect(throws: APIKey.Failure.self) { try APIKey(file: folder.file("missing")) }
        // Nobody writes into it.
        let pipe = folder.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let reason = "it is a pipe or a device, and must be a file"
        #expect(throws: APIKey.Failure.unreadable(file: pipe, reason: reason)) { try APIKey(file: pipe) }
    }
}
