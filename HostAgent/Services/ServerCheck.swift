import DictationHTTP
import DictationService
import DictationSettings
import Foundation

/// Asks the servers that the settings name whether they are there, for `host-agent check`. No sound and no text is sent.
package enum ServerCheck {
    /// A server that takes longer for the list of its models is too slow for a dictation as well.
    private static let limit = Duration.seconds(3)

    /// The speech server of `[remote]`.
    ///
    /// - Parameter fallback: the recognizer that takes over; nil for none.
    package static func speech(_ remote: RemoteSettings, fallback: String?) async -> Finding {
        guard !remote.address.isEmpty else {
            return Finding(
                "engine", .problem, "remote: no server is named",
                advice: "Name one: dictstate settings set remote.address http://HOST:PORT/v1")
        }
        let suffix = "/audio/transcriptions"
        let base =
            remote.address.hasSuffix(suffix) ? String(remote.address.dropLast(suffix.count)) : remote.address
        return await finding(
            "engine", base, key: (remote.keyFile, remote.keyVariable), model: remote.model, section: "remote",
            otherwise: fallback.map { "Until it answers, \($0) recognizes." })
    }

    /// The language model of `[polish]`; nil if none is asked.
    package static func polish(_ polish: PolishSettings) async -> Finding? {
        guard !polish.endpoint.isEmpty else { return nil }
        return await finding(
            "polish", polish.endpoint, key: (polish.keyFile, polish.keyVariable), model: polish.model,
            section: "polish", otherwise: "Until it answers, texts are cleaned by the rules alone.")
    }

    /// - Parameter otherwise: how dictations continue without the server; nil if they fail.
    private static func finding(
        _ name: String, _ base: String, key: (file: String, variable: String), model: String, section: String,
        otherwise: String?
    ) async -> Finding {
        let verdict = otherwise == nil ? Finding.Verdict.problem : .warning
        func failure(_ reason: String, _ advice: String) -> Finding {
            Finding(
                name, verdict, reason, advice: [advice, otherwise].compactMap { $0 }.joined(separator: " "))
        }
        do {
            let secret = try self.key(file: key.file, variable: key.variable)
            let survey = try await ServerSurvey.ask(base, key: secret, limit: limit)
            guard let models = survey.models, !models.isEmpty, !model.isEmpty, !models.contains(model) else {
                let what = survey.models == nil ? " (it does not list its models)" : ""
                return Finding(name, .ok, "\(survey.address) answers, model “\(model)”\(what)")
            }
            let known = models.prefix(5).joined(separator: ", ") + (models.count > 5 ? ", …" : "")
            return Finding(
                name, .warning, "\(survey.address) answers, but lists no model “\(model)”; it has \(known)",
                advice: "Name one of these: dictstate settings set \(section).model NAME")
        } catch HTTPError.refused(let address, let status, _) where status == 401 || status == 403 {
            return failure(
                "\(address) refuses the key (status \(status))",
                "Correct \(section).key-file or \(section).key-variable.")
        } catch let error as HTTPError {
            return failure(
                "The server does not answer correctly: \(error)",
                "Start the server, or correct the address: dictstate settings set \(section)."
                    + (section == "remote" ? "address" : "endpoint") + " ADDRESS.")
        } catch {
            return failure("\(error)", "Correct \(section).key-file or \(section).key-variable.")
        }
    }

    private static func key(file: String, variable: String) throws -> APIKey? {
        if !file.isEmpty { return try APIKey(file: file) }
        return variable.isEmpty ? nil : try APIKey(environment: variable)
    }
}
