import CTOML

/// A place in a file; lines and columns count from 1, columns count code points.
public struct SourcePosition: Hashable, Sendable, Comparable {
    public let line: Int
    public let column: Int

    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// A value of a TOML file.
public indirect enum TOMLValue: Equatable, Sendable {
    case string(String)
    case integer(Int64)
    case float(Double)
    case boolean(Bool)
    /// A date, a time, or both; no setting is one.
    case date
    case array([TOMLNode])
    /// In the order of the file.
    case table([TOMLEntry])

    /// With an article, for messages.
    var kind: String {
        switch self {
        case .string: "a string"
        case .integer: "a whole number"
        case .float: "a number with a fraction"
        case .boolean: "true or false"
        case .date: "a date or a time"
        case .array: "a list"
        case .table: "a section"
        }
    }
}

/// A value and its place.
public struct TOMLNode: Equatable, Sendable {
    public let value: TOMLValue
    public let position: SourcePosition
}

/// A key of a table, its place, and its value.
public struct TOMLEntry: Equatable, Sendable {
    public let key: String
    public let keyPosition: SourcePosition
    public let node: TOMLNode
}

/// Why a text is not TOML.
struct TOMLSyntaxError: Error, Equatable {
    let position: SourcePosition
    let reason: String
}

/// The door to toml++: no pointer of its leaves this file.
enum TOML {
    /// Reads a whole document.
    ///
    /// - Returns: the entries of its top level, in the order of the file.
    /// - Throws: ``TOMLSyntaxError``.
    static func parse(_ bytes: [UInt8]) throws(TOMLSyntaxError) -> [TOMLEntry] {
        let document = bytes.withUnsafeBytes { buffer in
            ctoml_parse(buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        guard let document else {
            throw TOMLSyntaxError(position: SourcePosition(line: 1, column: 1), reason: "memory is short")
        }
        defer { ctoml_free(document) }
        var line: UInt32 = 0
        var column: UInt32 = 0
        if let reason = ctoml_error(document, &line, &column) {
            throw TOMLSyntaxError(
                position: SourcePosition(line: Int(line), column: Int(column)),
                reason: String(cString: reason))
        }
        var count = 0
        let nodes = UnsafeBufferPointer(start: ctoml_nodes(document, &count), count: count)
        var reader = Reader(nodes: nodes)
        guard case .table(let entries) = reader.next()?.node.value else { return [] }
        return entries
    }

    /// Turns the flat list back into a tree.
    private struct Reader {
        let nodes: UnsafeBufferPointer<ctoml_node>
        var index = 0

        mutating func next() -> TOMLEntry? {
            guard index < nodes.count else { return nil }
            let raw = nodes[index]
            index += 1
            let value: TOMLValue =
                switch raw.kind {
                case CTOML_STRING: .string(text(raw.text, raw.text_length))
                case CTOML_INTEGER: .integer(raw.integer)
                case CTOML_FLOAT: .float(raw.real)
                case CTOML_BOOLEAN: .boolean(raw.boolean)
                case CTOML_ARRAY: .array(children(raw.children).map(\.node))
                case CTOML_TABLE: .table(children(raw.children).sorted { $0.keyPosition < $1.keyPosition })
                default: .date
                }
            return TOMLEntry(
                key: text(raw.key, raw.key_length),
                keyPosition: SourcePosition(line: Int(raw.key_line), column: Int(raw.key_column)),
                node: TOMLNode(
                    value: value, position: SourcePosition(line: Int(raw.line), column: Int(raw.column))))
        }

        private mutating func children(_ count: Int) -> [TOMLEntry] {
            var entries: [TOMLEntry] = []
            for _ in 0..<count {
                if let entry = next() { entries.append(entry) }
            }
            return entries
        }

        private func text(_ start: UnsafePointer<CChar>?, _ length: Int) -> String {
            String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
        }
    }
}
