import DictationShared
import Foundation
import TestSupport
import Testing

@testable import DictationSettings

@Suite("The settings file")
struct SettingsReadingTests {
    private static func problems(_ text: String) -> [String] {
        Settings.reading(Array(text.utf8)).problems.map {
            "\($0.position.line):\($0.position.column) \($0.message)"
        }
    }

    @Test("that is empty means the defaults")
    func empty() {
        let reading = Settings.reading([])
        #expect(reading.problems.isEmpty)
        #expect(reading.root == Settings())
    }

    @Test("sets what it says, and nothing else")
    func sets() {
        let text = """
            [history]
            keep-count = 50
            keep-days = "all"
            private = true

            [audio]
            keep = "7 days"
            device = "plughw:1,0"
            """
        let reading = Settings.reading(Array(text.utf8))
        #expect(reading.problems.isEmpty)
        var expected = Settings()
        expected.history.keepCount = .upTo(50)
        expected.history.keepDays = .all
        expected.history.isPrivate = true
        expected.audio.keep = .days(7)
        expected.audio.device = "plughw:1,0"
        #expect(reading.root == expected)
        #expect(reading.positions["history.keep-days"] == SourcePosition(line: 3, column: 1))
        #expect(reading.positions["host.hotkey"] == nil)
    }

    @Test(
        "says where an error is, and what is allowed",
        arguments: [
            (
                "[history]\n  private = \"yes\"",
                "2:13 “private” must be true or false; found \"yes\""
            ),
            (
                "[history]\nkeep-count = -1",
                "2:14 “keep-count” must be a whole number from 0 to 1000000, or \"all\"; found -1"
            ),
            (
                "[insert]\npatience = 1.5",
                "2:12 “patience” must be a whole number from 1 to 86400; found 1.5"
            ),
            (
                "[audio]\nkeep = \"a while\"",
                "2:8 “keep” must be \"never\", a number of \"… days\" or of \"… recordings\"; "
                    + "found \"a while\""
            ),
            (
                "[audio]\nkeep = \"0 days\"",
                "2:8 “keep” must be \"never\", a number of \"… days\" or of \"… recordings\"; "
                    + "found \"0 days\""
            ),
            (
                "[group]\nfolder = \"here\"",
                "2:10 “folder” must be an absolute path, or \"\"; found \"here\""
            ),
            (
                "[log]\nlevel = \"loud\"",
                "2:9 “level” must be \"trace\", \"debug\", \"info\", \"notice\", \"warning\", \"error\" or "
                    + "\"critical\"; found \"loud\""
            ),
            ("history = 3", "1:11 “history” is a section: write [history] on a line of its own"),
            ("[[log]]", "1:1 “log” is a section: write [log] on a line of its own"),
        ])
    func wrong(text: String, message: String) {
        #expect(Self.problems(text) == [message])
    }

