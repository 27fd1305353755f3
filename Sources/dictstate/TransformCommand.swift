import ArgumentParser
import DictationProgram
import DictationShared
import DictationSystem
import Foundation
import Glibc

struct TransformCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transform",
        abstract: "Have the language model change the selected text.",
        discussion: """
            For example: dictstate transform "make this shorter". The selected text of the focused window and the words go to \
            the language model of [polish], and its answer replaces the selection, if that is still the same. Without words, \
            they are recorded; the same command, or dictstate stop, ends the recording. Escape or dictstate cancel gives up, \
            and "dictstate undo" puts the old text back. In a terminal the focused window is that terminal: --after 3 leaves \
            time to switch to another one. Ctrl-C gives up too.
            """)

    @Argument(help: "How to change the selected text, in words.")
    var instruction: [String] = []

    @OptionGroup var countdown: Countdown
    @OptionGroup var privacy: PrivacyOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if !instruction.isEmpty, words.isEmpty {
            throw ValidationError("Say how to change the text, such as \"make this shorter\".")
        }
    }

    private var words: String {
        instruction.joined(separator: " ").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func run() throws {
        let interruption: SignalEvents
        do {
            try countdown.wait(before: "Reading the selection", by: [.host, .inserter])
            interruption = try SignalEvents([SIGINT, SIGTERM, SIGHUP])
        } catch {
            throw Complaint.say(why: error)
        }
        try Session.run { session in
            try session.requireAgent(.host)
            try session.requireAgent(.inserter)
            let request = Intent.TransformRequest(
                instruction: words.isEmpty ? nil : words, isPrivate: privacy.isPrivate)
            let (answer, follower) = try session.ask(.transform(request))
            guard request.instruction != nil, let id = answer.dictation?.id else {
                return try session.begun(answer, follower).print(json: output.json)
            }
            var isInterrupted = false
            let settled = try follower.wait(
                for: id, alsoWaitingFor: { [interruption.raw] },
                until: { state in
                    if !interruption.take().isEmpty {
                        // A second Ctrl-C means that the user does not want to wait.
                        if isInterrupted { throw ExitCode(128 + SIGINT) }
                        isInterrupted = true
                        _ = try session.store.submit(.record(.cancel))
                    }
                    return !state.isUnfinished
                }
            ).state
            try tell(settled)
        }
    }

    /// - Parameter settled: nil if nothing of it is kept.
    private func tell(_ settled: DictationState?) throws {
        guard let settled else {
            return try Answer(outcome: "over, and forgotten", dictation: nil).print(json: output.json)
        }
        switch settled.phase {
        case .ready(.inserted):
            let count = settled.cleanedText.count.counted("character")
            try Answer(outcome: "replaced the selection with \(count)", dictation: settled)
                .print(json: output.json)
        case .ready(.held(let reason)):
            let story = settled.error.map(\.message) ?? reason.explanation
            Complaint.say(
                "\(story). The new text is held: dictstate show \(settled.id), dictstate insert \(settled.id)"
            )
            throw ExitStatus.failed.exitCode
        case .failed(let failure): throw CommandProblem(status: .failed, message: failure.message)
        case .cancelled:
            throw CommandProblem(status: .failed, message: "Canceled. The selected text is as it was.")
        case .ready, .starting, .recording, .processing:
            throw CommandProblem(status: .failed, message: "The dictation \(settled.id) was given up.")
        }
    }
}
