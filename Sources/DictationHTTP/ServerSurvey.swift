import DictationSystem
import Foundation

/// A server that speaks OpenAI's interface, asked whether it is there: for the list of its models, which costs it nothing.
public struct ServerSurvey: Sendable, Equatable {
    /// Its models; nil if it answers, but has no such list, as whisper.cpp's server.
    public let models: [String]?
    /// The address as it may be shown: without a password and a query.
    public let address: String

    private struct Answer: Decodable {
        struct Model: Decodable { let id: String }
        let data: [Model]
    }

    /// Asks once.
    ///
    /// - Parameters:
    ///   - base: the address up to the version: "http://gpu.example:8000/v1".
    ///   - key: sent to it, if it wants one.
    ///   - limit: for the whole answer.
    /// - Throws: ``HTTPError``: no answer in time, or the server refuses the key or fails; `CancellationError`.
    public static func ask(_ base: String, key: APIKey?, limit: Duration) async throws -> ServerSurvey {
        var request = HTTPRequest(
            (base.hasSuffix("/") ? String(base.dropLast()) : base) + "/models", key: key)
        (request.limits.whole, request.limits.connecting) = (limit, limit)
        let address = HTTPRequest.shown(base)
        do {
            let response = try await HTTPClient().send(request)
            // An answer without a list still counts as an answer.
            let models = (try? response.decoded(as: Answer.self))?.data.map(\.id)
            return ServerSurvey(models: models, address: address)
        } catch HTTPError.refused(_, let status, _) where [400, 404, 405, 415, 422, 501].contains(status) {
            return ServerSurvey(models: nil, address: address)
        }
    }
}
