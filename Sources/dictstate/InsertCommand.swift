import ArgumentParser
import DictationProgram
import DictationSettings
import DictationShared
import DictationSystem
import Foundation
import Glibc

struct InsertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "insert",
        abstract: "Type a held text into the focused window, or the text of a file.",
        discussion: """
            Without an identifier: the newest held text, or with --raw the newest dictation. A text that was fully \
            inserted is typed again only with --again. In a terminal the focused window is that terminal: --after 3 leaves time to \
            switch to another one, and the key insert.held-hotkey needs no terminal. Ctrl-C stops the typing; the rest \
            is held.
            """)

    @Argument(help: "The dictation's identifier, or the end of it.")
    var id: String?

    @Flag(help: "Type a text again that was fully inserted.")
    var again = false

    @Option(
        help: """
            Type the text of this file (UTF-8, at most 1 MiB) instead, with nothing added; - is standard input. A tab is \
            typed as a space, in a terminal a newline as well; other control characters are dropped.
            """,
        completion: .file())
    var file: String?

    @Flag(help: "Add a space before the file's text where a dictation would get one.")
    var join = false

    @Flag(help: "Type the text as recognized, without the clean-up. It becomes a separate dictation.")
    var raw = false

    @OptionGroup var countdown: Countdown
    @OptionGroup var privacy: PrivacyOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if raw, file != nil {
            throw ValidationError("Give --raw or --file, not both: a file is typed as it is.")
        }
        if file == "" { throw ValidationError("Name a file after --file.") }
        if id != nil, file != nil { throw ValidationError("Give an identifier or --file, not both.") }
        if join, file == nil {
            throw ValidationError("--join goes with --file: dictations are joined anyway.")
        }
        if again, id == nil { throw ValidationError("--again goes with the identifier of a dictation.") }
        if again, raw { throw ValidationError("Give --raw or --again, not both.") }
        if privacy.isPrivate, file == nil {
            throw ValidationError(
                "--private goes with --file: a dictation stays as private as it was recorded.")
        }
    }

    func run() throws {
        let interruption: SignalEvents
        let text: String?
        do {
            text = try file.map { try InsertedFile(path: $0).text() }
            // While it counts down, Ctrl-C simply ends this command.
            try countdown.wait(before: "Typing", by: [.inserter])
            // Behind the file, which may be a terminal that somebody types into; before there are other threads.
            interruption = try SignalEvents([SIGINT, SIGTERM, SIGHUP])
        } catch {
            throw Complaint.say(why: error)
        }
        for warning in text.map(InsertedFile.warnings) ?? [] { Complaint.say(warning) }
        try Session.run { session in
            if let text {
                try insert(text, exactly: !join, session, interruption)
            } else if raw {
                try insert(try rawText(session), exactly: false, session, interruption)
            } else {
                try insertNamed(session, interruption)
            }
        }
    }

    /// The recognized words of the dictation that is named, or of the newest one.
    private func rawText(_ session: Session) throws -> String {
        let state = try id.map { try session.dictation(named: $0) } ?? session.newestRaw()
        guard let state, !state.rawText.isEmpty else {
            throw CommandProblem(status: .nothingThere, message: "There is no recognized text to type.")
        }
        return state.rawText
    }

    // MARK: - A dictation

    private func insertNamed(_ session: Session, _ interruption: SignalEvents) throws {
        let state = try id.map { try session.dictation(named: $0) }
        let action: Intent.Action
        if let state, state.delivery == .inserted {
            guard again else {
                throw CommandProblem(status: .failed, message: Intent.alreadyInserted(state.id))
            }
            action = .insertAgain(state.id, seen: state.revision)
        } else {
            action = .insert(state?.id)
        }
        try session.requireAgent(.inserter)
        let (answer, _) = try session.ask(
            action, alsoWaitingFor: { [interruption.raw] },
            onWake: {
                guard !interruption.take().isEmpty else { return }
                // The newest one that is being typed, if none was named.
                guard let id = try state?.id ?? session.store.unfinished().first?.id else { return }
                try Self.hold(id, session)
            })
        try answer.print(json: output.json)
    }

    // MARK: - A text of its own

    private func insert(
        _ text: String, exactly isExact: Bool, _ session: Session, _ interruption: SignalEvents
    ) throws {
        try session.requireAgent(.inserter)
        let isPrivate = privacy.isPrivate || session.settings.history.isPrivate
        let added = try session.store.add(
            text: text, locale: DictationState.noLanguage, isPrivate: isPrivate, isExact: isExact)
        let follower = try StoreFollower(session, since: added.revision, waitingFor: .inserter)
        var isInterrupted = false
        let wait = { (limit: Duration?, isThere: (DictationState) -> Bool) in
            try follower.wait(
                for: added.id, within: limit, alsoWaitingFor: { [interruption.raw] },
                until: { state in
                    if !interruption.take().isEmpty {
                        // A second Ctrl-C means that the user does not want to wait.
                        if isInterrupted { throw ExitCode(128 + SIGINT) }
                        isInterrupted = true
                        try Self.hold(added.id, session)
                    }
                    return isThere(state)
                })
        }
        // It may have to wait for what was spoken before it; then nobody hangs.
        var isTold = false
        while case .late = try wait(.milliseconds(Intent.defaultTimeToLive), { $0.delivery != .pending }) {
            guard try session.store.unfinished().first?.id == added.id else {
                if !isTold {
                    Complaint.say("Waiting for an earlier dictation to end. Ctrl-C holds the text.")
                }
                isTold = true
                continue
            }
            // Unless it is claimed at this moment.
            let isHeld: Bool
            do {
                isHeld = try session.store.holdPending(added.id, because: .stale)
            } catch let error as StoreError {
                throw CommandProblem(
                    status: ExitStatus(shared: error),
                    message:
                        "The text is in the store, which cannot be written now. It may be typed once it can: dictstate show \(added.id)"
                )
            }
            if isHeld {
                throw CommandProblem(
                    status: .failed,
                    message:
                        "insert-agent did not take the text within \(Intent.defaultTimeToLive) ms. It is held; "
                        + "nothing was typed. Does insert-agent hang? Restart it, then: dictstate insert \(added.id)"
                )
            }
        }
        guard let settled = try wait(nil, { !$0.isUnfinished }).state else {
            // Only what is done is removed while it is looked at.
            try Answer(outcome: "inserted, and forgotten", dictation: nil).print(json: output.json)
            return
        }
        if case .held(let reason) = settled.delivery {
            Complaint.say(
                "\(settled.insertedCount) of \(settled.cleanedText.count.counted("character")) were typed: "
                    + "\(reason.explanation). Type the rest with: dictstate insert \(settled.id)")
            throw isInterrupted ? ExitCode(128 + SIGINT) : ExitStatus.failed.exitCode
        }
        try Answer(outcome: "inserted \(settled.cleanedText.count.counted("character"))", dictation: settled)
            .print(json: output.json)
    }

    /// Stops a text. A part that waits is held here; a part that is being typed is held by the agent.
    private static func hold(_ id: DictationID, _ session: Session) throws {
        if try session.store.holdPending(id, because: .interrupted) { return }
        _ = try session.store.submit(.hold(id))
    }
}

