/// The result of looking at one thing that dictation needs: for `host-agent check` and `dictstate doctor`, which asks the
/// former.
public struct Finding: Codable, Equatable, Sendable {
    public enum Verdict: String, Codable, Sendable {
        case ok, warning, problem
    }

    /// The thing, such as `microphone`.
    public let name: String
    public let verdict: Verdict
    public let finding: String
    /// The remedy; nil if there is nothing to do.
    public let advice: String?

    public init(_ name: String, _ verdict: Verdict, _ finding: String, advice: String? = nil) {
        self.name = name
        self.verdict = verdict
        self.finding = finding
        self.advice = advice
    }
}
