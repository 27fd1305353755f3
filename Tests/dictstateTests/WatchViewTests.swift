import DictationShared
import Glibc
import TestSupport
import Testing

@testable import dictstate

@Suite("The view in a terminal")
struct WatchViewTests {
    private static func view(_ history: [DictationState]) -> WatchView {
        var view = WatchView()
        view.agents = [(.host, 12, true), (.inserter, nil, false)]
        view.history = history
        return view
    }

    @Test("says that an agent is missing, and that nothing was dictated")
    func empty() {
        let lines = Self.view([]).lines(width: 80, height: 24)
        #expect(lines[1].text == "host-agent 12 · insert-agent: not running")
        #expect(lines[1].style == .alarm)
        #expect(lines.contains { $0.text == "Nothing was dictated yet." })
    }

    @Test("while it records: time, level and the words so far")
    func recording() throws {
        var view = Self.view([States.state(.recording, partial: "words so far")])
        view.recording = .init(milliseconds: 65_400, peaks: [-60, -24, -6])
        let lines = view.lines(width: 80, height: 24)
        let line = try #require(lines.first { $0.text.hasPrefix("●") })
        #expect(line.text == "● recording  1:05  ▁▃▇  -6 dB")
        #expect(lines.contains { $0.text == "words so far" })
    }

    @Test("shows earlier texts below the newest, and how long its steps took")
    func history() throws {
        let done = States.state(
            .ready(.inserted), text: "Newest.", timings: Timings(recording: 900, recognition: 80, typing: 4))
        let held = States.state(.ready(.held(.focusMoved)), text: "Earlier.", at: -60)
        let lines = Self.view([done, held]).lines(width: 100, height: 24)
        #expect(lines.contains { $0.text == "sound 900 ms · recognition 80 ms · typing 4 ms" })
        let line = try #require(lines.first { $0.text.contains("Earlier.") })
        #expect(line.style == .notice)
    }

    init() { setlocale(LC_CTYPE, "C.UTF-8") }

    @Test("fits into any terminal", arguments: [(80, 24), (20, 5), (10, 1), (3, 2), (1, 1)])
    func fits(width: Int, height: Int) {
        let long = String(repeating: "word 世界 ", count: 200)
        let history = (0..<40).map { States.state(.ready(.inserted), text: long, at: Double(-$0)) }
        let lines = Self.view(history).lines(width: width, height: height)
        #expect(lines.count <= height)
        for line in lines {
            let columns = line.text.unicodeScalars.reduce(0) { $0 + ($1.value > 0x2E80 ? 2 : 1) }
            #expect(columns <= width, "\(line.text)")
        }
    }

    @Test("control characters of a text do not reach the terminal")
    func controls() { #expect("a\u{1B}[2Jb\nc".cut(toColumns: 20) == #"a\x1B[2Jb c"#) }
}
