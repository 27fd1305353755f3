// Code that cleans texts chooses the rules that act, and passes the user's own words.
@_exported import CleanupChoices

/// A rule as a value: it changes the draft, records its changes, and returns whether there were any.
protocol WordRule: Sendable {
    var rule: CleaningRule { get }
    func apply(to draft: inout Draft) -> Bool
}
