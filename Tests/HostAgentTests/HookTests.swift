import DictationSettings
import Logging
import TestSupport
import Testing

@testable import DictationHost

@Suite("Hooks")
struct HookTests {
    @Test("one runs with a text that is too long for a variable, and that is not set then")
    func longText() async throws {
        let folder = try TemporaryFolder("hooks")
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let settings = """
            [[hook]]
            on = "cleaned"
            command = ["sh", "-c", "cat; echo ${VOICEDICTATION_RAW_TEXT:-none}"]
            limit = 60
            """
        let file = SettingsFile(path: try folder.write(settings, to: "settings.toml"))
        let hooks = Hooks(settings: try LiveSettings(file: file, logger: logger), logger: logger)
        let long = String(repeating: "a", count: 131_072)
        for (raw, expected) in [(long, "none"), ("short", "short")] {
            let revised = await hooks.revise(long, raw: raw, of: nil)
            #expect(revised.text == long + expected && revised.failure == nil)
        }
    }
}
