import ArgumentParser
import DictationProgram
import DictationSettings
import DictationShared
import DictationSystem
import Foundation

/// A command that asks something of an agent and prints the answer.
protocol AskingCommand: ParsableCommand {
    var output: OutputOptions { get }
    func action(_ session: Session) throws -> Intent.Action
}

extension AskingCommand {
    func run() throws {
        try Session.run { session in
            let action = try action(session)
            try session.requireAgent(action.role)
            let (answer, follower) = try session.ask(action)
            try (action.role == .host ? session.begun(answer, follower) : answer).print(json: output.json)
        }
    }
}

/// An agent's answer to an intent.
struct Answer {
    let outcome: String
    let dictation: DictationState?

    func print(json: Bool) throws {
        if json {
            try JSONLine.print(AnswerJSON(outcome: outcome, dictation: dictation.map(DictationJSON.init)))
        } else {
            Swift.print(
                outcome.displaySafe + (dictation.map { " (dictation …\($0.id.description.suffix(8)))" } ?? "")
            )
        }
    }

    private struct AnswerJSON: Encodable {
        let outcome: String
        let dictation: DictationJSON?
    }
}

extension Session {
    /// Asks something of an agent, and waits for its answer.
    ///
    /// An agent takes an intent at once, or it hangs; carrying it out may take longer.
    ///
    /// - Parameters:
    ///   - others: descriptors that wake this command as well.
    ///   - onWake: called whenever it has woken; reads them.
    ///   - onProgress: called with how much is done, 0…1, if the agent reports it.
    /// - Returns: the answer, and what follows the store from then on.
    func ask(
        _ action: Intent.Action, alsoWaitingFor others: () -> [Int32] = { [] },
        onWake: () throws -> Void = {},
        onProgress: (Double) -> Void = { _ in }
    ) throws -> (answer: Answer, follower: StoreFollower) {
        let role = action.role
        let intent = try store.submit(action)
        let follower = try StoreFollower(self, since: intent.revision, waitingFor: role)
        let asked = {
            guard let asked = try self.store.intent(intent.id) else {
                throw CommandProblem(
                    status: .failed,
                    message:
                        "The store was replaced before \(role.rawValue) answered. Try again.")
            }
            return asked
        }
        let taken = try follower.wait(within: .milliseconds(intent.timeToLive)) { _ in
            try asked().phase == .pending ? nil : true
        }
        guard taken == true else {
            throw CommandProblem(
                status: .failed,
                message:
                    "\(role.rawValue) did not take the request within \(intent.timeToLive) ms; it will not be "
                    + "carried out. Does it hang? Restart it.")
        }
        let answered = try follower.wait(alsoWaitingFor: others) { _ -> Intent.Phase? in
            try onWake()
            let now = try asked()
            if let progress = now.progress { onProgress(progress) }
            let phase = now.phase
            return phase == .taken || phase == .pending ? nil : phase
        }
        switch answered {
        case .done(let outcome, let id):
            return (Answer(outcome: outcome, dictation: try id.flatMap { try store.dictation($0) }), follower)
        case .refused(let reason):
            throw CommandProblem(status: .failed, message: reason)
        case .pending, .taken, nil:
            throw CommandProblem(status: .failed, message: "\(role.rawValue) did not answer.")
        }
    }

    /// Waits for the microphone of a dictation that begins, because users may speak as soon as they read
    /// "recording".
    func begun(_ answer: Answer, _ follower: StoreFollower) throws -> Answer {
        guard var dictation = answer.dictation else { return answer }
        let isBegun = answer.outcome == "recording"
        if dictation.status == .starting {
            let begun = try follower.wait(for: dictation.id) { $0.status != .starting }.state
            guard let begun else { return Answer(outcome: answer.outcome, dictation: nil) }
            dictation = begun
        }
        // One that was stopped, as by a toggle, has been recorded: its text is another matter.
        if case .failed(let failure) = dictation.phase, isBegun || dictation.timings.recording == nil {
            // The other failures say it themselves, or a recording is kept.
            let isRecorded = failure.knownCode != .unsupportedLocale
            throw CommandProblem(
                status: .failed, message: (isRecorded ? "" : "Nothing was recorded. ") + failure.message)
        }
        return Answer(outcome: answer.outcome, dictation: dictation)
    }
}

