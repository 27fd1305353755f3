import CleanupChoices
import Foundation

extension TextDictionary.Pattern {
    /// The text with each match replaced.
    ///
    /// - Parameter budget: the rest of the budget for all patterns; less afterward.
    /// - Returns: nil if the search was stopped: of an expression like `(\w+\s*)+:` the steps double with
    ///   each word that does not fit, which would take too long.
    func replacingMatches(in text: String, _ budget: inout PatternBudget) -> String? {
        if budget.isSpent { return nil }
        let whole = NSString(string: text)
        var replaced = ""
        var end = 0
        var spending = budget
        spending.begin()
        var isGivenUp = false
        expression.enumerateMatches(
            in: text, options: .reportProgress, range: NSRange(location: 0, length: whole.length)
        ) { match, _, stop in
            // It also reports its progress: at each place of the text, and after each 10,000 steps or so (ICU's
            // `uregex_setMatchCallback`), a fifth of a millisecond.
            if spending.isSpent {
                isGivenUp = true
                stop.pointee = true
                return
            }
            guard let match else { return }
            replaced += whole.substring(with: NSRange(location: end, length: match.range.location - end))
            replaced += expression.replacementString(
                for: match, in: text, offset: 0, template: template)
            end = match.range.location + match.range.length
        }
        spending.end()
        budget = spending
        return isGivenUp ? nil : replaced + whole.substring(from: end)
    }
}
