import SelfCorrection
import Testing

@testable import DictationText

@Suite("The network that sets marks")
struct MarkNetworkTests {
    @Test("the shipped weights are those of its layers and rows, to the byte")
    func shipped() {
        let bytes = UnsafeBufferPointer.markNetwork
        #expect(bytes.count == MarkNetwork.rowCount * MarkNetwork.rowLength + 2 * MarkNetwork.layerWeights)
        #expect(MarkNetwork(bytes: bytes).bytes == Array(bytes))
    }

    @Test("weights are stored to the next step, and larger ones as the largest")
    func stored() {
        var layers = [Float](repeating: 0, count: MarkNetwork.layerWeights)
        var rows = [Float](repeating: 0, count: MarkNetwork.rowCount * MarkNetwork.rowLength)
        (layers[0], layers[1], layers[2]) = (0.5, -1.00001, 9)
        (rows[0], rows[1], rows[2]) = (0.5, -0.251, 2)
        let bytes = MarkNetwork(layers: layers, rows: rows).bytes
        #expect(bytes.prefix(3) == [64, UInt8(bitPattern: -32), 127])
        #expect(bytes.dropFirst(rows.count).prefix(6) == [0x00, 0x08, 0x00, 0xF0, 0xFF, 0x7F])
    }
}
