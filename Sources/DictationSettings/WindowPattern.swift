/// A pattern for the class or the title of a window: "*" is any text, "?" any one character, and every other character is
/// itself: titles have brackets. Case is ignored; an empty pattern matches any text.
struct WindowPattern {
    private let pattern: [Character]

    init(_ pattern: String) { self.pattern = Array(pattern.lowercased()) }

    func matches(_ text: String) -> Bool {
        guard !pattern.isEmpty else { return true }
        let text = Array(text.lowercased())
        var (place, next) = (0, 0)
        /// After the last "*", and where the text continues after what it matches so far.
        var star: (behind: Int, place: Int)?
        while place < text.count {
            if next < pattern.count, pattern[next] == "*" {
                next += 1
                star = (next, place)
            } else if next < pattern.count, pattern[next] == "?" || pattern[next] == text[place] {
                (place, next) = (place + 1, next + 1)
            } else if let last = star {
                star = (last.behind, last.place + 1)
                (place, next) = (last.place + 1, last.behind)
            } else {
                return false
            }
        }
        return pattern[next...].allSatisfy { $0 == "*" }
    }
}
