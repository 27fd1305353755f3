import DictationProgram
import DictationShared
import DictationSystem
import Foundation

/// The contents of a status bar: a pure value, computed from the store and the locks.
struct StatusBar: Equatable {
    enum Mood: String {
        /// No host-agent runs.
        case off
        case idle, recording, processing, held, error
    }

    let mood: Mood
    /// For the bar itself; empty when there is nothing to see.
    let text: String
    /// Shown when the pointer is over it.
    let tooltip: String

    /// - Parameter held: how many texts wait for the user's word.
    init(newest: DictationState?, held: Int, hostRuns: Bool, inserterRuns: Bool) {
        let agents = [hostRuns ? nil : "host-agent", inserterRuns ? nil : "insert-agent"].compactMap { $0 }
        let missing = agents.isEmpty ? nil : "not running: \(agents.joined(separator: ", "))"
        func tell(_ lines: String?...) -> String {
            (lines + [missing]).compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "\n")
        }
        switch newest?.phase {
        case .starting?, .recording?:
            let ways = newest?.options.summary ?? ""
            (mood, text) = (.recording, "● recording" + (ways.isEmpty ? "" : " \(ways)"))
            tooltip = tell(newest?.loadingModel.map { "loading \($0)" }, newest?.partialText)
        case .processing?, .ready(.pending)?, .ready(.claimed)?:
            (mood, text) = (.processing, "… writing")
            tooltip = tell(newest.map(Description.text))
        case _ where held > 0:
            (mood, text) = (.held, "■ \(held) held")
            tooltip = tell("\(held) held; type the newest one with: dictstate insert")
        case .failed(let failure)?:
            (mood, text, tooltip) = (.error, "▲ \(failure.code)", tell(failure.message))
        case .ready?, .cancelled?, nil:
            mood = hostRuns ? .idle : .off
            (text, tooltip) = (hostRuns ? "" : "○ off", tell(newest.map { Description.line($0) }))
        }
    }

    /// One line, without its end, as a bar reads it.
    func line(_ format: OutputFormat) throws -> String {
        switch format {
        case .waybar:
            try JSONLine.text(
                Waybar(
                    text: text, tooltip: tooltip.markupEscaped, alt: mood.rawValue, class: mood.rawValue))
        case .i3status:
            try JSONLine.text(
                I3Block(
                    name: "voicedictation", instance: mood.rawValue, fullText: text,
                    shortText: String(text.prefix(1)), color: color, urgent: mood == .error))
        case .polybar: text.isEmpty ? "" : "%{F\(color)}\(text)%{F-}"
        case .plain, .json: text
        }
    }

    private var color: String {
        switch mood {
        case .recording, .error: "#E5484D"
        case .processing: "#F5A524"
        case .held: "#3B9EFF"
        case .idle, .off: "#8B8D98"
        }
    }

    /// The object of a custom module with `return-type = json`.
    private struct Waybar: Encodable {
        let text, tooltip, alt, `class`: String
    }

    /// A block of the i3bar protocol, by the names that it has there.
    private struct I3Block: Encodable {
        let name, instance, fullText, shortText, color: String
        let urgent: Bool

        private enum CodingKeys: String, CodingKey {
            case name, instance, color, urgent
            case fullText = "full_text"
            case shortText = "short_text"
        }
    }
}
