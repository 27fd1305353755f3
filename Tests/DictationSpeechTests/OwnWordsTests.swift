import DictationSystem
import Foundation
import Testing

@testable import DictationSpeech

@Suite("Words of one's own in PocketSphinx", .serialized, .timeLimit(.minutes(5)))
struct OwnWordsTests {
    @Test("however many words of one's own there are, each is heard and written as it was given")
    func manyWords() async throws {
        let recognizer = PocketSphinxRecognizer()
        // Far more words than the model's tables hold; they are not in any recording.
        let others = (1...20).map { CustomWord(text: "Other\($0)", pronunciation: "Z UH ZH OY NG ZH UH") }
        let spoken = [
            CustomWord(text: "BlockBooks", pronunciation: "B L AA K B UH K S"),
            CustomWord(text: "InPrint", pronunciation: "P R IH N T IH D"),
        ]
        try await recognizer.learn([spoken[0]] + others + [spoken[1]])
        let text = try await SpeechSession(recognizer: recognizer).transcribe(audioFile: Recording.demo.url)
            .plainText
        #expect(text.contains("BlockBooks") && !text.contains("(") && !text.contains("ones-own"), "\(text)")
    }

    @Test("names that are biased get the dictionary's pronunciations, and those that it lacks are left out")
    func names() async throws {
        let decoder = try PocketSphinxDecoder(model: .debianEnglish)
        let names = decoder.speakable(["John Dashwood", "Nosuchword", "Gutenberg"])
        #expect(names.map(\.text) == ["John", "Dashwood", "Gutenberg"])
        #expect(decoder.add(names) == nil)
    }
}
