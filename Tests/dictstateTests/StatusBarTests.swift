import DictationShared
import TestSupport
import Testing

@testable import dictstate

@Suite("The text of a status bar")
struct StatusBarTests {
    static let moods: [(DictationState?, held: Int, host: Bool, mood: StatusBar.Mood, text: String)] = [
        (nil, 0, true, .idle, ""),
        (nil, 0, false, .off, "○ off"),
        (States.state(.recording, partial: "so far"), 3, true, .recording, "● recording"),
        (States.state(.starting), 0, true, .recording, "● recording"),
        (States.state(.processing), 0, true, .processing, "… writing"),
        (States.state(.ready(.pending), text: "a"), 0, true, .processing, "… writing"),
        (States.state(.ready(.inserted), text: "a"), 0, true, .idle, ""),
        (States.state(.ready(.inserted), text: "a"), 2, true, .held, "■ 2 held"),
        (States.state(.ready(.held(.focusMoved)), text: "a"), 1, true, .held, "■ 1 held"),
        (States.state(.failed(.noSpeech)), 0, true, .error, "▲ no-speech"),
        (States.state(.cancelled), 0, true, .idle, ""),
    ]

    @Test("the most urgent thing wins", arguments: moods.indices)
    func mood(index: Int) {
        let row = Self.moods[index]
        let bar = StatusBar(newest: row.0, held: row.held, hostRuns: row.host, inserterRuns: true)
        #expect(bar.mood == row.mood)
        #expect(bar.text == row.text)
    }

    @Test("each bar gets its own language, and one line")
    func formats() throws {
        let state = States.state(.recording, partial: "a < b\nand more")
        let bar = StatusBar(newest: state, held: 0, hostRuns: true, inserterRuns: false)
        #expect(try bar.line(.polybar) == "%{F#E5484D}● recording%{F-}")
        let waybar = try bar.line(.waybar)
        #expect(waybar.contains(#""class":"recording""#) && waybar.contains(#""text":"● recording""#))
        #expect(waybar.contains(#"a &lt; b\nand more\nnot running: insert-agent"#))
        #expect(try bar.line(.i3status).contains(##""color":"#E5484D""##))
        for format in OutputFormat.allCases { #expect(try !bar.line(format).contains("\n")) }
    }

    @Test("nothing to see is an empty text, so that the bar hides it")
    func idle() throws {
        let bar = StatusBar(newest: nil, held: 0, hostRuns: true, inserterRuns: true)
        #expect(try bar.line(.polybar).isEmpty)
        #expect(try bar.line(.i3status).contains(#""full_text":"""#))
    }
}
