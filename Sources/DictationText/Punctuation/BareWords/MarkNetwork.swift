import CMarkNetwork

/// A small recurrent network that scores the marks between words. It reads them one after the other, with the marks that were
/// put after them, and sees three words ahead. `train-cleanup` made its weights.
package struct MarkNetwork: Sendable {
    /// The numbers of the marks in training; 0 is none.
    package static let (comma, stop) = (1, 2)
    package static let rowCount = Int(MARK_WORD_ROWS + MARK_PART_ROWS)
    package static let rowLength = Int(MARK_ROW)
    package static let layerWeights = Int(MARK_LAYERS)

    /// How the weights are stored: a byte for each value of a row, two for each weight of a layer.
    private static let (rowSteps, layerSteps): (Float, Float) = (128, 4_096)

    private let rows: [Int8]
    private let layers: [Float]

    /// - Parameters:
    ///   - layers: ``layerWeights`` of them, above -8 and below 8.
    ///   - rows: ``rowLength`` values for each of ``rowCount`` rows, above -1 and below 1.
    package init(layers: [Float], rows: [Float]) {
        self.rows = rows.map { Int8(clamping: Int(($0 * Self.rowSteps).rounded())) }
        self.layers = layers.map {
            Float(Int16(clamping: Int(($0 * Self.layerSteps).rounded()))) / Self.layerSteps
        }
    }

    /// As ``bytes`` has written it. Weights that are missing are 0.
    init(bytes: UnsafeBufferPointer<UInt8>) {
        let rowBytes = Self.rowCount * Self.rowLength
        rows = (0..<rowBytes).map { $0 < bytes.count ? Int8(bitPattern: bytes[$0]) : 0 }
        layers = (0..<Self.layerWeights).map { number in
            let place = rowBytes + 2 * number
            guard place + 1 < bytes.count else { return 0 }
            let steps = Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8)
            return Float(steps) / Self.layerSteps
        }
    }

    /// The rows, then the layers, each weight with its low byte first.
    package var bytes: [UInt8] {
        rows.map(UInt8.init(bitPattern:))
            + layers.flatMap { weight -> [UInt8] in
                let steps = UInt16(bitPattern: Int16(weight * Self.layerSteps))
                return [UInt8(steps & 0xFF), UInt8(steps >> 8)]
            }
    }

    /// Goes through a text, word by word.
    struct Reader {
        private let network: MarkNetwork
        /// The rows of all words, with empty ones before and after them.
        private let rows: [Float]
        private var state = [Float](repeating: 0, count: Int(MARK_STATE))
        private var place = 0

        private static let length = MarkNetwork.rowLength

        init(_ tokens: [MarkToken], by network: MarkNetwork) {
            self.network = network
            var rows = [Float](repeating: 0, count: (tokens.count + Int(MARK_WINDOW) - 1) * Self.length)
            rows.withUnsafeMutableBufferPointer { rows in
                for (place, token) in tokens.enumerated() {
                    let row = rows.baseAddress?.advanced(by: (place + Int(MARK_BEFORE)) * Self.length)
                    mark_row(network.rows, token.word, token.part, row)
                }
            }
            self.rows = rows
        }

        /// Reads the next word.
        ///
        /// - Parameter mark: after the word before; a period before the first one.
        mutating func read(behind mark: MarkModel.Mark?) {
            let number: Int32 =
                switch mark {
                case nil: 0
                case .comma: Int32(MarkNetwork.comma)
                case .stop: Int32(MarkNetwork.stop)
                }
            let (network, begin) = (network, (place + Int(MARK_BEFORE)) * Self.length)
            rows.withUnsafeBufferPointer { rows in
                mark_read(network.layers, rows.baseAddress?.advanced(by: begin), number, &state)
            }
            place += 1
        }

        /// For the place after the last word that was read.
        var scores: mark_scores {
            rows.withUnsafeBufferPointer { rows in
                mark_score(network.layers, rows.baseAddress?.advanced(by: (place - 1) * Self.length), state)
            }
        }
    }
}
