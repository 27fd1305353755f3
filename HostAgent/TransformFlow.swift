import Desktop
import DictationShared

/// Decides the course of one transform, the change of a selected text by a language model: a pure value,
/// without display, server or clock.
///
///     selected “see you on monday” ─► (waits for the instruction)
///     said “make it polite” ────────► ask the model, show its answer as it comes
///     answered ─────────────────────► commit: replace the selection
///
/// The selection and the instruction come in any order. The first error ends it; anything after that
/// is too late, and has no effect.
struct TransformFlow: Equatable {
    enum Event: Equatable {
        /// The window's selection was read.
        case selected(SelectedText)
        /// insert-agent, which reads native windows, reports why there is no such text.
        case unselectable(String)
        /// The instruction for the change; empty if nothing was said.
        case instructed(String)
        /// The model's answer, as the guard lets it through.
        case answered(String)
        /// There is no answer, for this reason.
        case refused(String)
        /// Escape, or `dictstate cancel`.
        case cancelled
    }

    enum Effect: Equatable {
        case ask(selection: String, instruction: String)
        case replace(Intent.ReplaceRequest)
        /// It is over, and the selected text stays as it is.
        case fail(Problem)
        /// The model is no longer waited for.
        case giveUp
    }

    /// Why the selected text stays as it is.
    enum Problem: Error, Equatable, CustomStringConvertible {
        case noModel
        case noWindow
        /// Its profile wants no language model.
        case keptFromModel(window: String)
        case terminal(window: String)
        /// Its selection cannot be read.
        case unseen(window: String)
        case nothingSelected(window: String)
        case selectedElsewhere(window: String)
        case unreadable(window: String)
        case tooLong(count: Int, limit: Int)
        /// insert-agent says why.
        case unselectable(String)
        case noInstruction
        case model(String)
        case cancelled

        var description: String {
            switch self {
            case .noModel:
                "no language model is configured. Start one (llama.cpp, Ollama) and name it: dictstate settings set polish.endpoint http://127.0.0.1:8080/v1"
            case .noWindow:
                "\(SelectionObstacle.noWindow). In a Wayland session of GNOME or KDE only X11 windows work. See docs/transform.md"
            case .keptFromModel(let window): "\(SelectionObstacle.keptFromModel(window: window))"
            case .terminal(let window): "\(SelectionObstacle.terminal(window: window))"
            case .unseen(let window):
                "the selection in “\(window)” cannot be read on this desktop. See docs/transform.md"
            case .nothingSelected(let window): "\(SelectionObstacle.nothingSelected(window: window))"
            case .selectedElsewhere(let window):
                "the selected text is in another window, not in “\(window)”"
            case .unreadable(let window): "\(SelectionObstacle.unreadable(window: window))"
            case .tooLong(let count, let limit):
                "\(count) characters are selected, and transform.longest allows \(limit)"
            case .noInstruction: "no instruction was recognized"
            case .model(let reason), .unselectable(let reason): reason
            case .cancelled: "it was canceled"
            }
        }
    }

    /// The facts that are known when it begins.
    struct Situation: Equatable {
        /// The window's title, or its class; nil without a window.
        var window: String?
        /// Whether insert-agent finds the window if none is known here: among the native windows of a Wayland
        /// session.
        var isNative = false
        var hasModel = true
        var isTerminal = false
        /// The window's profile says so.
        var isKeptFromModel = false
        /// Whether the window's selection can be read.
        var canSee = true
        /// In characters.
        var longest = 8_000
    }

    private enum State: Equatable {
        case waiting(selection: String?, instruction: String?)
        case asking(selection: String)
        case over
    }
    private var state = State.waiting(selection: nil, instruction: nil)
    private let situation: Situation

    init(_ situation: Situation) { self.situation = situation }

    /// Whether it has ended.
    var isOver: Bool { state == .over }

    /// The reason why it cannot begin; nil if it can.
    var obstacle: Problem? {
        guard situation.window != nil || situation.isNative else { return .noWindow }
        // Problems that the user can solve for good come first.
        if !situation.hasModel { return .noModel }
        guard let window = situation.window else { return nil }
        if situation.isKeptFromModel { return .keptFromModel(window: window) }
        if situation.isTerminal { return .terminal(window: window) }
        return situation.canSee ? nil : .unseen(window: window)
    }

    mutating func handle(_ event: Event) -> [Effect] {
        switch (state, event) {
        case (.over, _): return []
        case (.asking, .cancelled): return [.giveUp] + fail(.cancelled)
        case (.waiting, .cancelled): return fail(.cancelled)
        case (.waiting(_, let instruction), .selected(let selected)):
            do {
                return waitOrAsk(try text(of: selected), instruction)
            } catch {
                return fail(error)
            }
        case (.waiting, .unselectable(let reason)): return fail(.unselectable(reason))
        case (.waiting(let selection, _), .instructed(let words)):
            guard words.contains(where: { !$0.isWhitespace }) else { return fail(.noInstruction) }
            return waitOrAsk(selection, words)
        case (.asking(let selection), .answered(let text)):
            state = .over
            return [.replace(.init(selection: selection, text: text))]
        case (.asking, .refused(let reason)): return fail(.model(reason))
        // Out of turn: no request matches.
        case (.waiting, .answered), (.waiting, .refused), (.asking, .selected), (.asking, .unselectable),
            (.asking, .instructed):
            return []
        }
    }

    private func text(of selected: SelectedText) throws(Problem) -> String {
        let window = situation.window ?? "the focused window"
        switch selected {
        case .text(let text) where text.contains(where: { !$0.isWhitespace }):
            let count = text.count
            guard count <= situation.longest else {
                throw .tooLong(count: count, limit: situation.longest)
            }
            return text
        case .text, .nothing: throw .nothingSelected(window: window)
        case .elsewhere: throw .selectedElsewhere(window: window)
        case .unreadable: throw .unreadable(window: window)
        }
    }

    private mutating func waitOrAsk(_ selection: String?, _ instruction: String?) -> [Effect] {
        guard let selection, let instruction else {
            state = .waiting(selection: selection, instruction: instruction)
            return []
        }
        state = .asking(selection: selection)
        return [.ask(selection: selection, instruction: instruction)]
    }

    private mutating func fail(_ problem: Problem) -> [Effect] {
        state = .over
        return [.fail(problem)]
    }
}
