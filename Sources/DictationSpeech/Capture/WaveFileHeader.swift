/// The 44 bytes before the samples of a 16-bit mono WAV file: "RIFF", a "fmt " chunk of 16 bytes, and the head of the
/// "data" chunk.
struct WaveFileHeader: Equatable {
    static let size = 44
    /// WAV sizes have 32 bits; 4 GiB are 37 hours at 16 kHz.
    static let largestData = Int(UInt32.max) - size

    var sampleRate: Int
    /// Bytes of samples; even.
    var dataBytes: Int

    init(sampleRate: Int, dataBytes: Int = 0) {
        self.sampleRate = sampleRate
        self.dataBytes = dataBytes
    }

    /// Reads a header of the kind that ``bytes`` writes; nil for any other.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.size else { return nil }
        func number(at offset: Int) -> Int {
            (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
        }
        sampleRate = number(at: 24)
        dataBytes = number(at: 40)
        // Everything except the two sizes must be as we write it.
        var expected = WaveFileHeader(sampleRate: sampleRate, dataBytes: dataBytes).bytes
        expected.replaceSubrange(4..<8, with: bytes[4..<8])
        guard expected == Array(bytes[..<Self.size]) else { return nil }
    }

    var bytes: [UInt8] {
        func little(_ value: some FixedWidthInteger) -> [UInt8] {
            withUnsafeBytes(of: value.littleEndian) { Array($0) }
        }
        var header = Array("RIFF".utf8) + little(UInt32(dataBytes + Self.size - 8))
        header += Array("WAVEfmt ".utf8) + little(UInt32(16))
        header += little(UInt16(1)) + little(UInt16(1))  // PCM, one channel
        header += little(UInt32(sampleRate)) + little(UInt32(sampleRate * 2))
        header += little(UInt16(2)) + little(UInt16(16))
        return header + Array("data".utf8) + little(UInt32(dataBytes))
    }
}
