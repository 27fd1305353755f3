import Desktop
import DictationSettings
import DictationShared
import DictationSystem
import Foundation
import TestSupport
import Testing

@testable import DictationInsertion

@Suite("The delivery policy")
struct DeliveryPolicyTests {
    private static let window = WindowInfo(id: 1, windowClass: "XTerm", title: "letter")
    private let policy = DeliveryPolicy(insert: InsertSettings())

    /// A store with one dictation in each of the given deliveries, oldest first.
    private func history(_ transitions: [[DictationTransition]]) throws -> [DictationState] {
        let folder = try TemporaryFolder("policy")
        let store = try StateStore(group: AppGroup(folder: URL(fileURLWithPath: folder.file("group"))))
        for (index, steps) in transitions.enumerated() {
            let state = try store.begin(target: nil, engine: "test", locale: "en-US")
            try store.apply(
                .recognized(.init(rawText: "\(index)", cleanedText: "Text \(index).")), to: state.id)
            for step in steps { try store.apply(step, to: state.id) }
        }
        return try store.history(limit: 100)
    }

    private static let claim = DictationTransition.claimed(by: Claimant("boot/1/1"))

    private static let origin = WindowInfo(id: 2, windowClass: "Gedit", title: "notes", pid: nil)

    /// A text that was spoken into ``origin``, or into no window that is known.
    private func spoken(into target: WindowInfo?) throws -> DictationState {
        let folder = try TemporaryFolder("policy")
        let store = try StateStore(group: AppGroup(folder: URL(fileURLWithPath: folder.file("group"))))
        let state = try store.begin(target: target, engine: "test", locale: "en-US")
        try store.apply(.recognized(.init(rawText: "hello", cleanedText: "Hello.")), to: state.id)
        return try store.apply(Self.claim, to: state.id)
    }

    @Test("words are shown while they are spoken, in the window that their text will go to by IBus")
    func words() throws {
        let folder = try TemporaryFolder("policy")
        let store = try StateStore(group: AppGroup(folder: URL(fileURLWithPath: folder.file("group"))))
        let id = try store.begin(target: Self.origin, engine: "test", locale: "en-US").id
        try store.apply(.recordingStarted, to: id)
        let silent = try #require(try store.dictation(id))
        let spoken = try store.apply(.partial("so we meet"), to: id)
        let ready = try store.apply(
            .recognized(.init(rawText: "so we meet", cleanedText: "So we meet.")), to: id)
        var insert = InsertSettings()
        #expect(!DeliveryPolicy(insert: insert).showsWords(of: spoken, in: Self.window))
        insert.method = .ibus
        #expect(DeliveryPolicy(insert: insert).showsWords(of: spoken, in: Self.window))
        #expect(!DeliveryPolicy(insert: insert).showsWords(of: silent, in: Self.window))
        #expect(!DeliveryPolicy(insert: insert).showsWords(of: ready, in: Self.window))
        insert.policy = .origin
        #expect(!DeliveryPolicy(insert: insert).showsWords(of: spoken, in: Self.window))
        #expect(DeliveryPolicy(insert: insert).showsWords(of: spoken, in: Self.origin))
        insert.policy = .hold
        #expect(!DeliveryPolicy(insert: insert).showsWords(of: spoken, in: Self.origin))
    }

    @Test("a text goes into the window that has the focus; without one it is held")
    func focused() throws {
        let state = try #require(try history([[Self.claim, .progress(3)]]).first)
        #expect(policy.decide(state, focused: Self.window, isAsked: false) == .insert(into: Self.window))
        #expect(policy.decide(state, focused: nil, isAsked: false) == .settle(.held(.noFocus)))
        // In a Wayland session a window that cannot be seen may have it.
        let wayland = DeliveryPolicy(insert: InsertSettings(), seesEveryWindow: false)
        #expect(wayland.decide(state, focused: nil, isAsked: false) == .settle(.held(.nativeWindow)))
        #expect(wayland.holdReason(for: .noFocus) == .focusMoved)
    }

    @Test("by the policy “hold” nothing is typed unasked")
    func hold() throws {
        var insert = InsertSettings()
        insert.policy = .hold
        let policy = DeliveryPolicy(insert: insert)
        let state = try spoken(into: nil)
        #expect(policy.decide(state, focused: Self.window, isAsked: false) == .settle(.held(.bySetting)))
        #expect(policy.decide(state, focused: Self.window, isAsked: true) == .insert(into: Self.window))
    }

