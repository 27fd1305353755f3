// Code that cleans texts chooses the rules that act, and passes the user's own words.
@_exported import CleanupChoices

/// A rule as a value: it changes the draft, notes what it did, and says whether it did anything.
protocol WordRule: Sendable {
    var rule: CleaningRule { get }
    func apply(to draft: inout Draft) -> Bool
}
