import Foundation
import TestSupport
import Testing

@testable import DictationSpeech

@Suite("A fallback recognizer", .serialized, .timeLimit(.minutes(5)))
struct FallbackTests {
    private static let unusable = SherpaRecognizer(
        Engines.configuration(URL(filePath: "/nonexistent/model")), trial: nil)

    @Test("is not asked if the other one can be used, and its words are those of the other")
    func unneeded() async throws {
        let recognizer = FallbackRecognizer(
            Engines.recognizer(.streaming), fallback: Self.unusable, locale: "en-US")
        let finals = try await recognizer.hear(try ToneModel.speak("new world"))
        #expect(finals.map(\.text) == ["new world"] && finals.map(\.fallbackEngine) == [nil])
        #expect(recognizer.fallbackReason == nil && recognizer.partialAgreement == 1)
        #expect(recognizer.features == [.partialResults, .wordTimes])
    }

    @Test("recognizes all that is said when the other one cannot be used, and the reason is reported once")
    func needed() async throws {
        let (reasons, told) = AsyncStream.makeStream(of: SpeechSessionError.self)
        let recognizer = FallbackRecognizer(
            Self.unusable, fallback: Engines.recognizer(.streaming), locale: "en-US",
            onFallback: { told.yield($0) })
        for _ in 0..<2 {
            let finals = try await recognizer.hear(try ToneModel.speak("new world"))
            #expect(finals.map(\.text) == ["new world"] && finals.map(\.fallbackEngine) == ["sherpa-onnx"])
        }
        told.finish()
        let all = await reasons.reduce(into: []) { $0.append($1) }
        #expect(all == [recognizer.fallbackReason])
        #expect("\(all)".contains("modelNotFound") || "\(all)".contains("has no model in"))
    }

    @Test("its adaptation to a microphone is kept under its own name, and given back to it")
    func learns() async throws {
        func recognizer() -> FallbackRecognizer {
            FallbackRecognizer(Self.unusable, fallback: PocketSphinxRecognizer(), locale: "en-US")
        }
        let first = recognizer()
        #expect(first.adaptingEngine == "pocketsphinx" && !first.features.contains(.alternatives))
        _ = try await first.hear(try AudioFile.samples(of: Recording.demo.url))
        #expect(first.features.contains(.alternatives), "the other one has taken over")
        let learned = await first.adaptations
        #expect(learned["test"]?.level != nil && learned["test"]?.cepstralMean.isEmpty == false)
        let second = recognizer()
        await second.restore(learned)
        #expect(await second.adaptations == learned)
        let neither = FallbackRecognizer(Self.unusable, fallback: Self.unusable, locale: "en-US")
        #expect(await neither.adaptations.isEmpty && neither.adaptingEngine == nil)
    }

    @Test("does not if it lacks the language: the report says that the other one cannot be used")
    func otherLanguage() async throws {
        let recognizer = FallbackRecognizer(
            Self.unusable, fallback: PocketSphinxRecognizer(), locale: "de-DE")
        await #expect {
            try await recognizer.prepare()
        } throws: { error in
            if case SpeechSessionError.modelNotFound = error { true } else { false }
        }
        #expect(recognizer.fallbackReason == nil)
    }
}