    @Test(
        "by the policy “origin” a text goes to where it was spoken, unless the user requests it elsewhere",
        arguments: AbsentOrigin.allCases)
    func origin(away: AbsentOrigin) throws {
        var insert = InsertSettings()
        insert.policy = .origin
        insert.originAway = away
        let policy = DeliveryPolicy(insert: insert)
        let there = WindowInfo(id: 2, windowClass: "Gedit", title: "notes")
        let state = try spoken(into: Self.origin)
        #expect(policy.waits(state, focused: Self.window, isAsked: false) == (away == .wait))
        #expect(!policy.waits(state, focused: there, isAsked: false))
        #expect(!policy.waits(state, focused: Self.window, isAsked: true))
        #expect(policy.decide(state, focused: there, isAsked: false) == .insert(into: there))
        let elsewhere =
            away == .wait ? DeliveryPolicy.Decision.settle(.held(.focusMoved)) : .activate(Self.origin)
        #expect(policy.decide(state, focused: Self.window, isAsked: false) == elsewhere)
        #expect(policy.decide(state, focused: nil, isAsked: false) == elsewhere)
        #expect(policy.decide(state, focused: Self.window, isAsked: true) == .insert(into: Self.window))
        // Another program's window has the number of the closed one.
        let again = WindowInfo(id: 2, windowClass: "Mail", title: "reply", pid: 8)
        let fromProcess = try spoken(
            into: WindowInfo(id: 2, windowClass: "Gedit", title: "notes", pid: 7))
        #expect(policy.waits(fromProcess, focused: again, isAsked: false) == (away == .wait))
        #expect(policy.decide(fromProcess, focused: again, isAsked: false) != .insert(into: again))
        let nowhere = try spoken(into: nil)
        #expect(!policy.waits(nowhere, focused: Self.window, isAsked: false))
        #expect(policy.decide(nowhere, focused: Self.window, isAsked: false) == .insert(into: Self.window))
    }

    @Test("a text that is typed while it is spoken takes the focus from no window")
    func growingOrigin() throws {
        var insert = InsertSettings()
        insert.policy = .origin
        insert.originAway = .activate
        let policy = DeliveryPolicy(insert: insert)
        let folder = try TemporaryFolder("policy")
        let store = try StateStore(group: AppGroup(folder: URL(fileURLWithPath: folder.file("group"))))
        let id = try store.begin(target: Self.origin, engine: "test", locale: "en-US").id
        try store.apply(.recordingStarted, to: id)
        try store.apply(.grown("So we meet"), to: id)
        let claimed = try store.apply(Self.claim, to: id)
        let there = WindowInfo(id: 2, windowClass: "Gedit", title: "notes")
        #expect(policy.decide(claimed, focused: there, isAsked: false) == .insert(into: there))
        #expect(policy.decide(claimed, focused: Self.window, isAsked: false) == .settle(.held(.focusMoved)))
    }

    @Test("a text that is typed to its end needs no window")
    func nothingLeft() throws {
        let state = try #require(try history([[Self.claim, .progress(7)]]).first)
        #expect(policy.decide(state, focused: nil, isAsked: false) == .settle(.inserted(milliseconds: 0)))
    }

    private static let xterm = WindowInfo(id: 1, windowClass: "XTerm", title: "shell")
    private static let chromium = WindowInfo(id: 1, windowClass: "Chromium", title: "mail")
    private static let editor = WindowInfo(id: 1, windowClass: "Gedit", title: "notes")
    private static let writer = WindowInfo(id: 1, windowClass: "libreoffice-writer", title: "letter")
    private static let unknown = WindowInfo(id: 1, windowClass: "Notes", title: "notes")

    @Test(
        "typing is the usual method; a paste is used if keys would be slow, wrong or missing",
        arguments: [
            (unknown, .init(characterCount: 1_000), [.type]),
            (editor, .init(characterCount: 199), [.type]),
            (editor, .init(characterCount: 200), [.paste, .type]),
            (xterm, .init(characterCount: 199), [.type]),
            (xterm, .init(characterCount: 200), [.paste, .type]),
            (chromium, .init(characterCount: 200), [.paste, .type]),
            (xterm, .init(characterCount: 50, mapChanges: 1, tellsReading: false), [.type]),
            (xterm, .init(characterCount: 50, mapChanges: 2, tellsReading: false), [.paste, .type]),
            (editor, .init(characterCount: 50, mapChanges: 2), [.type]),
            (editor, .init(characterCount: 5, untypable: 1), [.paste, .type]),
            (editor, .init(characterCount: 5, hasInputMethod: true), [.paste, .type]),
        ] as [(WindowInfo, TypingSurvey, [InsertMethod])])
    func methods(window: WindowInfo, survey: TypingSurvey, methods: [InsertMethod]) {
        #expect(policy.methods(policy.style(for: window), text: "text", survey: survey) == methods)
    }

