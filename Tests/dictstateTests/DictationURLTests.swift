import Testing

@testable import dictstate

@Suite("URLs")
struct DictationURLTests {
    @Test(
        "ask for what there is",
        arguments: [
            ("voicedictation://record", DictationURL.record), ("VoiceDictation://Record/", .record),
            ("voicedictation://stop", .stop), ("voicedictation://toggle", .toggle),
            ("voicedictation://cancel", .cancel), ("voicedictation://insert", .insert(nil)),
            ("voicedictation://insert/", .insert(nil)), ("voicedictation://insert/4fa2", .insert("4fa2")),
        ])
    func known(text: String, url: DictationURL) { #expect(DictationURL(text) == url) }

    @Test(
        "anything else asks for nothing",
        arguments: [
            "", "record", "http://record", "voicedictation:record", "voicedictation://",
            "voicedictation://erase", "voicedictation://record/now", "voicedictation://insert/a/b",
            "voicedictation://insert?text=rm", "voicedictation://insert/4fa2?x",
        ])
    func unknown(text: String) { #expect(DictationURL(text) == nil) }
}
