import Desktop
import DictationShared
import Testing

@testable import DictationHost

@Suite("The flow of a transform")
struct TransformFlowTests {
    struct Case: CustomTestStringConvertible {
        let name: String
        let steps: [(TransformFlow.Event, [TransformFlow.Effect])]
        var isOver = true
        var testDescription: String { name }
    }

    private static let ask = TransformFlow.Effect.ask(selection: "see you", instruction: "politely")
    private static let replace = TransformFlow.Effect.replace(
        .init(selection: "see you", text: "See you."))

    static let cases: [Case] = [
        .init(
            name: "the selection is there before the words",
            steps: [
                (.selected(.text("see you")), []), (.instructed("politely"), [ask]),
                (.answered("See you."), [replace]),
            ]),
        .init(
            name: "the words are there before the selection",
            steps: [
                (.instructed("politely"), []), (.selected(.text("see you")), [ask]),
                (.answered("See you."), [replace]),
            ]),
        .init(
            name: "it waits",
            steps: [(.selected(.text("see you")), []), (.answered("too early"), []), (.refused("x"), [])],
            isOver: false),
        .init(
            name: "nothing is selected, and what comes later does nothing",
            steps: [
                (.selected(.nothing), [.fail(.nothingSelected(window: "Letter"))]),
                (.instructed("politely"), []), (.answered("x"), []), (.cancelled, []),
            ]),
        .init(
            name: "blanks are nothing",
            steps: [(.selected(.text(" \n")), [.fail(.nothingSelected(window: "Letter"))])]),
        .init(
            name: "another window has the selection",
            steps: [(.selected(.elsewhere), [.fail(.selectedElsewhere(window: "Letter"))])]),
        .init(
            name: "it cannot be read",
            steps: [(.selected(.unreadable), [.fail(.unreadable(window: "Letter"))])]),
        .init(
            name: "insert-agent says why it cannot be read; too late, it says nothing",
            steps: [
                (.unselectable("it is a terminal"), [.fail(.unselectable("it is a terminal"))]),
                (.selected(.text("see you")), []),
            ]),
        .init(
            name: "insert-agent says so out of turn",
            steps: [
                (.selected(.text("see you")), []), (.instructed("politely"), [ask]),
                (.unselectable("late"), []), (.answered("See you."), [replace]),
            ]),
        .init(
            name: "the longest", steps: [(.selected(.text(String(repeating: "a", count: 10))), [])],
            isOver: false),
        .init(
            name: "longer than the longest",
            steps: [
                (
                    .selected(.text(String(repeating: "a", count: 11))),
                    [.fail(.tooLong(count: 11, limit: 10))]
                )
            ]),
        .init(
            name: "nothing is said",
            steps: [(.selected(.text("see you")), []), (.instructed(" "), [.fail(.noInstruction)])]),
        .init(
            name: "the model fails",
            steps: [
                (.selected(.text("see you")), []), (.instructed("politely"), [ask]),
                (.refused("it broke off"), [.fail(.model("it broke off"))]), (.answered("late"), []),
            ]),
        .init(
            name: "Escape while it is said",
            steps: [
                (.selected(.text("see you")), []), (.cancelled, [.fail(.cancelled)]),
                (.instructed("politely"), []),
            ]),
        .init(
            name: "Escape while the model answers",
            steps: [
                (.selected(.text("see you")), []), (.instructed("politely"), [ask]),
                (.cancelled, [.giveUp, .fail(.cancelled)]), (.refused("given up"), []),
                (.answered("late"), []),
            ]),
        .init(
            name: "Escape when it is done",
            steps: [
                (.selected(.text("see you")), []), (.instructed("politely"), [ask]),
                (.answered("See you."), [replace]), (.cancelled, []),
            ]),
    ]

    @Test("each event has its effects", arguments: cases)
    func table(_ one: Case) {
        var flow = TransformFlow(.init(window: "Letter", longest: 10))
        for (event, effects) in one.steps { #expect(flow.handle(event) == effects, "\(event)") }
        #expect(flow.isOver == one.isOver)
    }

    @Test("an obstacle is reported before the user speaks")
    func obstacles() {
        let fine = TransformFlow.Situation(window: "Letter")
        #expect(TransformFlow(fine).obstacle == nil)
        func obstacle(_ change: (inout TransformFlow.Situation) -> Void) -> TransformFlow.Problem? {
            var situation = fine
            change(&situation)
            return TransformFlow(situation).obstacle
        }
        #expect(obstacle { $0.window = nil } == .noWindow)
        // A native window, perhaps: insert-agent looks.
        #expect(obstacle { ($0.window, $0.isNative) = (nil, true) } == nil)
        #expect(obstacle { ($0.window, $0.isNative, $0.hasModel) = (nil, true, false) } == .noModel)
        #expect(obstacle { ($0.isNative, $0.isTerminal) = (true, true) } == .terminal(window: "Letter"))
        #expect(obstacle { $0.hasModel = false } == .noModel)
        #expect(obstacle { $0.isTerminal = true } == .terminal(window: "Letter"))
        #expect(obstacle { $0.isKeptFromModel = true } == .keptFromModel(window: "Letter"))
        #expect(obstacle { $0.canSee = false } == .unseen(window: "Letter"))
        #expect(TransformFlow.Problem.noModel.description.contains("polish.endpoint"))
        // On X11 no window may have the focus.
        #expect(
            TransformFlow.Problem.noWindow.description.contains("In a Wayland session of GNOME or KDE only"))
    }
}
