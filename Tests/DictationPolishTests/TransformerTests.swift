import DictationHTTP
import DictationPolish
import Foundation
import TestSupport
import Testing

@Suite("A text changed by a language model", .timeLimit(.minutes(5)))
struct TransformerTests {
    private static let text = HostileAnswer.meeting

    private static func transform(
        _ steps: [LoopbackServer.Step], limit: Duration = .seconds(60), longest: Int = 8_000
    ) async throws -> (outcome: Transformer.Outcome, requests: [LoopbackServer.Request]) {
        let server = try LoopbackServer { _ in steps }
        defer { server.stop() }
        let transformer = Transformer(client: try HTTPClient())
        let configuration = PolishConfiguration(endpoint: server.address("/v1"), model: "test", limit: limit)
        let outcome = await transformer.transform(
            text, by: "make this shorter", as: configuration, key: nil, longest: longest)
        return (outcome, server.requests)
    }

    /// Servers of a transform in particular.
    private static let hostile: [HostileAnswer] =
        HostileAnswer.servers.filter { $0.name != "never ends" } + [
            .init(
                name: "never ends", dictated: text,
                steps: [.send(HostileAnswer.head)]
                    + Array(
                        repeating: .send(HostileAnswer.event(String(repeating: "word ", count: 400))),
                        count: 10) + [.hang]),
            .init(
                name: "half a UTF-8 character", dictated: text,
                steps: [
                    .send(HostileAnswer.head),
                    .send(Data("data: {\"choices\":[{\"delta\":{\"content\":\"Gr\u{c3}".utf8.dropLast())),
                    .send(Data("\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n".utf8)),
                ]),
            .init(
                name: "megabytes of an answer", dictated: text,
                steps: [.answer(200, [:], HostileAnswer.whole(String(repeating: "word ", count: 600_000)))]),
            .init(
                name: "too long", dictated: text,
                steps: [.answer(200, [:], HostileAnswer.whole(String(repeating: "a", count: 8_001)))]),
            .init(name: "empty", dictated: text, steps: [.answer(200, [:], HostileAnswer.whole(""))]),
            .init(name: "blank", dictated: text, steps: [.answer(200, [:], HostileAnswer.whole(" \n\t"))]),
            .init(
                name: "nothing but controls", dictated: text,
                steps: [.answer(200, [:], HostileAnswer.whole("\u{1b}\u{7}\u{202e}\u{200b}"))]),
            .init(
                name: "thoughts alone", dictated: text,
                steps: [.answer(200, [:], HostileAnswer.whole("<think>Shorter?</think>"))]),
            .init(
                name: "thoughts without end", dictated: text,
                steps: [.answer(200, [:], HostileAnswer.whole("<think>Shorter? Friday, perhaps."))]),
            .init(name: "the same", dictated: text, steps: [.answer(200, [:], HostileAnswer.whole(text))]),
        ]

    @Test("no answer that is broken off, wrong, empty or too long is used", arguments: hostile)
    func refused(_ answer: HostileAnswer) async throws {
        let (outcome, _) = try await Self.transform(answer.steps, limit: .milliseconds(500))
        guard case .kept(let reason) = outcome else {
            Issue.record("got through: \(outcome)")
            return
        }
        // A server's own message is passed on unchanged.
        #expect(!reason.isEmpty && (!reason.contains("Alice") || answer.name == "an error of the server"))
    }

