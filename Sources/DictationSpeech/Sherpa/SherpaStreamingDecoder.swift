import CSherpaOnnx
import Foundation

/// What both kinds of model do for an utterance. Not for two threads at once.
protocol SherpaDecoder: AnyObject {
    /// Begins an utterance.
    func begin() throws
    /// Takes sound, and returns what has become final.
    func accept(_ samples: [Int16]) throws -> [Recognition]
    /// What it would say now; nil when that is what it said before.
    func partialText() -> String?
    /// Ends the utterance.
    func finish() throws -> [Recognition]
    func cancel()
}

/// A model that decodes while somebody speaks.
final class SherpaStreamingDecoder: SherpaDecoder {
    private let library: SherpaLibrary
    private let recognizer: OpaquePointer
    private let hotWords: String
    private let isInCapitals: Bool
    private var stream: OpaquePointer?
    private var lastPartial = ""
    /// Samples given to the stream, and those of the silence at the end.
    private var accepted = 0

    /// Silence after the end: what the model looks ahead, and a bit more; the longest known is 0.64 s.
    private static let padding = SpeechAudio.sampleRate * 8 / 10

    /// - Throws: ``SpeechSessionError/modelUnusable(engine:model:reason:)``.
    init(
        _ library: SherpaLibrary, _ model: SherpaModel, _ configuration: SherpaConfiguration,
        hotWords: [String]
    ) throws {
        self.library = library
        isInCapitals = model.isInCapitals
        let favoured = model.favoured(hotWords)
        self.hotWords = favoured
        let text = CStrings()
        var config = configuration.streaming(model, hasHotWords: !favoured.isEmpty, text)
        let recognizer = withExtendedLifetime(text) {
            library.functions.SherpaOnnxCreateOnlineRecognizer(&config)
        }
        guard let recognizer else { throw SherpaRecognizer.unusable(model) }
        self.recognizer = recognizer
    }

    deinit {
        cancel()
        library.functions.SherpaOnnxDestroyOnlineRecognizer(recognizer)
    }

    func begin() throws {
        cancel()
        stream =
            hotWords.isEmpty
            ? library.functions.SherpaOnnxCreateOnlineStream(recognizer)
            : library.functions.SherpaOnnxCreateOnlineStreamWithHotwords(recognizer, hotWords)
        guard stream != nil else {
            throw SpeechSessionError.engineFailed(
                engine: SherpaRecognizer.name, reason: "it cannot begin an utterance")
        }
        lastPartial = ""
        accepted = 0
    }

    func accept(_ samples: [Int16]) -> [Recognition] {
        guard let stream else { return [] }
        feed(samples.map { Float($0) / 32768 }, stream)
        guard library.functions.SherpaOnnxOnlineStreamIsEndpoint(recognizer, stream) != 0 else { return [] }
        let finals = result(stream)
        library.functions.SherpaOnnxOnlineStreamReset(recognizer, stream)
        lastPartial = ""
        return finals
    }

    func partialText() -> String? {
        guard let stream, let result = library.functions.SherpaOnnxGetOnlineStreamResult(recognizer, stream)
        else { return nil }
        defer { library.functions.SherpaOnnxDestroyOnlineRecognizerResult(result) }
        let text = text(result.pointee)
        guard text != lastPartial else { return nil }
        lastPartial = text
        return text
    }

    func finish() -> [Recognition] {
        guard let stream else { return [] }
        feed([Float](repeating: 0, count: Self.padding), stream)
        library.functions.SherpaOnnxOnlineStreamInputFinished(stream)
        decode(stream)
        let spoken = Double(accepted - Self.padding) / Double(SpeechAudio.sampleRate)
        let finals = result(stream).map { $0.notLonger(than: spoken) }
        cancel()
        return finals
    }

    func cancel() {
        guard let stream else { return }
        library.functions.SherpaOnnxDestroyOnlineStream(stream)
        self.stream = nil
    }

    private func feed(_ samples: [Float], _ stream: OpaquePointer) {
        accepted += samples.count
        samples.withUnsafeBufferPointer { buffer in
            library.functions.SherpaOnnxOnlineStreamAcceptWaveform(
                stream, Int32(SpeechAudio.sampleRate), buffer.baseAddress, Int32(clamping: buffer.count))
        }
        decode(stream)
    }

    private func decode(_ stream: OpaquePointer) {
        while library.functions.SherpaOnnxIsOnlineStreamReady(recognizer, stream) != 0 {
            library.functions.SherpaOnnxDecodeOnlineStream(recognizer, stream)
        }
    }

    /// What stands in the result only as JSON.
    private struct Details: Decodable {
        /// Seconds from the beginning of the stream to that of the stretch.
        var start: Double?
        var logProbabilities: [Double]?

        enum CodingKeys: String, CodingKey {
            case start = "start_time"
            case logProbabilities = "ys_probs"
        }
    }

    private func result(_ stream: OpaquePointer) -> [Recognition] {
        guard let result = library.functions.SherpaOnnxGetOnlineStreamResult(recognizer, stream) else {
            return []
        }
        defer { library.functions.SherpaOnnxDestroyOnlineRecognizerResult(result) }
        let content = result.pointee
        let text = text(content)
        guard !text.isEmpty else { return [] }
        let json = content.json.map { Data(String(cString: $0).utf8) } ?? Data()
        let details = try? JSONDecoder().decode(Details.self, from: json)
        var tokens: [SherpaWords.Token] = []
        for index in 0..<Int(content.count) {
            guard let token = content.tokens_arr?[index], let times = content.timestamps else { continue }
            let logs = details?.logProbabilities ?? []
            tokens.append(
                .init(
                    text: cased(String(cString: token)), start: Double(times[index]),
                    logProbability: index < logs.count ? logs[index] : nil))
        }
        let start = details?.start ?? 0
        let words = SherpaWords.words(of: tokens, text: text, offset: start)
        let first = words.first?.range.lowerBound ?? start
        let last = words.last?.range.upperBound ?? Double(accepted) / Double(SpeechAudio.sampleRate)
        return [Recognition(text: text, words: words, range: first..<max(first, last))]
    }

    private func text(_ result: SherpaOnnxOnlineRecognizerResult) -> String {
        result.text.map { cased(String(cString: $0).trimmingCharacters(in: .whitespacesAndNewlines)) } ?? ""
    }

    private func cased(_ text: String) -> String { isInCapitals ? text.lowercased() : text }
}

extension Recognition {
    /// The same, where nothing can be later than the end of the sound.
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
