/// What came of looking at one thing that dictation needs: for `host-agent check` and `dictstate doctor`, which asks the
/// former.
public struct Finding: Codable, Equatable, Sendable {
    public enum Verdict: String, Codable, Sendable {
        case ok, warning, problem
    }

    /// What was looked at, such as `microphone`.
    public let name: String
    public let verdict: Verdict
    /// What was found.
    public let finding: String
    /// What to do about it; nil where nothing is to be done.
    public let advice: String?

    public init(_ name: String, _ verdict: Verdict, _ finding: String, advice: String? = nil) {
        self.name = name
        self.verdict = verdict
        self.finding = finding
        self.advice = advice
    }
}
