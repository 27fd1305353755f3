import DictationSpeech
import Foundation

/// The level of a microphone while somebody speaks: a bar, the loudest of the last seconds, and what to think of it.
struct LevelMeter: Equatable {
    enum Verdict: Equatable {
        /// Digital silence: a switch, or a device that nothing is plugged into.
        case silent
        case quiet, fine, loud
    }

    /// How long the loudest level counts: a sentence with its pauses.
    static let hold = Duration.seconds(4)
    private static let width = 30

    /// The mixer's word on a microphone that gives silence (``CaptureSwitch/problem``); nil: nothing.
    var mixerProblem: String?

    private var recent: [(end: Duration, level: AudioLevel)] = []
    private var position = Duration.zero
    private var now = AudioLevel([])

    static func == (left: LevelMeter, right: LevelMeter) -> Bool { left.line == right.line }

    mutating func add(_ level: AudioLevel, lasting duration: Duration) {
        now = level
        position += duration
        recent.append((position, level))
        recent.removeAll { $0.end <= position - Self.hold }
    }

    /// Of the last seconds, in dB.
    var peak: Double { recent.map(\.level.peak).max() ?? AudioLevel.floor }

    /// Nil before anything was heard.
    var verdict: Verdict? {
        guard let loudest = recent.map(\.level.rms).max() else { return nil }
        if peak >= MicrophoneLevel.clipped { return .loud }
        if loudest < MicrophoneLevel.silence { return .silent }
        return loudest < MicrophoneLevel.quietSpeech ? .quiet : .fine
    }

    /// The judgment of it, for a person.
    var remark: String {
        switch verdict {
        case nil: "…"
        case .silent: mixerProblem ?? "it delivers only silence: is it the right one?"
        case .quiet: "too quiet: speak, or turn it up"
        case .fine: "fine"
        case .loud: "too loud: turn it down"
        }
    }

    /// One line of a terminal: `▕██████▏··│·····▏ −31 dB, peak −12 dB: fine`.
    var line: String {
        // From −70 to 0 dB.
        let place = { (decibels: Double) in
            Int((min(max(decibels + 70, 0), 70) / 70 * Double(Self.width)).rounded())
        }
        let (full, mark) = (place(now.rms), place(peak))
        let bar = (0..<Self.width).map { $0 < full ? "█" : $0 == mark - 1 ? "│" : "·" }.joined()
        let number = { (decibels: Double) in "\(Int(decibels.rounded()))".replacing("-", with: "−") }
        return "▕\(bar)▏ \(number(now.rms)) dB, peak \(number(peak)) dB: \(remark)"
    }
}
