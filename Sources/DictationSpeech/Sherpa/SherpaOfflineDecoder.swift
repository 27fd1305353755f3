import CSherpaOnnx
import DictationSystem
import Foundation

/// A model that hears a segment of speech as a whole: each one is decoded as soon as a pause ends it, while
/// the user continues, so that only the last one is left when the key is released. The rest is decoded from
/// time to time to show words, if that costs little. A segment that looks like the end of a sentence is held
/// until the pause after it is long, or the next segment has shown whether it is one. If words are typed
/// early, its last word is held.
final class SherpaOfflineDecoder: SherpaDecoder {
    private let handle: SherpaHandle
    private let family: SherpaModel.Family
    private let detector: any VoiceActivityDetector
    private var cutter = SegmentCutter()
    private var looks = UnfinishedLooks()
    /// The held segment.
    private var seam: SegmentSeam?
    /// How much is typed while it is spoken.
    private var live = LiveInsertion.off
    /// The words recognized last of the segment that has not ended.
    private var unfinishedText = ""
    /// In the library's format; nil if there are none.
    private var hotWords: String?
    private var lastPartial = ""

    /// Decoded when the model is loaded: as much as a word takes.
    private static let firstPiece = SpeechAudio.sampleRate
    /// Seconds of silence after the sound, with which it is decoded again if the model is in a loop.
    private static let otherSilences = [0.5, 1.0]

    private var functions: csherpa { handle.library.functions }

    /// - Throws: ``SpeechSessionError/modelUnusable(engine:model:reason:)``.
    init(
        _ library: SherpaLibrary, _ model: SherpaModel, _ configuration: SherpaConfiguration,
        mayHaveHotWords: Bool
    ) throws {
        handle = try SherpaHandle(library, model, mayHaveHotWords: mayHaveHotWords) { isBiased, text in
            var config = configuration.offline(model, isBiased: isBiased, text)
            return library.functions.SherpaOnnxCreateOfflineRecognizer(&config)
        } destroy: {
            library.functions.SherpaOnnxDestroyOfflineRecognizer($0)
        }
        family = model.description.family
        detector = try library.segmentDetector(configuration.voiceActivityModel)
        warmUp()
    }

    /// The first decoding of all is slow, and ends the process on some broken models: the user should not
    /// wait for it, and a trial should find it. Silence does not work: nothing is decoded then. The second
    /// one shows how long the model takes.
    private func warmUp() {
        let silence = SegmentCutter.Piece(start: 0, samples: [Float](repeating: 0, count: Self.firstPiece))
        for _ in 0..<2 { _ = measured(silence) }
    }

    var servesHotWords: Bool { handle.servesHotWords }

    func begin(hotWords: [String], live: LiveInsertion) {
        self.hotWords = handle.line(of: hotWords)
        self.live = live
        looks = looks.with(live == .words ? .typed : .shown)
        reset()
    }

    private func reset() {
        detector.reset()
        cutter = SegmentCutter()
        seam = nil
        lastPartial = ""
        nextSegment()
    }

    private func nextSegment() {
        looks.nextSegment()
        unfinishedText = ""
    }

    func accept(_ samples: [Int16]) -> [Recognition] {
        let floats = SherpaHandle.floats(samples)
        detector.add(samples)
        let pieces = cutter.add(
            floats, speech: detector.takeSegments(), isSpeaking: detector.activity.isSpeech)
        guard pieces.isEmpty else {
            defer { nextSegment() }
            return pieces.flatMap(final)
        }
        // The user does not wait for it while speaking.
        if detector.activity.isSpeech { listenAcross(to: cutter.unfinished, isEnded: false) }
        guard let seam, !seam.isJoined(byPieceFrom: cutter.unfinished.start) else { return [] }
        return released()
    }

