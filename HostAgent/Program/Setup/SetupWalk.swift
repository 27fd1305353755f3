import Desktop
import DesktopWayland
import DictationHost
import DictationOptions
import DictationService
import DictationSettings
import DictationSystem
import Foundation
import UnixSignals

/// Carries out what ``SetupFlow`` decides, and shows it.
@MainActor
final class SetupWalk {
    enum Input: Sendable {
        case flow(SetupFlow.Event)
        /// The progress of a step, as one line.
        case live(SetupStep, String)
    }

    /// The tools of the current step.
    struct Context: Sendable {
        let step: SetupStep
        let isUnattended: Bool
        /// Whether the user has asked for this step by its name.
        let isNamed: Bool
        fileprivate let output: AsyncStream<Input>.Continuation
        /// Ends when the user presses Enter while it works.
        let finish: AsyncStream<Void>

        func show(_ line: String) { output.yield(.live(step, line)) }
        func offer(_ choice: SetupFlow.Choice) { output.yield(.flow(.offered(step, choice))) }
    }

    private var flow: SetupFlow
    private let named: Set<SetupStep>
    private let inputs: AsyncStream<Input>
    private let output: AsyncStream<Input>.Continuation
    private var terminal: SetupTerminal?
    private var live = ""
    private var task: Task<Void, Never>?
    private var pointing: Task<Void, Never>?
    private var finishing: AsyncStream<Void>.Continuation?

    /// - Parameter named: the steps that the user has asked for by their names.
    init(_ flow: SetupFlow, named: Set<SetupStep> = []) {
        self.flow = flow
        self.named = named
        (inputs, output) = AsyncStream.makeStream(of: Input.self)
    }

    /// - Returns: how it ended.
    func run() async throws -> SetupFlow {
        let output = output
        let ends = Task {
            for await _ in await UnixSignalsSequence(trapping: .sigterm, .sigint, .sighup) {
                output.yield(.flow(.interrupted))
            }
        }
        defer { ends.cancel() }
        if !flow.isUnattended {
            terminal = try SetupTerminal { key in
                output.yield(.flow(key.map { .key($0) } ?? .interrupted))
            }
        }
        defer { terminal?.close() }
        if let line = SessionAbilities.windowsLogLine(of: .current()) { say("Note: \(line)") }
        take(.begun)
        for await input in inputs {
            switch input {
            case .flow(let event): take(event)
            case .live(let step, let line): if step == flow.step { live = line }
            }
            if flow.state == .over { break }
            draw()
        }
        await task?.value
        say(summary)
        return flow
    }

    private func take(_ event: SetupFlow.Event) {
        for effect in flow.handle(event) { carryOut(effect) }
    }

    private func carryOut(_ effect: SetupFlow.Effect) {
        switch effect {
        case .look(let step):
            begin(step) { context in .looked(step, await SetupSteps.look(context)) }
        case .work(let step, let value):
            begin(step) { context in .worked(step, await SetupSteps.work(context, value)) }
        case .point(let step, let value):
            let former = pointing
            former?.cancel()
            live = ""
            let context = context(step)
            pointing = Task {
                await former?.value
                if !Task.isCancelled { await SetupSteps.point(context, value) }
            }
        case .finish: finishing?.finish()
        case .leave:
            task?.cancel()
            pointing?.cancel()
            live = ""
        case .tell(let step, let outcome): say(Self.line(step, outcome))
        case .end: output.finish()
        }
    }

    private func context(_ step: SetupStep) -> Context {
        let (finish, finishing) = AsyncStream.makeStream(of: Void.self)
        self.finishing = finishing
        return Context(
            step: step, isUnattended: flow.isUnattended, isNamed: named.contains(step), output: output,
            finish: finish)
    }

    /// One step at a time: the old one has ended before the next begins, so its device is free again.
    private func begin(
        _ step: SetupStep, _ body: @escaping @Sendable (Context) async -> SetupFlow.Event
    ) {
        let former = (task, pointing)
        live = ""
        let context = context(step)
        task = Task { [output] in
            await former.0?.value
            await former.1?.value
            if Task.isCancelled { return }
            let event = await body(context)
            if !Task.isCancelled { output.yield(.flow(event)) }
        }
    }

    // MARK: - Output

