import DictationBus
import DictationSettings
import DictationSpeech
import Foundation
import TestSupport
import Testing

@testable import DictationHost

/// When a better recognizer is offered, and the result.
@Suite("The offer of a recognizer")
struct OfferFlowTests {
    private static let model = RecognizerAdvice.Model(name: "tiny", bytes: 85_400_000)

    private static func summaries(_ effects: [OfferFlow.Effect]) -> [String] {
        effects.compactMap { if case .show(let notice) = $0 { notice.summary } else { nil } }
    }

    @Test("it is offered with its size, installed once, and its progress told in steps")
    func installed() {
        var flow = OfferFlow()
        let offered = flow.handle(.advised(Self.model, isQuiet: false))
        #expect(Self.summaries(offered) == ["Install the better recognizer (85 MB)"])
        #expect(offered.contains(.beQuiet(.seconds(24 * 3600))))
        #expect(flow.handle(.answered(.install)).contains(.install("tiny")))
        #expect(flow.handle(.answered(.install)).isEmpty)
        #expect(flow.handle(.answered(.later)).isEmpty)
        #expect(flow.handle(.progressed(0.04, "")).isEmpty)
        #expect(
            Self.summaries(flow.handle(.progressed(0.5, ""))) == ["Installing the better recognizer: 50 %"])
        #expect(flow.handle(.progressed(0.52, "")).isEmpty)
        #expect(Self.summaries(flow.handle(.installed)) == ["The better recognizer is installed"])
        #expect(flow.handle(.progressed(1, "")).isEmpty)
    }

    @Test("a failure says why and what to do, and can be tried again")
    func failed() {
        var flow = OfferFlow()
        _ = flow.handle(.advised(Self.model, isQuiet: false))
        _ = flow.handle(.answered(.install))
        guard case .show(let notice)? = flow.handle(.failed(reason: "no network")).first else {
            Issue.record("nothing is shown")
            return
        }
        #expect(notice.body.contains("no network") && notice.body.contains("host-agent models install tiny"))
        #expect(flow.handle(.answered(.install)).contains(.install("tiny")))
    }

    @Test("“Not now” keeps it quiet for 30 days, and a quiet time shows nothing")
    func refused() {
        var flow = OfferFlow()
        _ = flow.handle(.advised(Self.model, isQuiet: false))
        #expect(flow.handle(.answered(.later)) == [.beQuiet(.seconds(30 * 24 * 3600)), .close])
        #expect(flow.handle(.answered(.install)).isEmpty)
        var quiet = OfferFlow()
        #expect(quiet.handle(.advised(Self.model, isQuiet: true)).isEmpty)
    }

    @Test("the quiet time is kept in a file, and nonsense in it silences nothing")
    func quietTime() throws {
        let folder = try TemporaryFolder("quiet")
        let time = QuietTime(url: URL(filePath: folder.file("offer")))
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        #expect(!time.contains(now))
        try time.extend(to: now + 3600)
        #expect(time.contains(now) && !time.contains(now + 3601))
        try folder.write("never", to: "offer")
        #expect(!time.contains(now))
        try time.extend(to: now + 100_000_000)
        #expect(!time.contains(now))
    }

    @Test("advice is given if there is no model, not against a choice; and if the language is unknown")
    func advice() async throws {
        let folder = try TemporaryFolder("advice")
        let catalogue = try folder.write(
            """
            {"models": [{"name": "tones-de", "engine": "sherpa-onnx", "licence": "MIT",
            "description": {"family": "streaming-zipformer2-ctc", "languages": ["de"],
            "files": {"model": "model.onnx", "tokens": "tokens.txt"}}, "files": [
            {"path": "model.onnx", "size": 1, "sha256": "\(String(repeating: "0", count: 64))", "address": "a"},
            {"path": "tokens.txt", "size": 1, "sha256": "\(String(repeating: "0", count: 64))", "address": "b"}]}]}
            """, to: "models.json")
        let offers = try await ModelOffers.load(
            from: ModelSource(catalogue: catalogue),
            engines: EngineFolder(url: URL(filePath: folder.file("none"))))
        let machine = ModelRecommendation.Machine(memory: 16 << 30, cores: 8)
        func advice(
            _ locale: String, _ engine: SpeechEngine = .pocketsphinx, model: String = "", isKnown: Bool
        ) -> RecognizerAdvice? {
            var settings = Settings()
            (settings.speech.locale, settings.speech.engine, settings.speech.model) = (locale, engine, model)
            return RecognizerAdvice.decide(
                settings, isKnown: isKnown, offers: offers.all, machine: machine, bytes: offers.bytesToFetch)
        }
        #expect(advice("en-US", isKnown: true) == nil)
        let german = try #require(advice("de-DE", .sherpaOnnx, model: "moonshine-tiny-en", isKnown: false))
        guard case .languageUnknown("de-DE", _, let model?, _) = german else {
            Issue.record("\(german)")
            return
        }
        #expect(german.finding.contains(model.name))
        #expect(german.remedy.contains("host-agent models install \(model.name)"))
        #expect(german.remedy.contains("dictstate settings set speech.model \(model.name)"))
        let chosen = try #require(advice("de-DE", isKnown: false))
        #expect(chosen.remedy.contains("dictstate settings set speech.engine auto"))
        let none = try #require(advice("klingon", isKnown: false))
        #expect(none.finding == "“klingon” is not the code of a language")
        #expect(none.remedy.contains("ISO 639") && !none.remedy.contains("install"))
        let nobody = RecognizerAdvice.decide(
            Settings(), isKnown: false, offers: [], machine: machine, bytes: { _ in 0 })
        #expect(nobody?.remedy.contains("speech.engine remote") == true)
    }
}
