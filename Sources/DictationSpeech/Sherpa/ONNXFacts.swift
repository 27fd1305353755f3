import Foundation

/// The facts that an ONNX file states about itself, read without loading it: its properties, and the shapes of its
/// outputs. The format is a protocol buffer; of its fields these few are read, and all others stepped over.
struct ONNXFacts: Equatable {
    var metadata: [String: String] = [:]
    /// The sizes of each output; nil for one that is open.
    var outputs: [[Int?]] = []

    struct Unreadable: Error {}

    /// - Throws: ``Unreadable`` for a file that is cut or of another format; errors of reading.
    init(of file: URL) throws {
        // A model may be larger than the memory.
        let data = try Data(contentsOf: file, options: .alwaysMapped)
        try data.withUnsafeBytes { bytes in
            // ModelProto: graph = 7, metadata_props = 14.
            try Self.eachField(bytes) { number, content in
                if number == 7 { try readGraph(content) }
                if number == 14 { try readProperty(content) }
            }
        }
    }

    private mutating func readProperty(_ bytes: UnsafeRawBufferPointer) throws {
        var (key, value) = ("", "")
        try Self.eachField(bytes) { number, content in
            if number == 1 { key = String(decoding: content, as: UTF8.self) }
            if number == 2 { value = String(decoding: content, as: UTF8.self) }
        }
        metadata[key] = value
    }

    private mutating func readGraph(_ bytes: UnsafeRawBufferPointer) throws {
        // GraphProto: output = 12; ValueInfoProto: type = 2; TypeProto: tensor_type = 1; Tensor: shape = 2;
        // TensorShapeProto: dim = 1; Dimension: dim_value = 1.
        try Self.eachField(bytes) { number, output in
            guard number == 12 else { return }
            var sizes: [Int?] = []
            try Self.descend([2, 1, 2], output) { shape in
                try Self.eachField(shape) { number, dimension in
                    guard number == 1 else { return }
                    var size: Int?
                    try Self.eachField(dimension, onNumber: { if $0 == 1 { size = $1 } }, { _, _ in })
                    sizes.append(size)
                }
            }
            outputs.append(sizes)
        }
    }

    /// Goes down a path of fields.
    private static func descend(
        _ path: [Int], _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard let first = path.first else { return try body(bytes) }
        try eachField(bytes) { number, content in
            if number == first { try descend(Array(path.dropFirst()), content, body) }
        }
    }

    private static func eachField(
        _ bytes: UnsafeRawBufferPointer, onNumber: (Int, Int) -> Void = { _, _ in },
        _ body: (Int, UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var position = 0
        func number() throws -> UInt64 {
            var (value, shift) = (UInt64(0), UInt64(0))
            while true {
                guard position < bytes.count, shift < 64 else { throw Unreadable() }
                let byte = bytes[position]
                position += 1
                value |= UInt64(byte & 0x7f) << shift
                if byte < 0x80 { return value }
                shift += 7
            }
        }
        func skip(_ count: UInt64) throws -> Range<Int> {
            guard count <= UInt64(bytes.count - position) else { throw Unreadable() }
            defer { position += Int(count) }
            return position..<position + Int(count)
        }
        while position < bytes.count {
            let tag = try number()
            let field = Int(truncatingIfNeeded: tag >> 3)
            switch tag & 7 {
            case 0: onNumber(field, Int(truncatingIfNeeded: try number()))
            case 1: _ = try skip(8)
            case 2: try body(field, UnsafeRawBufferPointer(rebasing: bytes[try skip(try number())]))
            case 5: _ = try skip(4)
            default: throw Unreadable()
            }
        }
    }
}
