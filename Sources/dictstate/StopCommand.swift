import ArgumentParser
import DictationProgram
import DictationShared
import DictationSystem

struct StopCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "Stop recording; the text follows.",
        discussion: """
            With --print or --copy this command waits for the text, and the text is not typed. If that fails, the text \
            stays held, and dictstate insert types it.
            """)

    @Flag(name: .customLong("print"), help: "Wait for the text and print it; nothing is typed.")
    var printsText = false
    @Flag(help: "Wait for the text and copy it to the clipboard; nothing is typed.")
    var copy = false
    @OptionGroup var output: OutputOptions

    func run() throws {
        try Session.run { session in
            try session.requireAgent(.host)
            // Before the text is there, so that nothing is held in vain.
            if copy { try session.requireAgent(.inserter) }
            let isTaken = printsText || copy
            let (answer, follower) = try session.ask(.record(.stop(isHeld: isTaken)))
            guard isTaken else {
                try answer.print(json: output.json)
                return
            }
            guard let id = answer.dictation?.id else {
                throw CommandProblem(
                    status: .failed, message: "\(answer.outcome), but there is no dictation.")
            }
            let state = try text(of: id, follower)
            if copy {
                let copied = try copyText(of: id, session)
                if !printsText { try copied.print(json: output.json) }
            }
            if printsText { try deliver(state) }
            // A text that was printed or copied has arrived; a private one is forgotten with this.
            try session.store.apply(.handedOver, to: id)
            if let notice = state.error { Complaint.say(notice.message) }
        }
    }

    private func copyText(of id: DictationID, _ session: Session) throws -> Answer {
        do {
            return try session.ask(.copy(id)).answer
        } catch let problem as CommandProblem {
            let end = problem.message.hasSuffix(".") ? "" : "."
            throw CommandProblem(status: problem.status, message: problem.message + end + Self.isHeld(id))
        }
    }

    /// What to do with a text that did not arrive.
    private static func isHeld(_ id: DictationID) -> String {
        " The text is held: dictstate insert \(id) types it, dictstate show \(id) prints it."
    }

    /// Prints the text. It has arrived only when all of it is written.
    private func deliver(_ state: DictationState) throws {
        do {
            if output.json {
                try JSONLine.print(DictationJSON(state: state))
            } else {
                print(state.cleanedText.withoutControls)
                try StandardStreams.flushOutput()
            }
        } catch let error as StandardStreams.OutputLost {
            throw CommandProblem(status: .failed, message: "\(error)." + Self.isHeld(state.id))
        }
    }

    private func text(of id: DictationID, _ follower: StoreFollower) throws -> DictationState {
        guard let state = try follower.wait(for: id, until: { !$0.isUnfinished }).state else {
            throw CommandProblem(
                status: .nothingThere, message: "The dictation was forgotten before its text was there.")
        }
        switch state.phase {
        case .ready(.held(.askedFor)): return state
        case .failed(let failure): throw CommandProblem(status: .failed, message: failure.message)
        case .cancelled: throw CommandProblem(status: .failed, message: "The dictation was canceled.")
        default:
            throw CommandProblem(
                status: .failed, message: "The dictation is \(Description.phase(state)) already.")
        }
    }
}
