import Desktop
import DictationSettings
import DictationSystem
import Testing

@testable import DictationInsertion

@Suite("How a text is inserted")
struct InsertionStyleTests {
    private static func style(
        _ windowClass: String, title: String = "", profiles: [ProfileSettings] = []
    ) -> InsertionStyle {
        InsertionStyle(
            for: WindowInfo(id: 1, windowClass: windowClass, title: title), insert: InsertSettings(),
            profiles: profiles)
    }

    private static func profile(_ change: (inout ProfileSettings) -> Void) -> ProfileSettings {
        var profile = ProfileSettings()
        change(&profile)
        return profile
    }

    @Test(
        "in a terminal a newline is a space, elsewhere it is Return",
        arguments: [
            ("XTerm", true), ("UXTerm", true), ("Gnome-terminal", true), ("kitty", true), ("Alacritty", true),
            ("konsole", true), ("URxvt", true), ("st-256color", true), ("org.gnome.Ptyxis", true),
            ("org.wezfurlong.wezterm", true), ("foot", true), ("footclient", true),
            ("org.gnome.Console", true),
            ("com.raggesilver.BlackBox", true), ("havoc", true), ("Gedit", false), ("firefox", false),
            ("Best", false),
            ("", false),
        ])
    func terminals(windowClass: String, isTerminal: Bool) {
        let style = Self.style(windowClass)
        #expect(style.isTerminal == isTerminal)
        #expect(style.newline == (isTerminal ? .space : .return))
    }

    @Test("the first profile that fits holds, by class and title, with * and ?")
    func profiles() {
        let profiles = [
            Self.profile {
                $0.windowClass = "slack"
                $0.newline = .set(.shiftReturn)
            },
            Self.profile {
                $0.windowClass = "fire*"
                $0.title = "*search*"
                $0.finalStop = false
            },
            Self.profile {
                $0.windowClass = "xter?"
                $0.newline = .set(.return)
                $0.method = .set(.paste)
                $0.pace = 20
            },
            Self.profile { $0.trailingSpace = true },
        ]
        #expect(Self.style("Slack", profiles: profiles).newline == .shiftReturn)
        #expect(!Self.style("firefox", title: "Web Search - Mozilla", profiles: profiles).finalStop)
        #expect(Self.style("firefox", title: "Mail", profiles: profiles).finalStop)
        #expect(Self.style("firefox", title: "Mail", profiles: profiles).trailingSpace)
        let xterm = Self.style("XTerm", profiles: profiles)
        #expect(xterm.newline == .return)
        #expect(xterm.method == .paste)
        #expect(xterm.pace == .milliseconds(20))
        #expect(!xterm.trailingSpace)
    }

    @Test(
        "Enter is pressed by itself where it would be lost, or be another key",
        arguments: [
            (.type, .return, false, false), (.type, .return, true, false), (.type, .space, false, false),
            (.type, .space, true, true), (.type, .shiftReturn, true, true), (.paste, .return, false, true),
            (.paste, .space, false, false), (.paste, .space, true, true), (.xdotool, .return, false, true),
            (.copy, .return, true, false),
        ] as [(InsertMethod, NewlineKey, Bool, Bool)])
    func enter(method: InsertMethod, newline: NewlineKey, pressEnter: Bool, isPressed: Bool) {
        let profile = Self.profile { ($0.newline, $0.pressEnter) = (.set(newline), pressEnter) }
        let style = Self.style("Slack", profiles: [profile])
        let split = style.splitEnter(off: "One.\n", for: method)
        #expect(split.text == (isPressed ? "One." : "One.\n"))
        #expect(split.isPressed == isPressed)
        #expect(style.splitEnter(off: "One.", for: method) == ("One.", false))
        // A line separator is a new line that was dictated, and never sends anything.
        #expect(style.splitEnter(off: "\u{2028}", for: method) == ("\u{2028}", false))
    }

