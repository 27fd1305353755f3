import Foundation

/// The content of a clipboard: the same thing in several formats.
struct ClipboardContent: Codable, Equatable, Sendable {
    struct Format: Codable, Equatable, Sendable {
        /// A MIME type, or the name of a format of X11's.
        let type: String
        let data: Data
    }

    /// In the order in which the owner named them.
    var formats: [Format] = []
    /// Whether it is a dictated text, which is kept nowhere but in the store.
    private(set) var isDictated = false

    private enum CodingKeys: CodingKey { case formats }

    init(formats: [Format] = []) { self.formats = formats }

    /// Text in the formats that applications ask for.
    init(text: String) {
        let data = Data(text.utf8)
        let types = ["text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "TEXT"]
        formats = types.map { Format(type: $0, data: data) }
        isDictated = true
    }

    /// The formats of text, the one first in which no program changes newlines.
    static let textTypes = ["UTF8_STRING", "text/plain;charset=utf-8", "text/plain"]

    /// Unchanged, byte for byte; nil if it is not text.
    var text: String? {
        Self.textTypes.lazy.compactMap(data).first.flatMap { String(validating: $0, as: UTF8.self) }
    }

    func data(for type: String) -> Data? { formats.first { $0.type == type }?.data }

    /// By this format a password manager says that clipboard managers should not keep what it has copied.
    private static let hint = "x-kde-passwordManagerHint"
    private static let secret = Data("secret".utf8)

    /// Whether a format is the thing itself, not a hint about it.
    static func isContent(_ type: String) -> Bool { type != hint }

    var isSecret: Bool { data(for: Self.hint) == Self.secret }

    /// Tells clipboard managers to keep it out of their history: it is a dictation, and it is there only for a
    /// moment. (Klipper and similar programs check this; others do not know it.)
    func markedAsPassing() -> ClipboardContent {
        var content = self
        content.formats.append(Format(type: Self.hint, data: Self.secret))
        return content
    }
}
