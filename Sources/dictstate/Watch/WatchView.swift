import DictationShared
import DictationSystem
import Foundation

/// The picture that `dictstate watch` draws in a terminal: a pure value in, lines out.
struct WatchView: Equatable {
    var agents: [(role: AgentRole, pid: Int32?, isRunning: Bool)] = []
    /// Newest first.
    var history: [DictationState] = []
    var recording = RecordingMeter.Reading()

    static func == (left: WatchView, right: WatchView) -> Bool {
        left.history == right.history && left.recording == right.recording
            && left.agents.elementsEqual(right.agents) { $0 == $1 }
    }

    enum Style: Equatable { case plain, strong, faint, alarm, good, notice }

    /// One line on the screen.
    struct Line: Equatable {
        var text: String
        var style = Style.plain
    }

    /// - Returns: at most `height` lines of at most `width` columns.
    func lines(width: Int, height: Int) -> [Line] {
        let newest = history.first
        var lines = [Line(text: "VoiceDictation", style: .strong), agentLine(newest), Line(text: "")]
        lines += phase(newest, width: width)
        lines += text(newest, width: width)
        if let timings = newest.map(Self.timings), !timings.isEmpty {
            lines += [Line(text: ""), Line(text: timings, style: .faint)]
        }
        let earlier = history.dropFirst()
        if !earlier.isEmpty {
            lines += [Line(text: ""), Line(text: "before", style: .strong)]
            lines += earlier.map { Line(text: Self.entry($0), style: Self.style(of: $0)) }
        }
        let foot = Line(text: "q quits", style: .faint)
        return (lines.prefix(max(0, height - 1)) + [foot]).suffix(height).map {
            Line(text: $0.text.cut(toColumns: width), style: $0.style)
        }
    }

    private func agentLine(_ newest: DictationState?) -> Line {
        let agents = agents.map { agent in
            agent.isRunning
                ? "\(agent.role.rawValue)\(agent.pid.map { " \($0)" } ?? "")"
                : "\(agent.role.rawValue): not running"
        }
        let engine =
            newest.map { ["\($0.engine), \($0.locale)", $0.options.style, $0.options.profile] } ?? []
        return Line(
            text: (agents + [engine.compactMap { $0 }.joined(separator: ", ")].filter { !$0.isEmpty }).joined(
                separator: " · "),
            style: self.agents.allSatisfy(\.isRunning) ? .faint : .alarm)
    }

    private func phase(_ newest: DictationState?, width: Int) -> [Line] {
        guard let newest else { return [Line(text: "Nothing was dictated yet.")] }
        guard [.starting, .recording].contains(newest.status) else {
            return [Line(text: Description.phase(newest), style: Self.style(of: newest))]
        }
        let time = ClockText.running(recording.milliseconds / 1_000)
        let head = "● \(Description.phase(newest))  \(time)  "
        let level = recording.peaks.last.map { "  \(Int($0.rounded())) dB" } ?? ""
        let room = max(0, width - head.count - level.count)
        return [Line(text: head + Self.wave(recording.peaks, columns: min(room, 60)) + level, style: .alarm)]
    }

    private func text(_ newest: DictationState?, width: Int) -> [Line] {
        guard let newest, case var text = Description.text(newest), !text.isEmpty else { return [] }
        if newest.isBeingSpoken, newest.isBegun {
            // The text before the bar is in the window already.
            text = "\(newest.spokenText.typed) │\(newest.spokenText.tentative)"
        }
        // The end of a long text has the last words.
        return text.wrapped(toColumns: width).suffix(6).map { Line(text: $0) }
    }

    /// The time, the outcome in a word, and the text.
    private static func entry(_ state: DictationState) -> String {
        let word = (state.delivery?.name ?? state.error?.code ?? state.status.rawValue)
            .padding(toLength: 10, withPad: " ", startingAt: 0)
        return "\(Description.time(state.timestamp))  \(word)  \(Description.text(state))"
    }

    private static func timings(_ state: DictationState) -> String {
        let timings = state.timings
        let all: [(String, Int?)] = [
            ("sound", timings.recording), ("recognition", timings.recognition),
            ("cleaning", timings.cleaning), ("typing", timings.typing),
        ]
        return all.compactMap { name, value in value.map { "\(name) \($0) ms" } }.joined(separator: " · ")
    }

    private static func style(of state: DictationState) -> Style {
        switch state.phase {
        case .starting, .recording, .failed: .alarm
        case .processing, .ready(.pending), .ready(.claimed), .ready(.held): .notice
        case .ready(.inserted): .good
        case .ready(.discarded), .cancelled: .faint
        }
    }

    /// Loudness as blocks, the newest at the right.
    static func wave(_ peaks: [Double], columns: Int) -> String {
        let blocks = Array("▁▂▃▄▅▆▇█")
        return String(
            peaks.suffix(columns).map { peak in
                blocks[min(blocks.count - 1, Int(SoundBar.height(ofPeak: peak) * Double(blocks.count)))]
            })
    }
}

extension String {
    /// As much as fits, with an ellipsis if something is missing. Line ends become spaces, and control
    /// characters are written out.
    func cut(toColumns limit: Int) -> String {
        let text = displaySafe.map { $0.isNewline || $0.unicodeScalars.contains { $0.value < 32 } ? " " : $0 }
        var columns = 0
        for (index, character) in text.enumerated() {
            columns += character.terminalColumns
            guard columns > limit else { continue }
            return limit < 1 ? "" : String(text[..<index]).dropped(toColumns: limit - 1) + "…"
        }
        return String(text)
    }

    private func dropped(toColumns limit: Int) -> String {
        var text = self
        while text.reduce(0, { $0 + $1.terminalColumns }) > limit { text.removeLast() }
        return text
    }

    /// Lines that break between words; a word that is longer than a line is cut.
    func wrapped(toColumns limit: Int) -> [String] {
        var lines = [""]
        var columns = 0
        for word in split(whereSeparator: \.isWhitespace) {
            let width = word.reduce(0) { $0 + $1.terminalColumns }
            if columns > 0, columns + 1 + width > limit {
                lines.append("")
                columns = 0
            }
            lines[lines.count - 1] += columns > 0 ? " \(word)" : String(word)
            columns += width + (columns > 0 ? 1 : 0)
        }
        return lines.map { $0.cut(toColumns: limit) }
    }
}
