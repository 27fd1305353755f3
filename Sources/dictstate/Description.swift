import Desktop
import DictationShared
import DictationSystem
import Foundation
import Glibc

/// How things look to a person.
enum Description {
    /// The phase of a dictation, in a few words.
    static func phase(_ state: DictationState) -> String {
        switch state.phase {
        case .starting: "opening the microphone"
        case .recording where state.heldGrowth != nil:
            "recording; what follows the \(state.insertedCount.counted("character")) typed is held: \(state.heldGrowth?.explanation ?? "")"
        case .recording where state.loadingModel != nil:
            "recording; the words come when \(state.loadingModel ?? "") is loaded"
        case .processing where state.loadingModel != nil: "loading \(state.loadingModel ?? "")"
        case .recording: "recording"
        case .processing: "recognizing"
        case .ready(.pending): "ready to be typed"
        case .ready(.claimed): "being typed"
        case .ready(.inserted): "inserted"
        case .ready(.held(let reason)):
            "held after \(state.insertedCount) of \(state.cleanedText.count.counted("character")): \(reason.explanation)"
        case .ready(.discarded): "discarded"
        case .failed(let failure): "failed: \(failure.message)"
        case .cancelled: "canceled"
        }
    }

    /// The best text that there is.
    static func text(_ state: DictationState) -> String {
        if state.isBeingSpoken { return state.spokenText.whole }
        return [state.cleanedText, state.rawText, state.partialText].first { !$0.isEmpty } ?? ""
    }

    /// One line for lists.
    ///
    /// - Parameter text: the part of the text to show, safe for a terminal; all of it if nil.
    static func line(_ state: DictationState, text: String? = nil) -> String {
        let text = (text ?? self.text(state).displaySafe).replacing("\n", with: "⏎")
        let phase = phase(state).displaySafe.replacing("\n", with: " ")
        return "\(time(state.timestamp))  …\(state.id.description.suffix(8))  \(phase)"
            + (text.isEmpty ? "" : "  “\(text)”")
    }

    /// `2026-11-21 17:03:12` in the user's time zone: sorts, and can be given to `--since` and `--before`.
    static func time(_ date: Date) -> String {
        var seconds = time_t(date.timeIntervalSince1970.rounded(.down))
        var parts = tm()
        localtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let count = strftime(&text, text.count, "%Y-%m-%d %H:%M:%S", &parts)
        return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// All details.
    static func details(_ state: DictationState) -> String {
        var lines = [
            "dictation  \(state.id)",
            "begun      \(time(state.timestamp))",
            "state      \(phase(state))\(state.isPrivate ? " (private)" : "")",
        ]
        if !state.options.summary.isEmpty { lines.append("asked for  \(state.options.summary)") }
        if !state.rawText.isEmpty { lines.append("raw        \(state.rawText)") }
        if !state.cleanedText.isEmpty { lines.append("cleaned    \(state.cleanedText)") }
        if !state.partialText.isEmpty { lines.append("so far     \(state.partialText)") }
        if state.isBeingSpoken, state.isBegun { lines.append("typed      \(state.spokenText.typed)") }
        if state.wrongCommits > 0 {
            lines.append(
                "early      \(state.wrongCommits.counted("word")) typed while you spoke and different in the final text"
            )
        }
        if let target = state.target { lines.append("spoken in  \(target.windowClass) “\(target.title)”") }
        if let route = state.route {
            lines.append(
                "way        \(route.way.explanation)"
                    + (route.isConfirmed ? "" : "; the window did not confirm that it has the text"))
        }
        if let error = state.error {
            lines.append("problem    \(error.message)")
            if let kept = error.kept { lines.append("kept       \(kept)") }
        }
        let timings: [(String, Int?)] = [
            ("sound", state.timings.recording), ("recognition", state.timings.recognition),
            ("cleaning", state.timings.cleaning), ("typing", state.timings.typing),
        ]
        let known = timings.compactMap { name, value in value.map { "\(name) \($0) ms" } }
        if !known.isEmpty { lines.append("timings    \(known.joined(separator: ", "))") }
        lines.append("engine     \(state.engine), \(state.locale)")
        return lines.joined(separator: "\n").displaySafe
    }
}
