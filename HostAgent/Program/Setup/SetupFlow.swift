import DictationService

/// The order of the guided setup: events in, effects out; no terminal, no clock, no desktop.
///
///     look ──► question ──Enter──► work ──► outcome ──► the next step's look
///          └─► outcome (nothing can be done here) ────► the next step's look
///
/// s leaves a step as it is, b goes back to the one before, q and Ctrl-C end it all.
struct SetupFlow: Equatable {
    struct Choice: Equatable {
        /// Written into the settings.
        let value: String
        /// Shown to the user.
        let label: String
    }

    struct Question: Equatable {
        var text: String
        var choices: [Choice]
        var selected = 0
    }

    struct Outcome: Equatable {
        enum Kind: Equatable { case set, skipped, missing }
        let kind: Kind
        let text: String
        /// A command for later; nil if there is nothing to do.
        var command: String?
    }

    /// The result of a look at a step.
    enum Look: Equatable {
        case question(Question)
        /// There is no question: it cannot work here, or is done.
        case outcome(Outcome)
    }

    enum Key: Equatable { case enter, skip, back, quit, up, down }

    enum Event: Equatable {
        case begun
        case looked(SetupStep, Look)
        case key(Key)
        /// A choice that was not made by a key of the terminal: a hotkey that was pressed.
        case offered(SetupStep, Choice)
        case worked(SetupStep, Outcome)
        /// Ctrl-C, or the terminal is gone.
        case interrupted
    }

    enum Effect: Equatable {
        case look(SetupStep)
        /// Another choice is under the cursor.
        case point(SetupStep, value: String)
        case work(SetupStep, value: String)
        /// Enter while it works: ends work that runs until the user says so.
        case finish(SetupStep)
        /// Ends all work for this step; nothing more is set.
        case leave(SetupStep)
        /// The outcome of a step, to be shown.
        case tell(SetupStep, Outcome)
        case end
    }

    enum State: Equatable {
        case ready
        case looking
        case asking(Question)
        case working
        case over
    }

    let steps: [SetupStep]
    /// The defaults are used without a question.
    let isUnattended: Bool
    private(set) var state = State.ready
    private(set) var outcomes: [SetupStep: Outcome] = [:]
    private(set) var isInterrupted = false
    private var index = 0

    init(steps: [SetupStep], isUnattended: Bool = false) {
        self.steps = steps
        self.isUnattended = isUnattended
    }

    /// The current step; nil after the last one.
    var step: SetupStep? { state != .over && steps.indices.contains(index) ? steps[index] : nil }

    /// Whether something that dictation needs is not there.
    var isMissing: Bool { outcomes.values.contains { $0.kind == .missing } }

    mutating func handle(_ event: Event) -> [Effect] {
        guard let step else { return [] }
        switch (event, state) {
        case (.begun, .ready):
            state = .looking
            return [.look(step)]
        case (.interrupted, _):
            isInterrupted = true
            state = .over
            return [.leave(step), .end]
        case (.looked(step, .outcome(let outcome)), .looking): return settle(step, outcome)
        case (.looked(step, .question(let question)), .looking):
            guard question.choices.indices.contains(question.selected) else {
                return settle(step, Outcome(kind: .missing, text: "nothing can be chosen"))
            }
            if isUnattended { return work(step, question) }
            state = .asking(question)
            return [.point(step, value: question.choices[question.selected].value)]
        case (.offered(step, let choice), .asking(var question)):
            question.choices.removeAll { $0.value == choice.value }
            question.choices.insert(choice, at: 0)
            question.selected = 0
            state = .asking(question)
            return []
        case (.key(let key), .asking(let question)): return press(key, step, question)
        case (.key(let key), _): return press(key, step)
        case (.worked(step, let outcome), .working): return settle(step, outcome)
        default: return []
        }
    }

    private mutating func press(_ key: Key, _ step: SetupStep, _ question: Question) -> [Effect] {
        switch key {
        case .enter: return [.leave(step)] + work(step, question)
        case .up, .down:
            var question = question
            let next = question.selected + (key == .up ? -1 : 1)
            guard question.choices.indices.contains(next) else { return [] }
            question.selected = next
            state = .asking(question)
            return [.point(step, value: question.choices[next].value)]
        case .skip, .back, .quit: return press(key, step)
        }
    }

    /// During a check or work.
    private mutating func press(_ key: Key, _ step: SetupStep) -> [Effect] {
        switch key {
        case .enter: return state == .working ? [.finish(step)] : []
        case .up, .down: return []
        case .skip:
            let skipped = Outcome(
                kind: .skipped, text: "skipped", command: "dictstate setup \(step.rawValue)")
            return [.leave(step)] + settle(step, skipped)
        case .back:
            guard index > 0 else { return [] }
            index -= 1
            state = .looking
            return [.leave(step), .look(steps[index])]
        case .quit:
            state = .over
            return [.leave(step), .end]
        }
    }

    private mutating func work(_ step: SetupStep, _ question: Question) -> [Effect] {
        state = .working
        return [.work(step, value: question.choices[question.selected].value)]
    }

    private mutating func settle(_ step: SetupStep, _ outcome: Outcome) -> [Effect] {
        outcomes[step] = outcome
        index += 1
        guard steps.indices.contains(index) else {
            state = .over
            return [.tell(step, outcome), .end]
        }
        state = .looking
        return [.tell(step, outcome), .look(steps[index])]
    }
}
