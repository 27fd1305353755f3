import CSherpaOnnx
import DictationSystem
import Foundation

/// The decoding of one utterance, by both kinds of model. Not for two threads at once.
protocol SherpaDecoder: AnyObject {
    /// Whether it can be biased toward words, or never is with such a model.
    var servesHotWords: Bool { get }
    /// Begins an utterance.
    ///
    /// - Parameters:
    ///   - hotWords: words to bias recognition toward.
    ///   - live: see ``UtteranceContext/live``.
    func begin(hotWords: [String], live: LiveInsertion) throws
    /// Adds sound, and returns what has become final.
    func accept(_ samples: [Int16]) throws -> [Recognition]
    /// The words as of now; nil if they are unchanged.
    func partialText() -> String?
    /// Ends the utterance.
    func finish() throws -> [Recognition]
    func cancel()
}

/// A model that decodes while somebody speaks.
final class SherpaStreamingDecoder: SherpaDecoder {
    private let handle: SherpaHandle
    private var stream: OpaquePointer?
    private var lastPartial = ""
    /// Samples given to the stream, and those of the silence at the end.
    private var accepted = 0

    /// Silence after the end: the model's look-ahead, and a bit more; the longest known is 0.64 s.
    private static let padding = SpeechAudio.sampleRate * 8 / 10

    /// - Throws: ``SpeechSessionError/modelUnusable(engine:model:reason:)``.
    init(
        _ library: SherpaLibrary, _ model: SherpaModel, _ configuration: SherpaConfiguration,
        mayHaveHotWords: Bool
    ) throws {
        handle = try SherpaHandle(library, model, mayHaveHotWords: mayHaveHotWords) { isBiased, text in
            var config = configuration.streaming(model, isBiased: isBiased, text)
            return library.functions.SherpaOnnxCreateOnlineRecognizer(&config)
        } destroy: {
            library.functions.SherpaOnnxDestroyOnlineRecognizer($0)
        }
    }

    deinit { cancel() }

    private var functions: csherpa { handle.library.functions }

    var servesHotWords: Bool { handle.servesHotWords }

    func begin(hotWords: [String], live: LiveInsertion) throws {
        cancel()
        stream =
            if let line = handle.line(of: hotWords) {
                functions.SherpaOnnxCreateOnlineStreamWithHotwords(handle.recognizer, line)
            } else {
                functions.SherpaOnnxCreateOnlineStream(handle.recognizer)
            }
        guard stream != nil else {
            throw SpeechSessionError.engineFailed(
                engine: SherpaRecognizer.name, reason: "it cannot begin an utterance")
        }
        lastPartial = ""
        accepted = 0
    }

    func accept(_ samples: [Int16]) -> [Recognition] {
        guard let stream else { return [] }
        feed(SherpaHandle.floats(samples), stream)
        guard functions.SherpaOnnxOnlineStreamIsEndpoint(handle.recognizer, stream) != 0 else { return [] }
        let finals = result(stream)
        functions.SherpaOnnxOnlineStreamReset(handle.recognizer, stream)
        lastPartial = ""
        return finals
    }

    func partialText() -> String? {
        guard let stream, let result = functions.SherpaOnnxGetOnlineStreamResult(handle.recognizer, stream)
        else { return nil }
        defer { functions.SherpaOnnxDestroyOnlineRecognizerResult(result) }
        let text = handle.text(result.pointee.text)
        guard text != lastPartial else { return nil }
        lastPartial = text
        return text
    }

    func finish() -> [Recognition] {
        guard let stream else { return [] }
        feed([Float](repeating: 0, count: Self.padding), stream)
        functions.SherpaOnnxOnlineStreamInputFinished(stream)
        decode(stream)
        let spoken = Double(accepted - Self.padding) / Double(SpeechAudio.sampleRate)
        let finals = result(stream).map { $0.notLonger(than: spoken) }
        cancel()
        return finals
    }

    func cancel() {
        guard let stream else { return }
        functions.SherpaOnnxDestroyOnlineStream(stream)
        self.stream = nil
    }

    private func feed(_ samples: [Float], _ stream: OpaquePointer) {
        accepted += samples.count
        samples.withUnsafeBufferPointer { buffer in
            functions.SherpaOnnxOnlineStreamAcceptWaveform(
                stream, Int32(SpeechAudio.sampleRate), buffer.baseAddress, Int32(clamping: buffer.count))
        }
        decode(stream)
    }

    private func decode(_ stream: OpaquePointer) {
        while functions.SherpaOnnxIsOnlineStreamReady(handle.recognizer, stream) != 0 {
            functions.SherpaOnnxDecodeOnlineStream(handle.recognizer, stream)
        }
    }

    /// The parts of the result that it has only as JSON.
    private struct Details: Decodable {
        /// Seconds from the beginning of the stream to that of the segment.
        var start: Double?
        var logProbabilities: [Double]?

        enum CodingKeys: String, CodingKey {
            case start = "start_time"
            case logProbabilities = "ys_probs"
        }
    }

    private func result(_ stream: OpaquePointer) -> [Recognition] {
        guard let result = functions.SherpaOnnxGetOnlineStreamResult(handle.recognizer, stream) else {
            return []
        }
        defer { functions.SherpaOnnxDestroyOnlineRecognizerResult(result) }
        let content = result.pointee
        let text = handle.text(content.text)
        guard !text.isEmpty else { return [] }
        let json = content.json.map { Data(String(cString: $0).utf8) } ?? Data()
        let details = try? JSONDecoder().decode(Details.self, from: json)
        var tokens: [SherpaWords.Token] = []
        for index in 0..<Int(content.count) {
            guard let token = content.tokens_arr?[index], let times = content.timestamps else { continue }
            let logs = details?.logProbabilities ?? []
            tokens.append(
                .init(
                    text: handle.token(token), start: Double(times[index]),
                    logProbability: index < logs.count ? logs[index] : nil))
        }
        let start = details?.start ?? 0
        let words = SherpaWords.words(of: tokens, text: text, offset: start)
        let first = words.first?.range.lowerBound ?? start
        let last = words.last?.range.upperBound ?? Double(accepted) / Double(SpeechAudio.sampleRate)
        return [Recognition(text: text, words: words, range: first..<max(first, last))]
    }
}

extension Recognition {
    /// The same, if nothing can be later than the end of the sound.
    func notLonger(than seconds: Double) -> Recognition {
        func cut(_ range: Range<Double>) -> Range<Double> {
            let start = min(range.lowerBound, seconds)
            return start..<max(start, min(range.upperBound, seconds))
        }
        var shorter = self
        shorter.range = cut(range)
        for index in words.indices { shorter.words[index].range = cut(words[index].range) }
        return shorter
    }
}