    @Test(
        "the words: verbatim, or without the stop at the end",
        arguments: [
            (true, false, "Hello there."), (false, false, "Hello there"), (true, true, "hello um there"),
            (false, true, "hello um there"),
        ])
    func words(finalStop: Bool, verbatim: Bool, expected: String) {
        let style = Self.style(
            "X",
            profiles: [
                Self.profile {
                    $0.finalStop = finalStop
                    $0.verbatim = verbatim
                }
            ])
        #expect(style.words(raw: "hello um there", cleaned: "Hello there.") == expected)
    }

    @Test("of an ellipsis, a question or nothing, no stop is taken", arguments: ["Well...", "Why?", "", "…"])
    func otherEnds(text: String) {
        let style = Self.style("X", profiles: [Self.profile { $0.finalStop = false }])
        #expect(style.words(raw: "", cleaned: text) == text)
    }

    @Test(
        "a space separates two texts, if the first ended without one and the second needs one",
        arguments: [
            ("Hello.", "World.", " "), ("Hello. ", "World.", ""), ("Hello", ", world", ""),
            ("Hello\n", "x", ""),
            ("(", "x", ""), ("Hello", " x", ""), (nil, "World.", ""), ("", "x", ""), ("50", "%", ""),
        ] as [(String?, String, String)])
    func spacing(previous: String?, text: String, before: String) {
        #expect(FramedText(text, after: previous, style: Self.style("X")).before == before)
    }

    @Test(
        "no space is put between two texts of a script that puts none between words",
        arguments: [
            ("今日は晴れ。", "明日は雨。", ""), ("今天", "明天", ""), ("カタカナ", "ひらがな", ""), ("你好", "world", ""),
            ("Hello", "世界", ""), ("はい！", "Yes", ""), ("สวัสดี", "ครับ", ""), ("ສະບາຍດີ", "ຂອບໃຈ", ""),
            ("សួស្តី", "អរគុណ", ""), ("မင်္ဂလာပါ", "ကျေးဇူး", ""), ("𠮷", "野家", ""), ("ｶﾀｶﾅ", "ｶﾅ", ""),
            ("안녕하세요.", "감사합니다.", " "), ("감사", "합니다", " "), ("مرحبا", "شكرا", " "), ("नमस्ते", "धन्यवाद", " "),
        ])
    func scripts(previous: String, text: String, before: String) {
        #expect(FramedText(text, after: previous, style: Self.style("X")).before == before)
    }

    @Test(
        "a text with indented lines is not taken back from an editor, which may take more than it",
        arguments: [
            ("kate", "one\n  two", true), ("kate", "  one", true), ("kate", "one\n\t\ttwo\n", true),
            ("kate", "one\n\ntwo", false), ("kate", " one\n two", false), ("kate", " ", false),
            ("kate", "", false), ("libreoffice-writer", "  one", false), ("firefox", "  one", false),
        ])
    func indentation(windowClass: String, text: String, indents: Bool) {
        #expect(Self.style(windowClass).alteration.indents(text) == indents)
    }

    @Test("a trailing space is typed if the profile wants one, and not twice")
    func trailing() {
        let style = Self.style("X", profiles: [Self.profile { $0.trailingSpace = true }])
        #expect(FramedText("Hi.", after: nil, style: style).whole == "Hi. ")
        #expect(FramedText("Hi. ", after: nil, style: style).whole == "Hi. ")
        #expect(FramedText("", after: "Hi.", style: style).whole.isEmpty)
        #expect(style.end(behind: "Hi.") == " ")
        #expect(style.end(behind: "Hi.\n").isEmpty && style.end(behind: "").isEmpty)
    }

    @Test("spaces around a text do not count as characters of it")
    func counting() {
        let style = Self.style("X", profiles: [Self.profile { $0.trailingSpace = true }])
        let framed = FramedText("Hi.", after: "x", style: style)
        #expect((0...5).map(framed.bodyCount(of:)) == [0, 0, 1, 2, 3, 3])
    }
}
