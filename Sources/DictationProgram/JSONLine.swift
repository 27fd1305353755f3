import DictationSystem
import Foundation

/// How the programs print JSON: one object a line, with its keys in order.
public enum JSONLine {
    /// Prints one object, and flushes it: a reader at the other end of a pipe waits for whole lines.
    ///
    /// - Throws: ``StandardStreams/OutputLost``; or what the encoder throws.
    public static func print(_ value: some Encodable) throws {
        Swift.print(try text(value))
        try StandardStreams.flushOutput()
    }

    /// One object, without the newline; nothing in it is a command to a terminal.
    public static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // JSON leaves DEL and C1 as they are; a terminal may obey them.
        var text = ""
        for scalar in String(decoding: try encoder.encode(value), as: UTF8.self).unicodeScalars {
            if (0x7F...0x9F).contains(scalar.value) {
                text += "\\u00" + String(scalar.value, radix: 16)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
