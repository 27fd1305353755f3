/// Another program's configuration file, as bytes: a few lines of ours are added and removed again, and all
/// other bytes stay as they are.
public struct ConfigurationText: Equatable, Sendable {
    public private(set) var bytes: [UInt8]
    private static let newline = UInt8(ascii: "\n")

    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Whether it has this line, with other spaces around it or not.
    public func contains(_ line: String) -> Bool { lines.contains { trimmed($0).elementsEqual(line.utf8) } }

    /// Adds lines at the end, or after the first line.
    public mutating func add(_ added: [String], behindFirstLine: Bool = false) {
        let block = Array(added.map { $0 + "\n" }.joined().utf8)
        if behindFirstLine, let end = bytes.firstIndex(of: Self.newline) {
            bytes.insert(contentsOf: block, at: end + 1)
            return
        }
        if let last = bytes.last, last != Self.newline { bytes.append(Self.newline) }
        bytes += block
    }

    /// Removes every line that is one of these, with other spaces around it or not.
    public mutating func remove(_ removed: [String]) {
        let kept = lines.filter { line in !removed.contains { trimmed(line).elementsEqual($0.utf8) } }
        bytes = kept.flatMap { Array($0) }
    }

    /// Each with its newline.
    private var lines: [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: Self.newline).map { $0 + 1 } ?? rest.endIndex
            lines.append(rest[..<end])
            rest = rest[end...]
        }
        return lines
    }

    private func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace = { (byte: UInt8) in [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
        let begun = line.drop(while: isSpace)
        guard let last = begun.lastIndex(where: { !isSpace($0) }) else { return [] }
        return begun[...last]
    }
}
