import ArgumentParser
import DictationProgram
import DictationSettings
import DictationShared
import DictationSystem
import Foundation
import Glibc

struct RecognizeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recognize",
        abstract: "Recognize the recording of a dictation again; the text is held.",
        discussion: """
            Uses the settings, or the engine, model and language that you name. A failed dictation gets the \
            text. A dictation that has a text keeps it, and the new text becomes a separate dictation. \
            Nothing is typed without --insert. host-agent does the work: Ctrl-C only stops the waiting, and \
            the text is held.
            """)

    @Argument(help: "The dictation's identifier, or the end of it.")
    var id: String

    @Option(help: "The engine that recognizes it.")
    var engine: SpeechEngine?

    @Option(help: "The model: a name from “host-agent models list”, or the path of its folder.")
    var model: String?

    // The other commands that begin a dictation name it --locale.
    @Option(name: [.long, .customLong("locale")], help: "The spoken language, such as en-US.")
    var language: String?

    @Flag(help: "Type the text into the focused window as soon as it is ready.")
    var insert = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        try Session.run { session in
            let state = try session.dictation(named: id)
            try session.requireAgent(.host)
            if insert { try session.requireAgent(.inserter) }
            let options = Intent.RecognitionOptions(
                engine: engine?.rawValue, model: model, language: language)
            let progress = ProgressLine(Self.title(state))
            progress.show(0)
            defer { progress.clear() }
            let answer = try session.ask(.recognize(state.id, options), onProgress: progress.show).answer
            progress.clear()
            guard insert, let id = answer.dictation?.id else {
                try answer.print(json: output.json)
                if !output.json, let text = answer.dictation?.cleanedText { print("“\(text.displaySafe)”") }
                return
            }
            try session.ask(.insert(id)).answer.print(json: output.json)
        }
    }

    private static func title(_ state: DictationState) -> String {
        let length = state.timings.recording.map { " \(($0 + 500) / 1000) s of sound" } ?? " the recording"
        return "Recognizing\(length)"
    }
}

extension SpeechEngine: ExpressibleByArgument {}

/// One line on a terminal that is written over; nothing elsewhere.
private struct ProgressLine {
    private let title: String
    private let isTerminal = isatty(STDERR_FILENO) == 1

    init(_ title: String) { self.title = title }

    /// - Parameter part: 0…1.
    func show(_ part: Double) { say("\r\u{1B}[K\(title): \(Int(part * 100)) % ") }

    func clear() { say("\r\u{1B}[K") }

    private func say(_ text: String) {
        if isTerminal { StandardStreams.complain(text) }
    }
}