    @Test(
        "a text that an application would change as keys is pasted, unless a profile asks for keys",
        arguments: [
            (editor, "one two", false), (editor, "one\ntwo", true), (writer, "one two", true),
            (chromium, "one\ntwo", false), (unknown, "one\ntwo", false),
        ])
    func alterations(window: WindowInfo, text: String, isPasted: Bool) {
        let survey = TypingSurvey(characterCount: text.count)
        let methods = policy.methods(policy.style(for: window), text: text, survey: survey)
        #expect(methods == (isPasted ? [.paste, .type] : [.type]))
        var typing = ProfileSettings()
        typing.method = .set(.type)
        let typed = DeliveryPolicy(insert: InsertSettings(), profiles: [typing])
        #expect(
            policy.methods(policy.style(for: window), text: text, survey: survey, isGrowing: true) == [.type])
        #expect(typed.methods(typed.style(for: window), text: text, survey: survey) == [.type])
    }

    @Test("a long text with keys in it that are no text is typed")
    func newlines() {
        var chat = ProfileSettings()
        (chat.newline, chat.pressEnter) = (.set(.shiftReturn), true)
        let policy = DeliveryPolicy(insert: InsertSettings(), profiles: [chat])
        let style = policy.style(for: Self.chromium)
        let survey = TypingSurvey(characterCount: 1_000)
        #expect(policy.methods(style, text: "one\ntwo", survey: survey) == [.type])
        #expect(policy.methods(style, text: "one two\n", survey: survey) == [.paste, .type])
    }

    @Test(
        "a method that is set has its fall-back, or none",
        arguments: [
            (.type, [.type]), (.paste, [.paste, .type]), (.xdotool, [.xdotool, .type]), (.copy, [.copy]),
            (.none, []),
        ] as [(InsertMethod, [InsertMethod])])
    func fallBacks(method: InsertMethod, methods: [InsertMethod]) {
        var insert = InsertSettings()
        insert.method = method
        let policy = DeliveryPolicy(insert: insert)
        let survey = TypingSurvey(characterCount: 10)
        #expect(policy.methods(policy.style(for: Self.editor), text: "text", survey: survey) == methods)
    }

    @Test(
        "if only an input method gets text into a window, it goes that way, unless another one is set",
        arguments: [
            (.type, [.ibus]), (.paste, [.ibus]), (.ibus, [.ibus]), (.xdotool, [.xdotool, .type]),
            (.copy, [.copy]), (.none, []),
        ] as [(InsertMethod, [InsertMethod])])
    func commits(method: InsertMethod, methods: [InsertMethod]) {
        var insert = InsertSettings()
        insert.method = method
        let policy = DeliveryPolicy(insert: insert)
        let survey = TypingSurvey(characterCount: 1_000, onlyCommits: .notNeeded)
        for isGrowing in [false, true] {
            #expect(
                policy.methods(
                    policy.style(for: Self.xterm), text: "text", survey: survey, isGrowing: isGrowing)
                    == methods)
        }
    }

    @Test(
        "for each reason to stop the typing, the rest is held with that reason",
        arguments: [
            (.typed(7), .inserted(milliseconds: 5)),
            (.stopped(2, reason: .focusMoved(to: nil)), .held(.focusMoved)),
            (.stopped(0, reason: .noFocus), .held(.noFocus)),
            (.stopped(2, reason: .windowClosed), .held(.windowClosed)),
            (.stopped(0, reason: .keyboardBusy), .held(.keyboardBusy)),
            (.stopped(2, reason: .notResponding), .held(.notResponding)),
            (.stopped(2, reason: .escapePressed), .held(.escapePressed)),
        ] as [(TypingOutcome, DictationTransition)])
    func settles(outcome: TypingOutcome, transition: DictationTransition) {
        #expect(policy.settle(outcome, milliseconds: 5) == transition)
    }

    @Test("gives way to the user's dictating, and to nothing else")
    func givesWay() {
        let policy = DeliveryPolicy(insert: InsertSettings())
        let reasons: [TypingOutcome.StopReason] = [
            .focusMoved(to: nil), .noFocus, .windowClosed, .keyboardBusy, .hotkeyPressed, .escapePressed,
            .notResponding,
        ]
        #expect(reasons.filter { policy.givesWay($0, whileRecording: false) } == [.hotkeyPressed])
        #expect(
            reasons.filter { policy.givesWay($0, whileRecording: true) } == [.keyboardBusy, .hotkeyPressed])
    }

    @Test("a request without a dictation means the newest held one, else the newest text")
    func newest() throws {
        let inserted: [DictationTransition] = [Self.claim, .inserted(milliseconds: 1)]
        let held: [DictationTransition] = [.held(.focusMoved)]
        #expect(policy.dictationToInsert(among: try history([held, held, inserted]))?.rawText == "1")
        #expect(policy.dictationToInsert(among: try history([inserted, inserted]))?.rawText == "1")
        #expect(policy.dictationToInsert(among: []) == nil)
        // A text that was selected once comes after the rest of the one that was to replace it.
        let former: [DictationTransition] = [.held(.formerText)]
        #expect(policy.dictationToInsert(among: try history([held, former]))?.rawText == "0")
        #expect(policy.dictationToInsert(among: try history([inserted, former]))?.rawText == "1")
    }
}
