import DictationSettings
import Foundation
import TestSupport
import Testing

@Suite("A settings file under its former name")
struct FormerFileTests {
    @Test("has no effect, and is not passed over in silence")
    func former() throws {
        let home = try TemporaryFolder("former")
        let folder = home.file(".config/voicedictation")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let former = folder + "/settings.toml"
        try home.write("[host]\nhotkey = \"F8\"\n", to: ".config/voicedictation/settings.toml")
        let file = SettingsFile.standard(environment: ["HOME": home.path])
        let loaded = try file.load()
        #expect(loaded.values == Settings())
        #expect(
            loaded.warningLines == [
                "\(former) has no effect: the settings are in config.toml now. Rename it to use them again: "
                    + "mv \(former) \(file.path)"
            ])
        try file.set("host.hotkey", to: "F7")
        #expect(try file.load().warningLines.first?.contains("Copy what you need into config.toml") == true)
        try FileManager.default.removeItem(atPath: former)
        #expect(try file.load().warningLines.isEmpty)
        // A file that is named explicitly replaces no older one.
        try home.write("", to: ".config/voicedictation/settings.toml")
        let named = SettingsFile.standard(
            environment: ["HOME": home.path, SettingsFile.environmentVariable: folder + "/config.toml"])
        #expect(try named.load().warningLines.isEmpty)
    }
}
