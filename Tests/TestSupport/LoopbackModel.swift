import Foundation
import Synchronization

/// A server on this machine that answers as a chat model does, or as a recognizer, and whose answer a test chooses.
///
/// ```swift
/// let model = try LoopbackModel()
/// model.says("Shorter.")
/// let settings = model.settings      // of the agents
/// ```
public final class LoopbackModel: Sendable {
    private let steps = Mutex<[LoopbackServer.Step]>([])
    private let heard = Mutex("")
    /// The bodies of its questions, as they come.
    public let asked = AsyncStream.makeStream(of: String.self)
    private let server = Mutex<LoopbackServer?>(nil)

    public init() throws {
        let made = try LoopbackServer { [weak self] request in self?.answer(request) ?? [] }
        server.withLock { $0 = made }
    }

    private func answer(_ request: LoopbackServer.Request) -> [LoopbackServer.Step] {
        if request.path.hasSuffix("/audio/transcriptions") {
            let text = heard.withLock { $0 }
            return [.answer(200, [:], (try? JSONEncoder().encode(["text": text])) ?? Data())]
        }
        guard request.method == "POST" else { return [.answer(200, [:], Data("{}".utf8))] }
        asked.continuation.yield(String(decoding: request.body, as: UTF8.self))
        return steps.withLock { $0 }
    }

    public var address: String { server.withLock { $0?.address("/v1") } ?? "" }

    /// The settings with which the agents use it only to change selected texts.
    public var settings: String { "[polish]\nendpoint = \"\(address)\"\nstyle = \"verbatim\"\n" }

    /// Its answer from now on.
    public func says(_ answer: String) {
        does([.send(Self.head + Self.event(answer) + Self.event("", "stop"))])
    }

    /// How it behaves from now on.
    public func does(_ steps: [LoopbackServer.Step]) { self.steps.withLock { $0 = steps } }

    /// Sets the words that it recognizes from now on.
    public func hears(_ words: String) { heard.withLock { $0 = words } }

    /// The beginning of a streamed answer.
    public static let head = Data(
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n".utf8)

    /// A piece of the answer.
    ///
    /// - Parameter reason: why it ends there; nil if it goes on.
    public static func event(_ content: String, _ reason: String? = nil) -> Data {
        var choice: [String: Any] = ["delta": ["content": content]]
        if let reason { choice["finish_reason"] = reason }
        let json = (try? JSONSerialization.data(withJSONObject: ["choices": [choice]])) ?? Data()
        return Data("data: ".utf8) + json + Data("\n\n".utf8)
    }

    public func stop() { server.withLock { $0?.stop() } }
}