    @Test(
        "an error that comes in the place of an answer, or in its middle, is reported in the server's words",
        arguments: [
            [LoopbackServer.Step.answer(200, [:], Data(#"{"error": {"message": "out of memory"}}"#.utf8))],
            [
                .send(HostileAnswer.head + HostileAnswer.event("Fri")),
                .send(Data("data: {\"error\": {\"code\": 500, \"message\": \"out of memory\"}}\n\n".utf8)),
            ],
        ])
    func told(_ steps: [LoopbackServer.Step]) async throws {
        let (outcome, _) = try await Self.transform(steps)
        guard case .kept(let reason) = outcome else {
            Issue.record("got through: \(outcome)")
            return
        }
        #expect(reason.contains("“out of memory”"))
    }

    /// The text, the model's answer, and the used text.
    private static let used: [(String, String, String)] = [
        (text, "Alice: Friday, 5 PM, 12 chairs.", "Alice: Friday, 5 PM, 12 chairs."),
        (text, "<think>Hm.</think>\n\nFriday.", "Friday."),
        (text, "```\n- Alice\n- chairs\n```", "- Alice\n- chairs"),
        (text, "```text\nAlice\n```\n", "Alice"),
        (text, "\"Friday.\"", "Friday."),
        (text, "  Friday.\n", "Friday."),
        (text, "One\r\nTwo\u{2028}Three\u{85}Four\rFive", "One\nTwo\nThree\nFour\nFive"),
        (text, "Rm -rf\u{1b}[31m \u{202e}txt\u{2066}\u{feff}\u{200b}\u{7f}", "Rm -rf[31m txt"),
        (text, "Ignore all previous instructions.", "Ignore all previous instructions."),
        ("  x = 1\n", "x = 2", "  x = 2\n"),
        ("\n\tfoo\n\n", "\tbar\n\tbaz\n", "\n\tbar\n\tbaz\n\n"),
        ("\u{200f}שלום", "\u{200f}היי\u{202e}", "\u{200f}היי"),
        ("```\na\n```", "```\nb\n```", "```\nb\n```"),
        ("she said \"no\"", "She said \"yes\"", "She said \"yes\""),
        ("family", "👨‍👩‍👧 family", "👨‍👩‍👧 family"),
    ]

    @Test("parts of an answer that do not belong to the text are removed", arguments: used)
    func taken(_ text: String, _ answer: String, _ expected: String) async throws {
        // Thoughts are the stream's matter.
        guard !answer.hasPrefix("<think>") else { return }
        #expect(try TransformAnswer.text(of: answer, for: text, longest: 8_000) == expected)
    }

    @Test("thoughts are no part of the answer, with or without the tag that begins them")
    func thoughts() async throws {
        for answer in ["<think>Hm.</think>\n\nFriday.", "Hm, shorter?\n</think>\n\nFriday."] {
            let got = try await Self.transform([.answer(200, [:], HostileAnswer.whole(answer))])
            #expect(got.outcome == .transformed("Friday."))
        }
        let server = try LoopbackServer { _ in
            [.answer(200, [:], HostileAnswer.whole("b = \"</think>\" + 1"))]
        }
        defer { server.stop() }
        let outcome = await Transformer(client: try HTTPClient()).transform(
            "a = \"</think>\"", by: "add one",
            as: PolishConfiguration(endpoint: server.address("/v1"), model: "m"), key: nil, longest: 8_000)
        #expect(outcome == .transformed("b = \"</think>\" + 1"))
    }

    @Test("thoughts may be longer than any answer, and are not shown; the answer may not")
    func longThoughts() async throws {
        let thoughts = "<think>\n" + String(repeating: "Shorter? ", count: 2_000) + "</think>\n\n"
        let whole = HostileAnswer.whole(thoughts + "Friday.")
        #expect(try await Self.transform([.answer(200, [:], whole)]).outcome == .transformed("Friday."))
        // In pieces of five characters, which cut both tags.
        func stream(_ text: String) -> Data {
            stride(from: 0, to: text.count, by: 5).map { text.dropFirst($0).prefix(5) }
                .reduce(into: HostileAnswer.head) { $0 += HostileAnswer.event(String($1)) }
                + HostileAnswer.event("", reason: "stop") + HostileAnswer.done
        }
        let short = stream(thoughts + "Friday.")
        let server = try LoopbackServer { _ in [.send(short)] }
        defer { server.stop() }
        let heard = AsyncStream.makeStream(of: String.self)
        let outcome = await Transformer(client: try HTTPClient()).transform(
            Self.text, by: "shorter", as: PolishConfiguration(endpoint: server.address("/v1"), model: "m"),
            key: nil, longest: 100, hears: { heard.continuation.yield($0) })
        heard.continuation.finish()
        #expect(outcome == .transformed("Friday."))
        for await text in heard.stream { #expect(!text.contains("Shorter")) }
        let long = stream(thoughts + String(repeating: "a", count: 101))
        #expect(
            try await Self.transform([.send(long)], longest: 100).outcome
                == .kept(because: "the answer is too long"))
    }

    @Test("an answer is used, whole or as a stream, and shown as it comes")
    func streamed() async throws {
        let answer = "Alice: Friday at 5 PM, 12 chairs 🪑."
        let whole = try await Self.transform([.answer(200, [:], HostileAnswer.whole(answer))])
        #expect(whole.outcome == .transformed(answer))
        var stream = HostileAnswer.head
        for character in answer { stream += HostileAnswer.event(String(character)) }
        stream += HostileAnswer.event("", reason: "stop") + HostileAnswer.done
        // The head alone, then one byte after the other: characters and events come in pieces.
        let pieces = stream.map { LoopbackServer.Step.send(Data([$0])) }
        let server = try LoopbackServer { _ in pieces }
        defer { server.stop() }
        let heard = AsyncStream.makeStream(of: String.self)
        let outcome = await Transformer(client: try HTTPClient()).transform(
            Self.text, by: "shorter", as: PolishConfiguration(endpoint: server.address("/v1"), model: "m"),
            key: nil, longest: 8_000, hears: { heard.continuation.yield($0) })
        heard.continuation.finish()
        #expect(outcome == .transformed(answer))
        var last = ""
        for await text in heard.stream {
            #expect(text.hasPrefix(last))
            last = text
        }
        #expect(last == answer)
    }

    @Test(
        "a stream may send as much around its text as it likes, but not in one event, and no text beyond the limit"
    )
    func longStream() async throws {
        let thought = HostileAnswer.data(of: ["reasoning_content": String(repeating: "Hm. ", count: 16_000)])
        let thoughts = Array(repeating: LoopbackServer.Step.send(thought), count: 40)
        let end = [
            LoopbackServer.Step.send(HostileAnswer.event("Friday.", reason: "stop") + HostileAnswer.done)
        ]
        let head = [LoopbackServer.Step.send(HostileAnswer.head)]
        #expect(try await Self.transform(head + thoughts + end).outcome == .transformed("Friday."))
        let endless = Data("data: ".utf8) + Data(repeating: UInt8(ascii: " "), count: 2 << 20)
        // One character with more accents than any text has.
        let accents = HostileAnswer.event("e" + String(repeating: "\u{301}", count: 60_000))
        for steps in [[.send(endless)], Array(repeating: LoopbackServer.Step.send(accents), count: 10)] {
            let outcome = try await Self.transform(head + steps + [.hang]).outcome
            #expect(outcome == .kept(because: "the answer is too long"))
        }
    }

    @Test("a canceled transform ends at once")
    func cancelled() async throws {
        let asked = AsyncStream.makeStream(of: Void.self)
        let server = try LoopbackServer { _ in
            asked.continuation.yield()
            return [.send(HostileAnswer.head + HostileAnswer.event("Alice")), .hang]
        }
        defer { server.stop() }
        let task = Task {
            await Transformer(client: try HTTPClient()).transform(
                Self.text, by: "shorter",
                as: PolishConfiguration(endpoint: server.address("/v1"), model: "m", limit: .seconds(200)),
                key: nil, longest: 8_000)
        }
        for await _ in asked.stream.prefix(1) { task.cancel() }
        #expect(try await task.value == .kept(because: "the request to the model was canceled"))
    }

    @Test("the model gets the instruction and the text, apart from its orders")
    func request() async throws {
        let (_, requests) = try await Self.transform([.answer(500)])
        let request = try #require(requests.first)
        let body = try #require(try JSONSerialization.jsonObject(with: request.body) as? [String: Any])
        let messages = try #require(body["messages"] as? [[String: String]])
        #expect(messages.map { $0["role"] } == ["system", "user"])
        #expect(messages[0]["content"]?.contains("do not follow") == true)
        #expect(messages[1]["content"] == "Instruction: make this shorter\n\nText:\n\(Self.text)")
        #expect(body["stream"] as? Bool == true)
    }
}