    @Test(
        "with an unknown name is valid, with a warning that has the nearest known one",
        arguments: [
            (
                "[host]\nhotky = \"F8\"\nhotkey = \"F7\"",
                "2:1 “hotky” has no effect: [host] has no such key; did you mean “hotkey”?"
            ),
            (
                "[histry]\nprivate = true\n[host]\nhotkey = \"F7\"",
                "1:2 [histry] has no effect: there is no such section; did you mean “history”?"
            ),
            (
                "[[profle]]\n[host]\nhotkey = \"F7\"",
                "1:3 [profle] has no effect: there is no such section; did you mean “profile”?"
            ),
            (
                "private = true\n[host]\nhotkey = \"F7\"",
                "1:1 “private” has no effect: it is outside of all sections; put it below [[hotkey]] or [history]"
            ),
            (
                "method = \"paste\"\n[host]\nhotkey = \"F7\"",
                "1:1 “method” has no effect: it is outside of all sections; put it below [insert] or [[profile]]"
            ),
            (
                "frobnicate = 1\n[host]\nhotkey = \"F7\"\n[wxyz]\n[insert]\nfrobnicate = 2",
                """
                1:1 “frobnicate” has no effect: it is outside of all sections; to list them: \
                dictstate settings --example
                4:2 [wxyz] has no effect: there is no such section; to list them: dictstate settings --example
                6:1 “frobnicate” has no effect: [insert] has no such key; to list them: \
                dictstate settings --example
                """
            ),
        ])
    func unknown(text: String, message: String) {
        let reading = Settings.reading(Array(text.utf8))
        #expect(reading.problems.isEmpty)
        #expect(
            reading.warnings.map { "\($0.position.line):\($0.position.column) \($0.message)" }
                .joined(separator: "\n") == message)
        #expect(reading.root.host.hotkey == "F7")
    }

    @Test("has all its errors told at once, in the order of the file")
    func several() {
        let text = "[log]\nlevel = 1\n[audio]\nkeep = 4\nmicrophone = \"x\"\ndevice = \"\"\n"
        let found = Self.problems(text)
        #expect(found.map { String($0.prefix(3)) } == ["2:9", "4:8", "6:1"])
        #expect(found.last?.contains("name of an ALSA device") == true)
    }

    @Test(
        "that is no TOML is reported with line and column",
        arguments: [
            ("[history\nprivate = true", 1), ("[history]\nprivate = \n", 2), ("[log]\nlevel = \"info", 2),
            ("[log]\nlevel = \"info\"\nlevel = \"debug\"\n", 3), ("[log]\n[log]\n", 2), ("\u{0}", 1),
            ("[log]\n[[[\n[history]", 2), ("[.log]", 1), ("\n\n[ $x]", 3), ("[log]\nlevel = {= 1}", 2),
            ("[log]\nlevel.=1", 2), ("= 1", 1), ("[log]\nlevel = [[[", 2),
        ])
    func syntax(text: String, line: Int) {
        let reading = Settings.reading(Array(text.utf8))
        #expect(reading.problems.map(\.position.line) == [line])
        #expect(reading.root == Settings())
        #expect(!reading.isTOML)
    }

    @Test("is reported to the column where no name can begin")
    func column() {
        #expect(Self.problems("[log]\n  [[[\n").first?.hasPrefix("2:5 ") == true)
        #expect(Self.problems("# é\n[log]\n[ .x]").first?.hasPrefix("3:3 ") == true)
    }

    private static func repeated(_ text: String, _ count: Int) -> String {
        String(repeating: text, count: count)
    }

    private static let deepTexts: [(String, String)] = [
        (repeated("a.", 50_000) + "a = 1", "1:33 a name has more than 16 parts"),
        ("# a.b\n[" + repeated("\"ä.b\" . ", 16) + "c]", "2:129 a name has"),
        ("x = {" + repeated("'a'.", 16) + "a = 1}", "1:70 a name has"),
        (
            "x = " + repeated("{a.a.a.a.a = ", 14) + "1" + repeated("}", 14),
            "it is within more than 64 sections and lists"
        ),
        ("x = " + repeated("[", 50_000), "nested"),
    ]

    @Test(
        "with a name of many parts, or much within each other, is told to its place, and nothing overflows",
        arguments: deepTexts)
    func deep(text: String, message: String) throws {
        let problem = try #require(Self.problems(text).first)
        #expect(problem.contains(message), "\(problem)")
    }

    @Test("with points in its strings and comments, and 16 parts in a name, is read")
    func points() {
        let points = Self.repeated("a.", 40)
        let quoted = "\"\\\" \(points)\""
        let text = """
            # \(points)
            [speech] # \(points)
            hot-words = [\(quoted), '\(points)"', \"\"\"
            \(points)"" \\\"\"\" \(points)\"\"\"\"\", '''\(points)'' # \(points)'''''] # "
            [\(Self.repeated("x.", 15))x]
            """
        let reading = Settings.reading(Array(text.utf8))
        #expect(reading.problems.isEmpty, "\(reading.problems)")
        #expect(reading.root.speech.hotWords.count == 4)
        #expect(reading.warnings.count == 1)
    }

    @Test("with anything at all in it is an error, not a crash")
    func anything() {
        let seed = TestSeed.next()
        var generator = SeededGenerator(seed: seed)
        let good = Array(SettingsExample.text.utf8)
        let marks = Array("[]{}()\"'=.,#+-_\\/$:;<>*&!? \t\n\r09azTZ\u{0}\u{7f}é😀".utf8)
        for _ in 0..<3_000 {
            // The example has comments alone; without the # its lines are what people write.
            let start = Int.random(in: 0..<good.count, using: &generator)
            var bytes = good[start...].prefix(Int.random(in: 1...400, using: &generator))
                .filter { $0 != UInt8(ascii: "#") }
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let place = Int.random(in: 0...bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0 where place < bytes.count: bytes.remove(at: place)
                case 1 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                default: bytes.insert(marks.randomElement(using: &generator) ?? 0, at: place)
                }
            }
            let reading = Settings.reading(bytes)
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(reading.isTOML || !reading.problems.isEmpty, "seed \(seed): \(text)")
        }
    }

    @Test("is found where the environment says")
    func place() {
        #expect(
            SettingsFile.standard(environment: ["VOICEDICTATION_SETTINGS": "/x/y.toml"]).path == "/x/y.toml")
        #expect(
            SettingsFile.standard(environment: ["XDG_CONFIG_HOME": "/etc/me"]).path
                == "/etc/me/voicedictation/config.toml")
        #expect(
            SettingsFile.standard(environment: ["XDG_CONFIG_HOME": "relative"]).path
                .hasSuffix("/.config/voicedictation/config.toml"))
    }

    @Test("that cannot be read, or is none, is reported by name")
    func unreadable() throws {
        let folder = try TemporaryFolder("settings")
        #expect(try SettingsFile(path: folder.file("none.toml")).load().exists == false)
        do {
            _ = try SettingsFile(path: folder.path).load()
            Issue.record("a folder was read")
        } catch {
            #expect("\(error)".hasPrefix(folder.path + ": cannot be read"))
        }
    }

    @Test("with an error in another part still says where the group is")
    func whatCanBeRead() throws {
        let folder = try TemporaryFolder("settings")
        let path = try folder.write("[group]\nfolder = \"/g\"\n[log]\nlevel = 1\n", to: "settings.toml")
        let file = SettingsFile(path: path)
        #expect(throws: SettingsError.self) { try file.load() }
        #expect(file.loadWhatCanBeRead()?.values.group.folder == "/g")
        try folder.write("[group\n", to: "settings.toml")
        #expect(file.loadWhatCanBeRead() == nil)
    }

    @Test("the errors of a file that is no settings file at all do not fill the screen")
    func boundedMessages() throws {
        let folder = try TemporaryFolder("settings")
        let path = folder.file("settings.toml")
        func story(of lines: [String]) throws -> String {
            try folder.write(lines.joined(separator: "\n"), to: "settings.toml")
            let error = try #require(throws: SettingsError.self) { try SettingsFile(path: path).load() }
            return "\(error)"
        }
        let longName = try story(of: ["speech = \"\(String(repeating: "plac", count: 5_000))\""])
        #expect(longName.count < 4_000 && longName.contains("settings.toml:1:"))
        let manyNames = try story(of: (0..<500).flatMap { _ in ["[[hook]]", "on = 1"] })
        #expect(manyNames.count < 4_000 && manyNames.hasSuffix("\nand 492 more problems"))
    }

    @Test("warns of a hook without a command, and of a profile whose name another one has")
    func idle() throws {
        let folder = try TemporaryFolder("settings")
        let path = try folder.write(
            """
            [[hook]]
            on = "failed"
            [[profile]]
            name = "a"
            [[profile]]
            name = "b"
            [[profile]]
            name = "a"
            [[profile]]
            class = "X"
            [[profile]]
            class = "Y"
            """, to: "settings.toml")
        #expect(
            try SettingsFile(path: path).load().warningLines == [
                "\(path):1:1: this [[hook]] has no command, and does nothing",
                "\(path):8:1: there is a [[profile]] “a” already; that one is used where the name is asked for",
            ])
    }

    @Test("an option of the command line overrides it, and is named if it is wrong")
    func options() throws {
        let folder = try TemporaryFolder("settings")
        let path = try folder.write("[host]\nhotkey = \"F8\"\n", to: "settings.toml")
        var loaded = try SettingsFile(path: path).load()
        #expect(
            loaded.problem(with: "host.hotkey", "bad")
                == .invalid(path: path, [SettingsProblem(SourcePosition(line: 2, column: 1), "bad")]))
        loaded.override(\.host.hotkey, "host.hotkey", with: nil, by: "--hotkey")
        #expect(loaded.values.host.hotkey == "F8")
        loaded.override(\.host.hotkey, "host.hotkey", with: "F7", by: "--hotkey")
        #expect(loaded.values.host.hotkey == "F7")
        #expect(loaded.origin(of: "host.hotkey") == .option("--hotkey"))
        #expect("\(loaded.problem(with: "host.hotkey", "bad"))" == "--hotkey: bad")
        #expect(loaded.entries.first { $0.name == "host.hotkey" }?.toml == "\"F7\"")
    }
}

