import Foundation

/// Names a dictation: a UUID of version 7 (RFC 9562, section 5.7), so that identifiers sort by the time at which
/// the dictations began.
public struct DictationID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// 36 characters, lower case.
    public let description: String

    /// A new identifier for something that begins at `date`.
    public init(date: Date = Date()) {
        var bytes = [UInt8](repeating: 0, count: 16)
        let milliseconds = UInt64(max(0, date.timeIntervalSince1970 * 1000))
        for index in 0..<6 {
            bytes[index] = UInt8(truncatingIfNeeded: milliseconds >> (40 - 8 * UInt64(index)))
        }
        for index in 6..<16 { bytes[index] = .random(in: .min ... .max) }
        bytes[6] = bytes[6] & 0x0F | 0x70
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text += "-" }
            text.append(digit)
        }
        description = text
    }

    /// Nil when `text` is not a UUID.
    public init?(_ text: String) {
        guard let uuid = UUID(uuidString: text) else { return nil }
        description = uuid.uuidString.lowercased()
    }

    /// When the dictation began, to the millisecond.
    public var date: Date {
        // The first 48 bits: 12 digits around the first hyphen.
        let digits = description.filter { $0 != "-" }.prefix(12)
        return Date(timeIntervalSince1970: Double(UInt64(digits, radix: 16) ?? 0) / 1000)
    }

    /// For text that the store's own schema vouches for.
    init(trusted text: String) { description = text }

    public static func < (left: DictationID, right: DictationID) -> Bool {
        left.description < right.description
    }
}

/// The number of a commit: one counter for the whole store, beginning at 1; 0 is before the first.
public typealias Revision = Int64
