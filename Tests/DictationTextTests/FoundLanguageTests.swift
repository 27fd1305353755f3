import DictationText
import Testing

@Suite("The language of a text, if it is not given")
struct FoundLanguageTests {
    @Test(
        "is found by its words of grammar",
        arguments: [
            ("so we meet on Monday because the weather will be good", "en"),
            ("Please send the report to the people who asked for it.", "en"),
            ("I think that's what she meant", "en"),
            ("ich glaube dass wir am Montag in die Stadt gehen", "de"),
            ("Bitte schicke den Bericht an die Leute, die danach gefragt haben.", "de"),
            ("das ist nicht so gemeint", "de"),
            ("creo que el lunes vamos a la ciudad con los niños", "es"),
            ("Por favor, envía el informe a las personas que lo pidieron.", "es"),
        ])
    func found(text: String, code: String) {
        let language = Language.matching("auto", of: text)
        #expect(language.identifier == code && language.isKnown)
    }

    @Test(
        "is unknown if there are no rules for it, or no evidence: no word of it is changed then",
        arguments: [
            "je pense que nous allons en ville avec les enfants", "c'est la maison de la voisine dans la rue",
            "penso che andiamo in città con una macchina", "eu acho que não vamos em casa mas você vai",
            "ik denk dat het een goed idee is om naar de stad te gaan", "Kubernetes", "", "12 345",
            "dzisiaj jest bardzo ładna pogoda", "сегодня очень хорошая погода",
        ])
    func unknown(text: String) { #expect(!Language.matching("auto", of: text).isKnown) }

    @Test("is that of the locale wherever there is one")
    func said() {
        #expect(Language.matching("de-AT", of: "so we meet on Monday because of it").identifier == "de")
    }

    @Test("cleans as if it had been said")
    func cleaned() {
        let said = "ähm ich glaube dass wir uns am montag treffen"
        let cleaner = TextCleaner(language: .matching("auto", of: said))
        #expect(cleaner.clean(said).text == TextCleaner(language: .german).clean(said).text)
    }
}
