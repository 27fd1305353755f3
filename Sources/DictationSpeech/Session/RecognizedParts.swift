/// Gives a recognizer the sound of an utterance, and ends a part when it gets too long. The
/// results of all parts have the times of the recording.
///
/// ```
/// recording   ....one two........three..four five....
/// parts       |------------------|------------------|
/// ```
struct RecognizedParts {
    private let recognizer: any SpeechRecognizer
    private let context: UtteranceContext
    /// A recognizer counts from its own beginning: the first sample of its part, and of the current segment;
    /// and the end of all samples that it got. Nil before that.
    private var place: (part: Int, segment: Int, end: Int)?

    /// - Throws: as ``SpeechRecognizer/begin(_:)``, which it calls.
    init(_ recognizer: any SpeechRecognizer, _ context: UtteranceContext) async throws {
        (self.recognizer, self.context) = (recognizer, context)
        try await recognizer.begin(context)
    }

    /// The end of the sound, in samples.
    var end: Int { place?.end ?? 0 }
    /// The beginning of the part.
    var partStart: Int { place?.part ?? 0 }
    /// The length of the sound since the last result.
    var segment: Duration { SpeechAudio.duration(ofSamples: place.map { $0.end - $0.segment } ?? 0) }

    /// - Returns: the results that are final by it.
    mutating func accept(_ chunk: AudioChunk) async throws -> [Recognition] {
        let before = place ?? (chunk.position, chunk.position, chunk.position)
        let finals = try await recognizer.accept(chunk)
        let end = chunk.position + chunk.samples.count
        place = (before.part, finals.isEmpty ? before.segment : end, end)
        return finals.map { $0.later(by: before.part) }
    }

    /// Ends the part.
    ///
    /// - Returns: its last results.
    func finish() async throws -> [Recognition] {
        try await recognizer.finish().map { $0.later(by: partStart) }
    }

    /// Begins the next part, when the one before is finished.
    mutating func beginNext() async throws {
        place = (end, end, end)
        try await recognizer.begin(context)
    }
}
