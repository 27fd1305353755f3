import Testing

@testable import DictationSpeech

@Suite("Words that a model says again and again")
struct RepetitionLoopTests {
    @Test(
        "are found with the number of words before them; what people repeat is none",
        arguments: [
            ("an example of fine type pi pi pi pi pi pi", 5),
            ("Sir, sir, sir, sir, sir", 0),
            ("Another is to be a little bit of a little bit of a little bit of", 4),
            ("In the same way, with other ways, with other ways, with other ways.", 4),
            ("occupied or caught or caught or caught or", 1),
            ("Seven of clubs, seven of clubs,", nil),
            ("or 42 Line Bible, of about 42 Line Bible, of about 42", 1),
            ("No, no, no.", nil), ("It is very very good.", nil), ("I said I said no.", nil),
            ("It was the best of times, it was the worst of times.", nil),
            ("five five five one two one two", nil), ("- - - - - -", nil), ("", nil),
        ] as [(String, Int?)])
    func found(text: String, wordsBefore: Int?) {
        #expect(RepetitionLoop(in: text)?.wordsBefore == wordsBefore)
    }

    @Test("a long text is looked through at once")
    func long() {
        let words = (0..<5_000).map { "w\($0)" }
        #expect(RepetitionLoop(in: words.joined(separator: " ")) == nil)
        #expect(RepetitionLoop(in: (words + Array(repeating: "w", count: 9)).joined(separator: " ")) != nil)
    }

    @Test(
        "another decoding is the better one if it has no loop, and all that was said before",
        arguments: [
            ("a book of type pi.", true), ("a book of type", true), ("a book of", false), ("", false),
            ("a book of type pi pi pi pi", false),
        ])
    func mended(text: String, isBetter: Bool) throws {
        let loop = try #require(RepetitionLoop(in: "a book of pi pi pi pi pi pi"))
        #expect(loop.isMended(by: text) == isBetter)
    }
}
