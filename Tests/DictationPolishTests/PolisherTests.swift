import DictationHTTP
import DictationPolish
import DictationText
import Foundation
import TestSupport
import Testing

@Suite("A text polished by a language model", .timeLimit(.minutes(5)))
struct PolisherTests {
    private static func polish(
        _ text: String, _ steps: [LoopbackServer.Step], limit: Duration = .seconds(60),
        style: WritingStyle = .known(.plain), key: APIKey? = nil
    ) async throws -> (outcome: Polisher.Outcome, requests: [LoopbackServer.Request]) {
        let server = try LoopbackServer { _ in steps }
        defer { server.stop() }
        let polisher = Polisher(client: try HTTPClient())
        let configuration = PolishConfiguration(endpoint: server.address("/v1/"), model: "test", limit: limit)
        let outcome = await polisher.polish(
            text, style: style, as: configuration, key: key, guard: PolishGuard())
        return (outcome, server.requests)
    }

    @Test(
        "no hostile or careless answer gets through, and no wait is longer than the limit",
        arguments: HostileAnswer.all)
    func hostile(_ answer: HostileAnswer) async throws {
        let (outcome, _) = try await Self.polish(answer.dictated, answer.steps, limit: .milliseconds(500))
        guard case .kept(let reason) = outcome else {
            Issue.record("got through: \(outcome)")
            return
        }
        #expect(!reason.isEmpty)
    }

    @Test(
        "no wait is longer than the limit",
        arguments: HostileAnswer.servers.filter {
            ["hangs", "says nothing for long", "hangs in the middle"].contains($0.name)
        })
    func inTime(_ answer: HostileAnswer) async throws {
        let (outcome, _) = try await Self.polish(answer.dictated, answer.steps, limit: .milliseconds(300))
        // Without the limit, the server would answer otherwise, much later, or never.
        guard case .kept(let reason) = outcome else {
            Issue.record("got through: \(outcome)")
            return
        }
        #expect(reason.contains("did not finish within 0.3 s"))
    }

    @Test("a second question gets the rest of the time, and the message has the whole limit")
    func wholeLimit() async throws {
        let refusal = Data(#"{"error": {"message": "'temperature' does not support 0"}}"#.utf8)
        let server = try LoopbackServer { request in
            String(decoding: request.body, as: UTF8.self).contains("temperature")
                ? [.silence(.milliseconds(200)), .answer(400, [:], refusal)] : [.hang]
        }
        defer { server.stop() }
        let outcome = await Polisher(client: try HTTPClient()).polish(
            HostileAnswer.meeting, style: .known(.plain),
            as: .init(endpoint: server.address("/v1"), model: "test", limit: .milliseconds(600)), key: nil,
            guard: PolishGuard())
        guard case .kept(let reason) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(reason.hasSuffix("did not finish within 0.6 s"))
    }

    @Test("the guard itself refuses them, however soon they come", arguments: HostileAnswer.refused)
    func guarded(_ name: String, _ dictated: String, _ answer: String) {
        #expect(PolishGuard().refusal(of: answer, for: dictated) != nil)
    }

    @Test("there are at least 60 of them")
    func enough() { #expect(HostileAnswer.all.count >= 60) }

    /// Texts with the answers of a good model.
    private static let goodAnswers: [(String, String)] = [
        (HostileAnswer.meeting, HostileAnswer.meeting),
        ("The meeting with Alice is on Friday at 5 PM and we need 12 chairs.", HostileAnswer.meeting),
        ("So i think um that we should go.", "I think that we should go."),
        (
            "We went to the to the shop and bought three apples.",
            "We went to the shop, and bought three apples."
        ),
        ("We went to the shop and bought three apples.", "We went to the shop and bought 3 apples."),
        ("I will definately come tomorrow.", "I will definitely come tomorrow."),
        ("We recieve it on Monday and organize the rest.", "We receive it on Monday, and organise the rest."),
        ("It is a honor to meet you.", "It is an honor to meet you."),
        ("Its a long way to the station.", "It's a long way to the station."),
        ("What is the capital of France.", "What is the capital of France?"),
        ("We sold 12000 chairs and 3 tables.", "We sold 12,000 chairs, and 3 tables."),
        ("It was -5 °C at 10-12 sites.", "It was −5 °C, at 10–12 sites."),
        ("One of them is well known.", "One of them is well-known."),
        ("Dear John,\nthank you for the letter.", "Dear John,\nThank you for the letter."),
    ]

    @Test("a good answer is taken, whole or as a stream", arguments: goodAnswers)
    func good(_ text: String, _ better: String) async throws {
        let whole = try await Self.polish(text, [.answer(200, [:], HostileAnswer.whole(better))])
        #expect(whole.outcome == .polished(better))
        var stream = HostileAnswer.head
        for character in better { stream += HostileAnswer.event(String(character)) }
        stream += HostileAnswer.event("", reason: "stop") + HostileAnswer.done
        let streamed = try await Self.polish(text, [.send(stream)])
        #expect(streamed.outcome == .polished(better))
    }

    @Test("in German a comma in a number is its decimal point, and a point divides thousands")
    func germanNumbers() {
        let polishGuard = PolishGuard(language: .german)
        #expect(polishGuard.refusal(of: "Nimm 25 mg davon.", for: "Nimm 2,5 mg davon.") != nil)
        #expect(
            polishGuard.refusal(of: "Es sind 12.500 Stück, oder?", for: "Es sind 12500 Stück oder?") == nil)
    }

    @Test("a German answer keeps “weder”")
    func germanNegation() {
        let polishGuard = PolishGuard(language: .german)
        #expect(
            polishGuard.refusal(of: "Er hat Fieber noch Husten.", for: "Er hat weder Fieber noch Husten.")
                == .changedNegation("weder"))
    }