@Suite("The example of a settings file")
struct SettingsExampleTests {
    @Test("changes nothing as it is")
    func asItStands() {
        let reading = Settings.reading(Array(SettingsExample.text.utf8))
        #expect(reading.problems.isEmpty)
        #expect(reading.positions.isEmpty)
        #expect(reading.root == Settings())
    }

    @Test("has every setting with its default: without the # before them they are read, and are the defaults")
    func uncommented() {
        let lines = SettingsExample.text.split(separator: "\n", omittingEmptySubsequences: false).map {
            line in
            line.wholeMatch(of: /# ([a-z-]+ = .*|\[\[.*\]\])/).map { String($0.output.1) } ?? String(line)
        }
        let reading = Settings.reading(Array(lines.joined(separator: "\n").utf8))
        #expect(reading.problems.isEmpty)
        // A section that is allowed more than once is there once, with its defaults.
        var expected = Settings()
        (expected.profiles, expected.hooks) = ([ProfileSettings()], [HookSettings()])
        (expected.hotkeys, expected.styles) = ([HotkeySettings()], [StyleSettings()])
        #expect(reading.root == expected)
        let all = Settings.parts.flatMap { part in
            part.keys.map { "\(part.name)\(part.isList ? "[0]" : "").\($0.name)" }
        }
        #expect(Set(reading.positions.keys) == Set(all))
        #expect(lines.allSatisfy { $0.count <= 110 })
    }

    @Test("every way to write a value is read back as that value")
    func roundTrip() {
        for keep in [AudioRetention.never, .days(1), .days(30), .count(1), .count(20)] {
            let text = "[audio]\nkeep = \(keep.toml)"
            #expect(Settings.reading(Array(text.utf8)).root.audio.keep == keep)
        }
        for text in ["", "a \"quoted\" \\ word", "tab\tnewline\nbell\u{7}delete\u{7F}", "Grüße 👩‍👩‍👧"] {
            let source = "[audio]\ndevice = \(("x" + text).toml)"
            #expect(Settings.reading(Array(source.utf8)).root.audio.device == "x" + text)
        }
    }
}

/// A list of sections, which no settings have yet.
@Suite("A section that may come more than once")
struct SettingsListTests {
    struct Rule: SettingsSection {
        static let name = "rule"
        static let about = "A rule."
        static let keys = [
            SettingKey(\Self.patterns, "patterns", help: "Which windows."),
            SettingKey(\Self.speed, "speed", in: 1...9, help: "How fast."),
        ]
        var patterns: [String] = []
        var speed = 5
    }