/// A text file that is to be typed.
private struct InsertedFile {
    /// Bytes: 1 MiB. Where it cannot be pasted, that much takes a quarter of an hour to type; and all of it is one row of
    /// the store, which others wait for while it is written.
    static let limit = 1 << 20

    /// Characters that turn the direction of writing until they are ended: a text with them may look different from
    /// what it is, such as a command in a terminal. Languages that are written from right to left need them rarely, and
    /// no text that is typed exactly may lack them: they are typed, and told of. Marks of one character (U+200E, U+200F)
    /// turn nothing else.
    private static func turnsDirection(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Warnings about a text that is typed all the same.
    static func warnings(of text: String) -> [String] {
        let dropped = text.droppedControls
        let tabs = text.count { $0 == "\t" }
        let turning = text.unicodeScalars.filter(turnsDirection)
        return [
            dropped.first.map {
                "The text has \(dropped.count.counted("control character")), such as \(name(of: $0)): no such "
                    + "character is typed."
            },
            // The key would move the focus in most forms.
            tabs > 0 ? "The text has \(tabs.counted("tab")): a tab is typed as a space." : nil,
            turning.first.map {
                "The text changes the direction of writing with \(turning.count.counted("character")), such as "
                    + "\(name(of: $0)): it may look different from what it is. It is typed as it is."
            },
        ].compactMap(\.self)
    }

    /// As Unicode writes it, such as U+001B.
    private static func name(of scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    let path: String

    private var name: String { path == "-" ? "The input" : path }

    func text() throws -> String {
        var data = Data()
        do {
            // To the end, and not by a size: it may be a pipe, such as a shell's `<(command)`.
            let source =
                path == "-"
                ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            while data.count <= Self.limit,
                let piece = try source.read(upToCount: Self.limit + 1 - data.count), !piece.isEmpty
            {
                data += piece
            }
        } catch {
            throw CommandProblem(status: .failed, message: "\(path) cannot be read: \(error.plainReason)")
        }
        guard data.count <= Self.limit else {
            throw CommandProblem(
                status: .failed,
                message:
                    "\(name) has more than 1 MiB, which is the most that can be inserted at once. Nothing was "
                    + "typed. Split it, or open it in the application itself.")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw CommandProblem(status: .failed, message: "\(name) is not UTF-8 text. Nothing was typed.")
        }
        guard !text.isEmpty else {
            throw CommandProblem(status: .failed, message: "\(name) is empty. Nothing was typed.")
        }
        guard !text.withoutControls.isEmpty else {
            throw CommandProblem(
                status: .failed, message: "\(name) has nothing but control characters. Nothing was typed.")
        }
        return text
    }
}