    @Test("thoughts before the answer and quotation marks around it are not part of it")
    func wrapped() async throws {
        let text = "We should go now."
        for answer in [
            "<think>Simple.</think>\n\n" + text, "Simple.\n</think>\n\n" + text, "\"" + text + "\"",
            "“" + text + "”", text + "\n",
        ] {
            let got = try await Self.polish(text, [.answer(200, [:], HostileAnswer.whole(answer))])
            #expect(got.outcome == .polished(text))
        }
    }

    @Test("the model gets the instruction, the text apart from it, and the key; no reason tells the key")
    func request() async throws {
        let key = try #require(APIKey("sk-very-secret"))
        let (outcome, requests) = try await Self.polish(
            "Hello there.", [.answer(401, [:], Data("wrong key sk-very-secret".utf8))], style: .known(.mail),
            key: key
        )
        let request = try #require(requests.first)
        #expect(request.method == "POST" && request.path == "/v1/chat/completions")
        #expect(request.headers["authorization"] == "Bearer sk-very-secret")
        let body = try #require(try JSONSerialization.jsonObject(with: request.body) as? [String: Any])
        let messages = try #require(body["messages"] as? [[String: String]])
        #expect(messages.map { $0["role"] } == ["system", "user"])
        #expect(messages[0]["content"]?.contains("Output only the corrected text") == true)
        #expect(messages[0]["content"]?.contains("mail") == true)
        #expect(messages[1]["content"] == "Hello there.")
        #expect(body["stream"] as? Bool == true && body["model"] as? String == "test")
        guard case .kept(let reason) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(!reason.contains("very-secret") && reason.contains("401"))
    }

    @Test("a model that takes no temperature but its own is asked without one from then on")
    func ownTemperature() async throws {
        let refusal =
            #"{"error": {"message": "Unsupported value: 'temperature' does not support 0 with this model."}}"#
        let good = HostileAnswer.whole(HostileAnswer.meeting)
        let server = try LoopbackServer { request in
            String(decoding: request.body, as: UTF8.self).contains("temperature")
                ? [.answer(400, [:], Data(refusal.utf8))] : [.answer(200, [:], good)]
        }
        defer { server.stop() }
        let polisher = Polisher(client: try HTTPClient())
        let configuration = PolishConfiguration(
            endpoint: server.address("/v1"), model: "test", limit: .seconds(60))
        for count in [2, 3] {
            let outcome = await polisher.polish(
                HostileAnswer.meeting, style: .known(.plain), as: configuration, key: nil,
                guard: PolishGuard())
            #expect(outcome == .polished(HostileAnswer.meeting))
            #expect(server.requests.count == count)
        }
    }

    @Test("a prompt of the user's own is added to the instruction, and takes nothing of it away")
    func ownPrompt() async throws {
        let (_, requests) = try await Self.polish(
            "Hello there.", [.answer(500)], style: .own(prompt: "It is a letter to an authority."))
        let body = String(decoding: try #require(requests.first).body, as: UTF8.self)
        #expect(body.contains("Output only the corrected text") && body.contains("to an authority."))
    }

    @Test("verbatim sends no request")
    func verbatim() async throws {
        let (outcome, requests) = try await Self.polish("Hello.", [.answer(500)], style: .known(.verbatim))
        #expect(requests.isEmpty)
        #expect(outcome == .kept(because: "the style is verbatim"))
    }

    @Test("a connection that was opened before is used again")
    func warm() async throws {
        let server = try LoopbackServer { request in
            [.answer(200, [:], request.method == "GET" ? Data("{}".utf8) : HostileAnswer.whole("Hello."))]
        }
        defer { server.stop() }
        let polisher = Polisher(client: try HTTPClient())
        let configuration = PolishConfiguration(endpoint: server.address("/v1"), model: "test")
        await polisher.warm(configuration, key: nil)
        let outcome = await polisher.polish(
            "hello", style: .known(.plain), as: configuration, key: nil, guard: PolishGuard())
        #expect(outcome == .polished("Hello."))
        #expect(server.requests.map(\.path) == ["/v1/models", "/v1/chat/completions"])
    }

    @Test("names of the user's own must stay, even if a sentence begins with them")
    func names() {
        let guarded = PolishGuard(names: ["Will"])
        #expect(
            guarded.refusal(
                of: "Comes tomorrow with the big box.", for: "Will comes tomorrow with the big box.")
                == .droppedName("Will"))
    }
}
