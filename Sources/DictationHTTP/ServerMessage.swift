import Foundation

/// A server's own words about an error, in the JSON that such servers answer with. Some send it with the status of a success, or
/// in the middle of a stream.
///
/// ```
/// {"error": {"message": "…", "type": "…"}}     {"error": "…"}     {"detail": [{"msg": "…"}]}     {"message": "…"}
/// ```
public enum ServerMessage {
    /// As much as a person reads of it.
    private static let longest = 300
    private static let names = ["error", "detail", "message", "msg"]

    /// - Parameters:
    ///   - body: an answer, or an event of a stream.
    ///   - key: removed from the words.
    /// - Returns: in one line; nil if the body is none of these.
    public static func error(in body: Data, hiding key: APIKey?) -> String? {
        guard let object = try? JSONSerialization.jsonObject(with: body) as? [String: Any],
            let text = words(of: object)
        else { return nil }
        let line = oneLine(text, hiding: key)
        return line.isEmpty ? nil : line
    }

    /// The beginning of a server's words in one line, without the key.
    static func oneLine(_ text: String, hiding key: APIKey?) -> String {
        let line = (key?.removed(from: text) ?? text).split(whereSeparator: \.isWhitespace).joined(
            separator: " ")
        return String(line.prefix(longest))
    }

    private static func words(of value: Any) -> String? {
        switch value {
        case let text as String: text
        case let list as [Any]: list.first.flatMap(words)
        case let object as [String: Any]: names.lazy.compactMap { object[$0].flatMap(words) }.first
        default: nil
        }
    }
}
