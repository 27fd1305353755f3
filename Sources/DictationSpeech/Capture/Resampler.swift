import CSampleRate

/// Changes the rate of mono sound to 16 kHz with libsamplerate, piece by piece, without clicks between the pieces
/// and without drift: the output is as long as the input, to the sample.
///
/// Not for two threads at once: it belongs to the loop that feeds it.
final class Resampler {
    private let state: OpaquePointer?
    private let ratio: Double
    private var consumed = 0
    private var produced = 0

    /// Room for what the filter held back from earlier pieces.
    private static let margin = 1024

    /// - Throws: ``SpeechSessionError/conversionFailed(reason:)`` for a rate that libsamplerate refuses (a ratio
    ///   beyond 256).
    init(from rate: Int) throws {
        ratio = rate > 0 ? Double(SpeechAudio.sampleRate) / Double(rate) : 0
        guard rate != SpeechAudio.sampleRate else {
            state = nil
            return
        }
        guard src_is_valid_ratio(ratio) != 0 else {
            throw SpeechSessionError.conversionFailed(reason: "a rate of \(rate) Hz is out of range")
        }
        var code: Int32 = 0
        // The medium filter: 121 dB of signal to noise, some 2 % of a core for live sound.
        guard let state = src_new(Int32(SRC_SINC_MEDIUM_QUALITY), 1, &code) else {
            throw Self.error(code)
        }
        self.state = state
    }

    deinit { if let state { src_delete(state) } }

    /// Converts the next piece.
    ///
    /// - Parameter isLast: returns what the filter still holds.
    func convert(_ input: [Float], isLast: Bool = false) throws -> [Float] {
        guard let state else { return input }
        consumed += input.count
        var output: [Float] = []
        var offset = 0
        while true {
            let room = Int(Double(input.count - offset) * ratio) + Self.margin
            var used = 0
            let piece = try [Float](unsafeUninitializedCapacity: room) { buffer, count in
                try input.withUnsafeBufferPointer { source in
                    var data = SRC_DATA()
                    data.data_in = source.baseAddress.map { $0 + offset }
                    data.input_frames = input.count - offset
                    data.data_out = buffer.baseAddress
                    data.output_frames = room
                    data.end_of_input = isLast ? 1 : 0
                    data.src_ratio = ratio
                    let code = src_process(state, &data)
                    guard code == 0 else { throw Self.error(code) }
                    used = data.input_frames_used
                    count = data.output_frames_gen
                }
            }
            output += piece
            offset += used
            if offset >= input.count && (!isLast || piece.isEmpty) { break }
            if used == 0 && piece.isEmpty { break }
        }
        return settle(output, isLast: isLast)
    }

    /// At the end the filter may be a sample long or short: the length is made exact.
    private func settle(_ output: [Float], isLast: Bool) -> [Float] {
        defer { produced += output.count }
        guard isLast else { return output }
        let missing = Int((Double(consumed) * ratio).rounded()) - produced - output.count
        return missing >= 0 ? output + Array(repeating: 0, count: missing) : Array(output.dropLast(-missing))
    }

    private static func error(_ code: Int32) -> SpeechSessionError {
        .conversionFailed(reason: src_strerror(code).map { String(cString: $0) } ?? "code \(code)")
    }
}

/// The last step on the way to 16-bit mono.
enum SampleConversion {
    /// ±1 becomes ±32768; louder is clipped, and not-a-number is silence.
    static func quantized(_ samples: [Float]) -> [Int16] {
        samples.map { sample in
            let scaled = (sample * 32768).rounded()
            return scaled.isNaN ? 0 : Int16(max(-32768, min(32767, scaled)))
        }
    }
}
