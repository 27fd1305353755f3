import DictationBus
import DictationShared
import TestSupport
import Testing

@testable import DictationHost

@Suite("The item in the tray")
struct TrayFlowTests {
    private static func state(
        _ phase: DictationState.Phase, text: String = "", at seconds: Double = 0
    ) -> DictationState {
        States.state(phase, text: text, at: seconds)
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let history: [DictationState]
        let title: String
        let click: String?
        /// The actions without a dictation.
        let actions: [String]
        var needsAttention = false
        var icon = "voicedictation"
    }

    static let rows = [
        Row(
            testDescription: "nothing yet", history: [], title: "Ready for dictation", click: "start",
            actions: ["start", "settings", "doctor"]),
        Row(
            testDescription: "recording", history: [state(.recording)], title: "Recording", click: "stop",
            actions: ["stop", "cancel", "settings", "doctor"], icon: "voicedictation-recording"),
        Row(
            testDescription: "writing: a click too many cancels nothing", history: [state(.processing)],
            title: "Writing the text", click: nil, actions: ["cancel", "settings", "doctor"]),
        Row(
            testDescription: "typing", history: [state(.ready(.pending), text: "Words.")],
            title: "Writing the text", click: nil, actions: ["settings", "doctor"]),
        Row(
            testDescription: "two held",
            history: [
                state(.ready(.held(.stale)), text: "Two.", at: 2),
                state(.ready(.held(.focusMoved)), text: "One.", at: 1),
            ], title: "2 texts held", click: "start", actions: ["start", "settings", "doctor"],
            needsAttention: true),
        Row(
            testDescription: "recording while one is held",
            history: [
                state(.recording, at: 2), state(.ready(.held(.stale)), text: "One.", at: 1),
            ], title: "Recording", click: "stop", actions: ["stop", "cancel", "settings", "doctor"],
            icon: "voicedictation-recording"),
        Row(
            testDescription: "failed", history: [state(.failed(.noSpeech))], title: "Ready for dictation",
            click: "start",
            actions: ["start", "settings", "doctor"]),
    ]

    @Test("says what dictation does, and offers what can be done", arguments: rows)
    func item(row: Row) {
        let item = TrayFlow(history: row.history).item(showsText: true)
        #expect(item.title == row.title)
        #expect(item.action == row.click)
        #expect(item.needsAttention == row.needsAttention)
        #expect(item.icon == row.icon)
        #expect(Self.actions(item.menu).filter { !$0.contains(" ") } == row.actions)
    }

    @Test("each held text has its answers, the newest text can be copied, and all actions are different")
    func texts() throws {
        let held = Self.state(.ready(.held(.stale)), text: String(repeating: "long ", count: 20), at: 2)
        let item = TrayFlow(history: [held]).item(showsText: true)
        let actions = Self.actions(item.menu)
        #expect(Set(actions).count == actions.count)
        #expect(actions.compactMap { TrayFlow.Action(rawValue: $0)?.rawValue } == actions)
        let intents = actions.compactMap { TrayFlow.Action(rawValue: $0)?.intent }
        #expect(
            intents == [
                .record(.start()), .copy(held.id), .insert(held.id), .copy(held.id), .discard(held.id),
            ])
        #expect(item.details.count == TrayFlow.excerpt)
        // Without texts there is nothing to read.
        let silent = TrayFlow(history: [held]).item(showsText: false)
        #expect(!"\(silent)".contains("long"))
    }

    @Test("what is being typed can be stopped, and the rest is held")
    func typing() {
        for delivery in [Delivery.pending, .claimed(by: .current)] {
            let typed = Self.state(.ready(delivery), text: "Words.")
            let actions = Self.actions(TrayFlow(history: [typed]).item(showsText: true).menu)
            #expect(actions.first.flatMap { TrayFlow.Action(rawValue: $0)?.intent } == .hold(typed.id))
        }
    }

    @Test("follows the changes, and lets go of what was removed")
    func changes() {
        let first = Self.state(.ready(.held(.stale)), text: "One.", at: 1)
        var flow = TrayFlow(history: [first])
        let second = Self.state(.ready(.inserted), text: "Two.", at: 2)
        flow.handle(Self.changes([second]))
        #expect(flow.item(showsText: true).details == "Two.")
        #expect(flow.item(showsText: true).title == "1 text held")
        flow.handle(Self.changes([States.state(.ready(.inserted), text: "One.", id: first.id, at: 1)]))
        #expect(flow.item(showsText: true).title == "Ready for dictation")
        flow.handle(Self.changes([], removed: [second.id]))
        #expect(flow.item(showsText: true).details == "One.")
        flow.handle(Self.changes([], isComplete: true))
        #expect(flow.item(showsText: true).details.isEmpty)
    }

    @Test(
        "words of the bus that are none of its actions mean nothing",
        arguments: ["", "insert", "insert 1", "copy-newest", "start now", "discard x-y", " "])
    func nonsense(name: String) { #expect(TrayFlow.Action(rawValue: name) == nil) }

    private static func changes(
        _ states: [DictationState], removed: [DictationID] = [], isComplete: Bool = false
    ) -> ChangeSet {
        ChangeSet(revision: 1, inAnyOrder: states, removed: removed, isComplete: isComplete)
    }

    private static func actions(_ menu: [StatusItem.Entry]) -> [String] {
        menu.flatMap { entry -> [String] in
            switch entry {
            case .action(let name, _): [name]
            case .submenu(_, let entries): actions(entries)
            case .separator: []
            }
        }
    }
}
