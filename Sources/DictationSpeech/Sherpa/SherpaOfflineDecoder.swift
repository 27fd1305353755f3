import CSherpaOnnx
import Foundation

/// A model that hears a stretch of speech as a whole: each one is decoded as soon as a pause ends it, while the user
/// speaks on, so that only the last one is left when the key is released.
final class SherpaOfflineDecoder: SherpaDecoder {
    private let handle: SherpaHandle
    private let finder: any SpeechFinder
    private var cutter = StretchCutter()

    private var functions: csherpa { handle.library.functions }

    /// - Throws: ``SpeechSessionError/modelUnusable(engine:model:reason:)``.
    init(
        _ library: SherpaLibrary, _ model: SherpaModel, _ configuration: SherpaConfiguration,
        hotWords: [String]
    ) throws {
        handle = try SherpaHandle(library, model, hotWords: hotWords) { hasHotWords, text in
            var config = configuration.offline(model, hasHotWords: hasHotWords, text)
            return library.functions.SherpaOnnxCreateOfflineRecognizer(&config)
        } destroy: {
            library.functions.SherpaOnnxDestroyOfflineRecognizer($0)
        }
        if let voice = configuration.voiceActivityModel,
            FileManager.default.isReadableFile(atPath: voice.path(percentEncoded: false))
        {
            finder = try SileroSpeechFinder(library, model: voice)
        } else {
            finder = LoudnessSpeechFinder()
        }
    }

    func begin() {
        finder.reset()
        cutter = StretchCutter()
    }

    func accept(_ samples: [Int16]) -> [Recognition] {
        let floats = SherpaHandle.floats(samples)
        finder.add(samples)
        return cutter.add(floats, speech: finder.takeStretches(), isSpeaking: finder.activity.isSpeech)
            .flatMap(decode)
    }

    /// Nothing is known before a stretch has ended.
    func partialText() -> String? { nil }

    func finish() -> [Recognition] {
        finder.flush()
        return cutter.finish(speech: finder.takeStretches()).flatMap(decode)
    }

    func cancel() { begin() }

    private func decode(_ piece: StretchCutter.Piece) -> [Recognition] {
        let stream =
            handle.hotWords.isEmpty
            ? functions.SherpaOnnxCreateOfflineStream(handle.recognizer)
            : functions.SherpaOnnxCreateOfflineStreamWithHotwords(handle.recognizer, handle.hotWords)
        guard let stream else { return [] }
        defer { functions.SherpaOnnxDestroyOfflineStream(stream) }
        piece.samples.withUnsafeBufferPointer { buffer in
            functions.SherpaOnnxAcceptWaveformOffline(
                stream, Int32(SpeechAudio.sampleRate), buffer.baseAddress, Int32(clamping: buffer.count))
        }
        functions.SherpaOnnxDecodeOfflineStream(handle.recognizer, stream)
        guard let result = functions.SherpaOnnxGetOfflineStreamResult(stream) else { return [] }
        defer { functions.SherpaOnnxDestroyOfflineRecognizerResult(result) }
        return recognition(result.pointee, piece)
    }

    private func recognition(
        _ result: SherpaOnnxOfflineRecognizerResult, _ piece: StretchCutter.Piece
    ) -> [Recognition] {
        let text = handle.text(result.text)
        guard !text.isEmpty else { return [] }
        let rate = Double(SpeechAudio.sampleRate)
        let (start, length) = (Double(piece.start) / rate, Double(piece.samples.count) / rate)
        var tokens: [SherpaWords.Token] = []
        for index in 0..<Int(result.count) {
            guard let token = result.tokens_arr?[index], let times = result.timestamps else { continue }
            tokens.append(
                .init(
                    text: handle.token(token), start: Double(times[index]),
                    duration: result.durations.map { Double($0[index]) },
                    logProbability: result.ys_log_probs.map { Double($0[index]) }))
        }
        let words = SherpaWords.words(of: tokens, text: text, offset: start)
        let first = words.first?.range.lowerBound ?? start
        let last = words.last?.range.upperBound ?? start + length
        return [
            Recognition(text: text, words: words, range: first..<max(first, last)).notLonger(
                than: start + length)
        ]
    }
}