    private func say(_ text: String) {
        if let terminal {
            terminal.say(text)
        } else {
            print(text.displaySafe)
            fflush(nil)
        }
    }

    private func draw() {
        guard let terminal, let step = flow.step else { return }
        let number = (flow.steps.firstIndex(of: step) ?? 0) + 1
        var lines = ["", "\(number)/\(flow.steps.count)  \(step.title)"]
        switch flow.state {
        case .asking(let question):
            lines += question.text.split(separator: "\n").map { "     \($0)" }
            let end =
                (live.isEmpty ? [] : ["     \(live)"])
                + ["", "     Enter: accept   ↑↓: choose   s: skip   b: back   q: quit"]
            // The cursor is on one more line.
            let height = terminal.size.lines - lines.count - end.count - 1
            for index in Self.window(of: question, height: height) {
                lines.append("   \(index == question.selected ? "❯" : " ") \(question.choices[index].label)")
            }
            lines += end
        case .working, .looking:
            lines.append("     \(live.isEmpty ? "…" : live)")
            lines += ["", "     s: skip   b: back   q: quit"]
        case .ready, .over: break
        }
        terminal.draw(lines)
    }

    /// The choices that are shown: lines that have left the screen at its top could not be drawn over.
    private static func window(of question: SetupFlow.Question, height: Int) -> Range<Int> {
        let height = max(1, min(12, height))
        let first = max(0, min(question.selected - height / 2, question.choices.count - height))
        return first..<min(question.choices.count, first + height)
    }

    private static func line(_ step: SetupStep, _ outcome: SetupFlow.Outcome) -> String {
        let mark =
            switch outcome.kind {
            case .set: "ok     "
            case .skipped: "skipped"
            case .missing: "MISSING"
            }
        let name = step.rawValue.padding(toLength: 11, withPad: " ", startingAt: 0)
        return "\(mark)  \(name) \(outcome.text)" + (outcome.command.map { "  → \($0)" } ?? "")
    }

    /// The present settings, missing parts, and the command for each.
    private var summary: String {
        let open = flow.steps.filter { flow.outcomes[$0]?.kind != .set }
        let done = flow.steps.count - open.count
        let head = flow.isInterrupted || flow.step != nil ? "Setup has ended early. " : ""
        guard !open.isEmpty else {
            let next =
                SetupAgents.missingRoles.isEmpty ? Self.next : "To start the agents: dictstate setup agents"
            return "\nAll is set. \(next)"
        }
        let lines = open.map { step in
            let outcome = flow.outcomes[step]
            let command = outcome?.command ?? "dictstate setup \(step.rawValue)"
            return "  \(step.rawValue): \(outcome?.text ?? "not reached")\n      \(command)"
        }
        return "\n\(head)\(done) of \(flow.steps.count) steps are set. To do:\n"
            + lines.joined(separator: "\n")
    }

    private static var next: String {
        let hotkey = (try? SetupSteps.settings.host.parsedHotkey()) ?? nil
        let session = DisplaySession.current()
        let source = HotkeySource(
            for: hotkey, in: session, found: .current(session, hotkeys: [hotkey].compactMap { $0 }))
        switch (hotkey, source) {
        case (let hotkey?, .shortcut):
            return "Put the cursor into any window, press \(hotkey), speak, and press it again."
        case (let hotkey?, .grab), (let hotkey?, .portal), (let hotkey?, .bindings):
            return "Put the cursor into any window, hold \(hotkey) and speak."
        case (let hotkey?, .grabOverX11Windows):
            return "Put the cursor into an X11 window, hold \(hotkey) and speak."
        case (_, .missing), (_, .none), (nil, _):
            return "Bind dictstate toggle to a key in your desktop, and speak."
        }
    }
}

extension SetupStep {
    var title: String {
        switch self {
        case .microphone: "Microphone: speak a sentence, as loud as you will dictate"
        case .hotkey: "Hotkey: press the key to hold while you speak, or choose one"
        case .bindings: "Key bindings: your compositor reports the keys to VoiceDictation"
        case .windows: "Windows: text for native Wayland programs"
        case .language: "Language: the language that you speak"
        case .model: "Model: it turns your speech into words"
        case .agents: "Agents: the two programs that record and type"
        case .test: "Test: dictate a sentence; it is shown here, and not typed"
        }
    }
}
