import DictationText
import Testing

/// The examples of the library's documentation, DictationText.docc.
@Suite("Examples of the documentation")
struct DocumentedExampleTests {
    @Test("say what comes out")
    func examples() {
        #expect(TextCleaner().clean("um so what what do you think").text == "What do you think?")
        let marksOnly = TextCleaner(options: .init(rules: [.capitals, .finalMark]))
        #expect(marksOnly.clean("so that is it").text == "So that is it.")
        let dictionary = TextDictionary(
            replacements: [.init(heard: "my address", written: "12 High Street")], names: ["Kubernetes"])
        let cleaner = TextCleaner(options: .init(dictionary: dictionary))
        #expect(
            cleaner.clean("send kubernetes to my address").text == "Send Kubernetes to 12 High Street.")
        #expect(!cleaner.clean("on friday no wait on monday").actions.isEmpty)
    }
}