    struct Root: SettingsRoot {
        static let parts: [SettingsPart<Root>] = [.list(\.rules)]
        var rules: [Rule] = []
    }

    @Test("gives one value for each, in the order of the file")
    func list() {
        let text = "[[rule]]\npatterns = [\"a\", \"b\"]\n[[rule]]\nspeed = 9\n"
        let reading = Root.reading(Array(text.utf8))
        #expect(reading.problems.isEmpty)
        #expect(reading.root.rules.map(\.patterns) == [["a", "b"], []])
        #expect(reading.root.rules.map(\.speed) == [5, 9])
        #expect(reading.positions["rule[1].speed"] == SourcePosition(line: 4, column: 1))
        #expect(SettingsExample.text(for: Root.self).contains("# [[rule]]\n"))
    }

    @Test(
        "is reported with the right spelling",
        arguments: [
            ("[rule]\nspeed = 1", "1:1 “rule” may occur more than once: write [[rule]]"),
            ("rule = [1]", "1:9 a whole number is where a section [[rule]] belongs"),
            (
                "[[rule]]\npatterns = [1]",
                "2:12 “patterns” must be a list, each element a string; found a list"
            ),
        ])
    func wrong(text: String, message: String) {
        let found = Root.reading(Array(text.utf8)).problems
        #expect(found.map { "\($0.position.line):\($0.position.column) \($0.message)" } == [message])
    }
}
