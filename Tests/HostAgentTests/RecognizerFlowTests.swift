import DictationSettings
import Testing

@testable import DictationHost

/// Which recognizer is used when, as tables of events.
@Suite("Recognizer flow")
struct RecognizerFlowTests {
    /// A step, and its effects.
    enum Step {
        case event(RecognizerFlow.Event, [RecognizerFlow.Effect])
        /// A dictation begins, with the recognizer of this number.
        case begin(RecognizerFlow.Number)
    }

    static func choice(_ locale: String, threads: Int = 0) -> RecognizerChoice {
        var settings = Settings()
        settings.speech.engine = .pocketsphinx
        (settings.speech.locale, settings.speech.threads) = (locale, threads)
        return RecognizerChoice(settings)
    }

    static let first = choice("en-US")
    static let second = choice("en-US", threads: 2)
    static let third = choice("en-US", threads: 3)
    static let german = choice("de-DE")
    static let poor = RecognizerFlow.Health.poor(reason: "it is broken")

    static let scenarios: [(String, [Step])] = [
        (
            "the new one is used when it is loaded, and the old one released",
            [
                .event(.prepared(1, .good), []),
                .event(.wanted(first), []),
                .event(.wanted(second), [.prepare(2, second)]),
                .event(.wanted(second), []),
                .event(.prepared(2, .good), [.use(2), .release(1)]),
                .begin(2),
            ]
        ),
        (
            "dictations that have begun keep theirs, which goes with the last of them",
            [
                .event(.prepared(1, .good), []),
                .begin(1), .begin(1),
                .event(.wanted(second), [.prepare(2, second)]),
                .begin(1),
                .event(.prepared(2, .good), [.use(2)]),
                .begin(2),
                .event(.ended(1), []), .event(.ended(1), []), .event(.ended(2), []),
                .event(.ended(1), [.release(1)]),
                .event(.ended(1), []),
            ]
        ),
        (
            "one that cannot be used leaves the one before, and is not tried again unless something changes",
            [
                .event(.prepared(1, .good), []),
                .event(.wanted(second), [.prepare(2, second)]),
                .event(.prepared(2, poor), [.keep(reason: "it is broken"), .release(2)]),
                .begin(1),
                .event(.wanted(second), []),
                .event(.wanted(third), [.prepare(3, third)]),
                .event(.prepared(3, .good), [.use(3)]),
                .event(.ended(1), [.release(1)]),
            ]
        ),
        (
            "a refused recognizer is tried again after a change and back",
            [
                .event(.prepared(1, .good), []),
                .event(.wanted(second), [.prepare(2, second)]),
                .event(.prepared(2, poor), [.keep(reason: "it is broken"), .release(2)]),
                .event(.wanted(first), []),
                .event(.wanted(second), [.prepare(3, second)]),
            ]
        ),
        (
            "one that fails takes the place of another one that fails",
            [
                .event(.prepared(1, poor), []),
                .event(.wanted(second), [.prepare(2, second)]),
                .event(.prepared(2, poor), [.use(2), .release(1)]),
            ]
        ),
        (
            "another language is never recognized as the one before",
            [
                .event(.prepared(1, .good), []),
                .event(.wanted(german), [.prepare(2, german)]),
                .event(.prepared(2, poor), [.use(2), .release(1)]),
            ]
        ),
        (
            "a change of mind drops the one that is loading; its late answer changes nothing",
            [
                .event(.prepared(1, .good), []),
                .event(.wanted(second), [.prepare(2, second)]),
                .event(.wanted(third), [.release(2), .prepare(3, third)]),
                .event(.prepared(2, .good), []),
                .event(.wanted(first), [.release(3)]),
                .event(.prepared(3, .good), []),
                .begin(1),
            ]
        ),
        (
            "the first one may still be loading when another one is wanted",
            [
                .event(.wanted(second), [.prepare(2, second)]),
                .event(.prepared(2, .good), [.use(2), .release(1)]),
                .event(.prepared(1, .good), []),
                .begin(2),
            ]
        ),
    ]

    @Test("decides", arguments: scenarios)
    func decides(name: String, steps: [Step]) {
        var flow = RecognizerFlow(Self.first)
        for (index, step) in steps.enumerated() {
            switch step {
            case .event(let event, let effects):
                #expect(flow.handle(event) == effects, "\(name), step \(index + 1)")
            case .begin(let number): #expect(flow.begin() == number, "\(name), step \(index + 1)")
            }
        }
    }

    @Test("settings that a recognizer in use supports need no other one; all others do")
    func choices() {
        let standard = RecognizerChoice(Settings())
        func isSame(_ change: (inout Settings) -> Void) -> Bool {
            var settings = Settings()
            change(&settings)
            return RecognizerChoice(settings) == standard
        }
        #expect(isSame { $0.speech.hotWords = ["Kubernetes"] })
        #expect(isSame { $0.speech.keepLoaded = 5 })
        // Words that come with a dictation need another search than without any, for any source of the words.
        #expect(!isSame { $0.speech.context = .window })
        var looking = Settings()
        looking.speech.context = .window
        let withWords = RecognizerChoice(looking)
        looking.speech.context = .selection
        looking.profiles = [ProfileSettings()]
        #expect(RecognizerChoice(looking) == withWords)
        #expect(isSame { $0.remote.address = "http://127.0.0.1:1/v1" })
        #expect(!isSame { $0.speech.locale = "de-DE" })
        #expect(!isSame { $0.speech.engine = .pocketsphinx })
        #expect(!isSame { $0.speech.model = "nosuchmodel" })
        #expect(!isSame { $0.speech.punctuation = "nosuchmodel" })
        #expect(!isSame { $0.speech.provider = "cuda" })
        var remote = Settings()
        remote.speech.engine = .remote
        let asked = RecognizerChoice(remote)
        remote.remote.address = "http://127.0.0.1:1/v1"
        #expect(RecognizerChoice(remote) != asked)
    }

    @Test(
        "what finds the speech belongs to the recognizer that gets no other: a server, or a model",
        arguments: [(SpeechEngine.pocketsphinx, true), (.remote, false), (.sherpaOnnx, false)])
    func voices(engine: SpeechEngine, isSame: Bool) {
        var settings = Settings()
        settings.speech.engine = engine
        settings.speech.model = "nosuchmodel"
        let before = RecognizerChoice(settings)
        settings.audio.voiceDetection = .loudness
        #expect((RecognizerChoice(settings) == before) == isSame)
    }
}
