import DictationBus
import DictationShared
import DictationSystem

/// Decides what the tray shows: changes of the store in, an item out; no bus, no clock.
///
///     idle ──────────► a click starts a dictation
///     recording ─────► a click stops it
///     writing ───────► a click does nothing
///     held texts ────► it asks for attention; each can be inserted, copied and discarded
struct TrayFlow: Equatable {
    /// The user's choices; the raw values are the actions' names on the bus.
    enum Action: Equatable, RawRepresentable {
        case record(Request)
        /// For the text that is being typed, or is about to be; the rest is held.
        case stopTyping(DictationID)
        /// To the newest text.
        case copy(DictationID)
        /// To a held text.
        case answer(NoticeFlow.Answer, DictationID)
        case settings, doctor

        enum Request: String {
            case start, stop, cancel

            fileprivate var intent: Intent.Action {
                switch self {
                case .start: .record(.start())
                case .stop: .record(.stop())
                case .cancel: .record(.cancel)
                }
            }
        }

        /// The intent that carries it out; nil if it needs no agent.
        var intent: Intent.Action? {
            switch self {
            case .record(let request): request.intent
            case .stopTyping(let id): .hold(id)
            case .copy(let id): .copy(id)
            case .answer(let answer, let id): answer.action(id)
            case .settings, .doctor: nil
            }
        }

        init?(rawValue: String) {
            let words = rawValue.split(separator: " ", maxSplits: 1).map(String.init)
            let name = words.first ?? ""
            if let id = words.dropFirst().first.flatMap(DictationID.init) {
                switch name {
                case Self.copyName: self = .copy(id)
                case Self.stopTypingName: self = .stopTyping(id)
                default:
                    guard let answer = NoticeFlow.Answer(rawValue: name) else { return nil }
                    self = .answer(answer, id)
                }
            } else if let request = Request(rawValue: rawValue) {
                self = .record(request)
            } else {
                switch rawValue {
                case Self.settings.rawValue: self = .settings
                case Self.doctor.rawValue: self = .doctor
                default: return nil
                }
            }
        }

        private static let (copyName, stopTypingName) = ("copy-newest", "stop-typing")

        var rawValue: String {
            switch self {
            case .record(let request): request.rawValue
            case .stopTyping(let id): "\(Self.stopTypingName) \(id)"
            case .copy(let id): "\(Self.copyName) \(id)"
            case .answer(let answer, let id): "\(answer.rawValue) \(id)"
            case .settings: "settings"
            case .doctor: "doctor"
            }
        }
    }

    /// How many of the newest dictations are read, as by `dictstate`: more than in a day.
    static let count = 100
    /// How many held texts the menu has.
    static let shownTexts = 10
    /// Characters of a text in the menu.
    static let excerpt = 40

    /// The newest dictations, the newest first.
    private var dictations: [DictationState] = []

    /// - Parameter history: the newest dictations, the newest first.
    init(history: [DictationState] = []) { dictations = Array(history.prefix(Self.count)) }

    mutating func handle(_ changes: ChangeSet) {
        if changes.isComplete { dictations = [] }
        dictations.removeAll { changes.removed.contains($0.id) }
        for state in changes.dictations {
            if let place = dictations.firstIndex(where: { $0.id == state.id }) {
                dictations[place] = state
            } else {
                // They have identifiers in the order in which they began.
                let place = dictations.firstIndex { $0.id < state.id } ?? dictations.endIndex
                dictations.insert(state, at: place)
            }
        }
        dictations.removeLast(max(0, dictations.count - Self.count))
    }

    /// - Parameter showsText: whether the beginnings of texts may be shown. Private ones never are.
    func item(showsText: Bool) -> StatusItem {
        let held = dictations.filter(\.isHeld)
        let requests = requests
        let heldTitle = "\(held.count.counted("text")) held"
        let last = showsText ? dictations.first { !$0.cleanedText.isEmpty && !$0.isPrivate } : nil
        var menu = requests.map { StatusItem.Entry.action($0.action.rawValue, label: $0.label) }
        if let last {
            menu += [.separator, .action(Action.copy(last.id).rawValue, label: "Copy “\(last.beginning)”")]
        }
        if !held.isEmpty {
            let texts = held.prefix(Self.shownTexts).map { state in
                StatusItem.Entry.submenu(
                    label: showsText && !state.isPrivate ? state.beginning : "A text",
                    NoticeFlow.Answer.allCases.map {
                        .action(Action.answer($0, state.id).rawValue, label: $0.label)
                    })
            }
            menu += [.separator, .submenu(label: heldTitle, texts)]
        }
        menu += [
            .separator, .action(Action.settings.rawValue, label: "Settings"),
            .action(Action.doctor.rawValue, label: "Check dictation"),
        ]
        let first = requests.first?.action
        let isIdle = first == .record(.start)
        return StatusItem(
            icon: first == .record(.stop) ? "voicedictation-recording" : "voicedictation",
            needsAttention: isIdle && !held.isEmpty,
            title: isIdle && !held.isEmpty ? heldTitle : title, details: last?.beginning ?? "",
            // A click too many must not cancel what the click before has ended.
            action: isIdle || first == .record(.stop) ? first?.rawValue : nil, menu: menu)
    }

    /// The dictation under way: the newest one, even if an earlier one is still being typed.
    private var current: DictationState? { dictations.first { $0.isUnfinished } }

    private var title: String {
        switch current?.phase {
        case .starting?, .recording?: "Recording"
        case .processing?, .ready?: "Writing the text"
        case .failed?, .cancelled?, nil: "Ready for dictation"
        }
    }

    /// The requests that make sense now.
    private var requests: [(action: Action, label: String)] {
        let start = (Action.record(.start), "Start dictation")
        guard let current else { return [start] }
        return switch current.phase {
        case .starting, .recording: [(.record(.stop), "Stop recording"), (.record(.cancel), "Cancel")]
        case .processing: [(.record(.cancel), "Cancel")]
        case .ready: [(.stopTyping(current.id), "Stop typing")]
        case .failed, .cancelled: [start]
        }
    }
}

extension DictationState {
    fileprivate var isHeld: Bool { if case .ready(.held) = phase { true } else { false } }

    /// From the text, or its held part.
    fileprivate var beginning: String {
        let text = (isHeld ? remainder : cleanedText).split(whereSeparator: \.isWhitespace).joined(
            separator: " ")
        return text.count <= TrayFlow.excerpt ? text : text.prefix(TrayFlow.excerpt - 1) + "…"
    }
}