    func partialText() -> String? {
        if detector.activity.isSpeech, looks.isDue(at: cutter.unfinished.samples.count) {
            unfinishedText = measured(cutter.unfinished)?.text ?? ""
        }
        let text = seam?.text(with: unfinishedText, of: cutter.unfinished) ?? unfinishedText
        guard !text.isEmpty, text != lastPartial else { return nil }
        lastPartial = text
        return text
    }

    func finish() -> [Recognition] {
        detector.flush()
        return cutter.finish(speech: detector.takeSegments()).flatMap(final) + released()
    }

    func cancel() { reset() }

    /// The results that a segment makes final by its end: the one before it, and itself unless it may have to be mended.
    private func final(_ piece: SegmentCutter.Piece) -> [Recognition] {
        guard var recognition = measured(piece) else { return [] }
        listenAcross(to: piece, isEnded: true)
        seam?.mend(&recognition, of: piece)
        let before = released()
        seam = SegmentSeam(recognition, of: piece)
        guard seam != nil else { return before + [recognition] }
        return before + (live == .off ? [] : seam?.takeCertain().map { [$0] } ?? [])
    }

    /// The held segment is released.
    private func released() -> [Recognition] {
        defer { seam = nil }
        return seam.map { [$0.left] } ?? []
    }

    private func listenAcross(to piece: SegmentCutter.Piece, isEnded: Bool) {
        guard let sound = seam?.sound(into: piece, isEnded: isEnded), looks.isBrief(sound.samples.count)
        else { return }
        seam?.hear(decode(sound)?.text ?? "")
    }

    /// Decodes, and notes how long that takes: a machine may be busy for a while.
    private func measured(_ piece: SegmentCutter.Piece) -> Recognition? {
        var found: Recognition?
        looks.took(ContinuousClock().measure { found = decode(piece) }, for: piece.samples.count)
        return found
    }

    /// If the model seems to be in a loop, the sound is decoded again with different silence after it:
    /// words that were really said several times are recognized again, and nothing is cut
    /// off.
    private func decode(_ piece: SegmentCutter.Piece) -> Recognition? {
        let first = decode(piece, silenceBehind: family.silenceBehind)
        guard family.writesFreely, let first, let loop = RepetitionLoop(in: first.text) else { return first }
        let others = Self.otherSilences.lazy.compactMap { [self] in decode(piece, silenceBehind: $0) }
        return others.first { loop.isMended(by: $0.text) } ?? first
    }

    private func decode(_ piece: SegmentCutter.Piece, silenceBehind: Double) -> Recognition? {
        let stream =
            if let hotWords {
                functions.SherpaOnnxCreateOfflineStreamWithHotwords(handle.recognizer, hotWords)
            } else {
                functions.SherpaOnnxCreateOfflineStream(handle.recognizer)
            }
        guard let stream else { return nil }
        defer { functions.SherpaOnnxDestroyOfflineStream(stream) }
        let silence = [Float](repeating: 0, count: Int(silenceBehind * Double(SpeechAudio.sampleRate)))
        (silence.isEmpty ? piece.samples : piece.samples + silence).withUnsafeBufferPointer { buffer in
            functions.SherpaOnnxAcceptWaveformOffline(
                stream, Int32(SpeechAudio.sampleRate), buffer.baseAddress, Int32(clamping: buffer.count))
        }
        functions.SherpaOnnxDecodeOfflineStream(handle.recognizer, stream)
        guard let result = functions.SherpaOnnxGetOfflineStreamResult(stream) else { return nil }
        defer { functions.SherpaOnnxDestroyOfflineRecognizerResult(result) }
        return recognition(result.pointee, piece)
    }

    private func recognition(
        _ result: SherpaOnnxOfflineRecognizerResult, _ piece: SegmentCutter.Piece
    ) -> Recognition? {
        let text = handle.text(result.text)
        guard !text.isEmpty else { return nil }
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
        return Recognition(text: text, words: words, range: first..<max(first, last))
            .notLonger(than: start + length)
    }
}
