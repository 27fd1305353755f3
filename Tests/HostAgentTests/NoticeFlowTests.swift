import DictationBus
import DictationSettings
import DictationShared
import TestSupport
import Testing

@testable import DictationHost

@Suite("Notices of the desktop")
struct NoticeFlowTests {
    private static let id = DictationID()

    private static func state(_ phase: DictationState.Phase, text: String = "Some text.") -> DictationState {
        States.state(phase, text: text, id: id)
    }

    @Test("a held text can be answered, is shown once, and goes with its reason")
    func held() throws {
        var flow = NoticeFlow()
        let held = Self.state(.ready(.held(.focusMoved)))
        guard case .show(let notice, Self.id) = flow.handle(held, settings: NoticesSettings()) else {
            Issue.record("no notice")
            return
        }
        #expect(notice.actions.map(\.name) == ["insert", "copy", "discard"])
        #expect(notice.body == "Some text.")
        #expect(flow.handle(held, settings: NoticesSettings()) == nil)
        #expect(flow.handle(Self.state(.ready(.pending)), settings: NoticesSettings()) == .close(Self.id))
        #expect(flow.handle(Self.state(.ready(.inserted)), settings: NoticesSettings()) == nil)
    }

    @Test(
        "an event that the user has asked for, or sees already, is no news",
        arguments: [
            DictationState.Phase.ready(.held(.askedFor)), .ready(.held(.undone)), .failed(.noSpeech),
            .recording,
            .ready(.inserted), .cancelled,
        ])
    func silent(phase: DictationState.Phase) {
        var flow = NoticeFlow()
        #expect(flow.handle(Self.state(phase), settings: NoticesSettings()) == nil)
    }

    @Test("a failure says what was kept; the settings can have no notices, or none with words")
    func settings() {
        let failure = DictationFailure(code: .microphoneLost, message: "Lost.", kept: "the recording")
        var flow = NoticeFlow()
        #expect(
            flow.handle(Self.state(.failed(failure)), settings: NoticesSettings())
                == .show(
                    DesktopNotice(summary: "A dictation failed", body: "Lost.\nKept: the recording"), Self.id)
        )
        var settings = NoticesSettings()
        settings.showsText = false
        var second = NoticeFlow()
        guard
            case .show(let notice, _) = second.handle(
                Self.state(.ready(.held(.stale))), settings: settings)
        else {
            Issue.record("no notice")
            return
        }
        #expect(notice.body.isEmpty)
        settings.isShown = false
        // Switched off while it is there: it goes.
        #expect(second.handle(Self.state(.ready(.held(.stale))), settings: settings) == .close(Self.id))
        var third = NoticeFlow()
        #expect(third.handle(Self.state(.failed(failure)), settings: settings) == nil)
    }

    @Test("without an overlay, one notification says how far a dictation is, and ends as it does")
    func progress() {
        var flow = NoticeFlow()
        func summary(_ phase: DictationState.Phase) -> String? {
            switch flow.handle(Self.state(phase), settings: NoticesSettings(), tellsProgress: true) {
            case .show(let notice, Self.id): notice.summary
            case .close(Self.id): "closed"
            case .show, .close, nil: nil
            }
        }
        #expect(summary(.starting) == "Recording")
        #expect(summary(.recording) == nil)
        #expect(summary(.processing) == "Writing the text")
        #expect(summary(.ready(.pending)) == nil)
        #expect(summary(.ready(.inserted)) == "closed")
        #expect(summary(.ready(.held(.focusMoved)))?.hasPrefix("A text is held") == true)
        #expect(summary(.recording) == "Recording")
        #expect(summary(.cancelled) == "closed")
        // There is no other message.
        #expect(summary(.failed(.noSpeech)) == "A dictation failed")
    }

    @Test("a text that is not typed is reported once, instead of “Writing the text”, until an agent has it")
    func stranded() {
        var flow = NoticeFlow()
        func handle(_ phase: DictationState.Phase, isStranded: Bool = false) -> NoticeFlow.Effect? {
            flow.handle(
                Self.state(phase), settings: NoticesSettings(), tellsProgress: true, isStranded: isStranded)
        }
        _ = handle(.processing)
        guard case .show(let notice, Self.id) = handle(.ready(.pending), isStranded: true) else {
            Issue.record("no notice")
            return
        }
        #expect(notice.summary == "A text is not typed: insert-agent does not run")
        #expect(notice.body.hasPrefix("Some text.\n"))
        // No agent would carry out the actions.
        #expect(notice.actions.isEmpty)
        #expect(handle(.ready(.pending), isStranded: true) == nil)
        #expect(handle(.ready(.inserted)) == .close(Self.id))
    }
}
