import TestSupport

/// Makes fluent texts that continue after a complete sentence: "fine what about two rooms", "what does it
/// cost oh and is it new", "find a hotel maybe a cheap one". They have no corrections, although they have the
/// words of corrections.
struct TalkingOn {
    private let texts: [String]

    init(_ texts: [String]) { self.texts = texts }

    /// The answers that people give before they come to the point.
    private static let answers = """
        sure, fine, alright, all right, okay, ok, great, perfect, correct, yes, yeah, no, nope, thanks, thank you, \
        thanks a lot, thank you very much, that's great, that is fine, that's a lot better, that works, sounds good, \
        that sounds good to me, i like that, yes that's right, that is correct, not right now, never mind, hello, hi, \
        hey, excuse me, good, good morning, of course, i see, i am, i do, i don't, no problem, one moment, got it, cool
        """.split(separator: ",").map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    /// With what they begin the rest.
    private static let openings = [
        "what about", "how about", "maybe", "actually", "instead", "specifically", "tell me",
        "i want to know", "i'd like to know", "that would be", "make it", "or maybe", "rather", "i mean",
        "i guess", "sorry",
    ]
    /// The words that they say between two sentences.
    private static let joints = [
        "", "", "", "", "and", "and", "oh and", "oh", "also", "and also", "but", "so", "yeah", "actually",
        "maybe", "tell me", "please tell me", "and tell me", "wait", "thanks", "please", "then", "or", "no",
        "well",
    ]
    /// The share that begins with an answer, and the share that has two sentences.
    private static let answering = 0.6
    private static let double = 0.6

    func text(using generator: inout SeededGenerator) -> String {
        guard var text = texts.randomElement(using: &generator) else { return "" }
        var parts: [String] = []
        if Double.random(in: 0..<1, using: &generator) < Self.answering {
            parts.append(Self.answers.randomElement(using: &generator) ?? "")
            if Bool.random(using: &generator) { parts[0] += "," }
            let opening = Self.openings.randomElement(using: &generator) ?? ""
            if Int.random(in: 0..<3, using: &generator) == 0 { parts.append(opening) }
            text = Self.lowercased(text)
        }
        parts.append(text)
        guard Double.random(in: 0..<1, using: &generator) < Self.double,
            let second = texts.randomElement(using: &generator)
        else { return parts.joined(separator: " ") }
        parts[parts.count - 1] = Self.unended(text) + (Bool.random(using: &generator) ? "," : "")
        parts.append(Self.joints.randomElement(using: &generator) ?? "")
        parts.append(Self.lowercased(second))
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private static func lowercased(_ text: String) -> String {
        text.hasPrefix("I ") || text.hasPrefix("I'") ? text : text.prefix(1).lowercased() + text.dropFirst()
    }

    private static func unended(_ text: String) -> String {
        var text = text[...]
        while let last = text.last, ".?!,".contains(last) { text.removeLast() }
        return String(text)
    }
}