struct StartCommand: AskingCommand {
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Start a dictation.", discussion: DictationChoices.discussion)
    @OptionGroup var choices: DictationChoices
    @OptionGroup var output: OutputOptions
    func action(_ session: Session) -> Intent.Action { .record(.start(choices.options)) }
}

struct ToggleCommand: AskingCommand {
    static let configuration = CommandConfiguration(
        commandName: "toggle", abstract: "Start a dictation, or stop the one that is being recorded.",
        discussion: DictationChoices.discussion)
    @OptionGroup var choices: DictationChoices
    @OptionGroup var output: OutputOptions
    func action(_ session: Session) -> Intent.Action { .record(.toggle(choices.options)) }
}

/// For commands that begin something.
struct PrivacyOptions: ParsableArguments {
    @Flag(name: .customLong("private"), help: "Keep nothing after the text is inserted.")
    var isPrivate = false
}

struct CancelCommand: AskingCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Cancel the dictation that is being recorded or recognized, or stop the typing.",
        discussion: """
            While a text is typed, and nothing is recorded or recognized, the typing stops within a few characters. The \
            rest is held: dictstate insert types it.
            """)
    @OptionGroup var output: OutputOptions

    func action(_ session: Session) throws -> Intent.Action {
        let unfinished = try session.store.unfinished()
        guard unfinished.allSatisfy({ $0.status == .ready }), let typed = unfinished.first,
            case .claimed = typed.delivery
        else { return .record(.cancel) }
        return .hold(typed.id)
    }
}

struct DiscardCommand: AskingCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard", abstract: "Discard a held text.")
    @Argument(help: "The dictation's identifier, or the end of it.")
    var id: String
    @OptionGroup var output: OutputOptions
    func action(_ session: Session) throws -> Intent.Action { .discard(try session.dictation(named: id).id) }
}

struct CopyCommand: AskingCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Copy a text to the clipboard; by default the newest one.")
    @Argument(help: "The dictation's identifier, or the end of it.")
    var id: String?
    @OptionGroup var output: OutputOptions
    func action(_ session: Session) throws -> Intent.Action {
        .copy(try id.map { try session.dictation(named: $0).id })
    }
}

struct EditCommand: AskingCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Edit the last typed text with a command in words.",
        discussion: """
            For example: dictstate edit "replace Monday with Tuesday", "delete last word", "all caps that". These are the \
            spoken commands, which docs/daily-use.md lists. Refused if another window is focused, or if anything was typed \
            or clicked in that window since.
            """)
    @Argument(help: "The command.")
    var words: [String]

    @Option(help: "The language of the command, such as de-DE; by default that of the settings.")
    var locale: String?
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if words.allSatisfy(\.isEmpty) {
            throw ValidationError("Give a command, such as \"delete last word\".")
        }
    }

    func action(_ session: Session) -> Intent.Action {
        .edit(.init(words: words.joined(separator: " "), locale: locale), spokenIn: nil)
    }
}

struct UndoCommand: AskingCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Remove the last typed text from its window, or revert its last edit.",
        discussion: """
            Presses BackSpace once for each character. If dictstate edit or a spoken command has edited the \
            text, the first undo reverts that edit, and the next one removes the text. Refused if another \
            window is focused, or if anything was typed or clicked in that window since. A removed text is \
            held: dictstate insert types it again.
            """)
    @OptionGroup var output: OutputOptions
    func action(_ session: Session) -> Intent.Action { .undo }
}
