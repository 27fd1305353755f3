import Foundation

/// Words and replacements from a file of the user's, to be added to the dictionary.
///
/// Of text, each line is a term, or `wrong -> right`; lines that begin with # are comments. Of CSV (RFC 4180;
/// a comma, a semicolon or a tab between the fields), each row is a term, or what is heard and what is
/// written for it. A first row of names of columns is left out.
public struct WordList: Equatable, Sendable {
    public struct Replacement: Equatable, Sendable {
        public let heard: String
        public let written: String
    }

    /// A line that cannot be meant.
    public struct BadLine: Equatable, Sendable {
        /// Counted from 1.
        public let number: Int
        public let reason: String
    }

    public enum Form: Sendable {
        case text, csv
    }

    /// Why nothing of a file is used.
    public enum Failure: Error, Equatable, CustomStringConvertible {
        case unreadable(String)
        case tooLarge
        case notUTF8
        case badLines([BadLine])
        case empty

        public var description: String {
            switch self {
            case .unreadable(let reason): "it cannot be read: \(reason)"
            case .tooLarge: "it is larger than 1 MiB, so it is not a word list"
            case .notUTF8: "it is not UTF-8 text"
            case .badLines(let lines):
                lines.map { "line \($0.number): \($0.reason)" }.joined(separator: "\n")
            case .empty: "it has no words"
            }
        }
    }

    /// Bytes: 1 MiB.
    private static let limit = 1 << 20

    public private(set) var terms: [String] = []
    public private(set) var replacements: [Replacement] = []
    private var knownTerms: Set<String> = []
    /// The written text, by the heard words.
    private var written: [String: String] = [:]

    /// Reads a file; its name determines the format.
    ///
    /// - Throws: ``Failure``
    public init(file: URL) throws(Failure) {
        let data: Data
        do { data = try Data(of: file, upTo: Self.limit) } catch { throw .unreadable(error.plainReason) }
        guard data.count <= Self.limit else { throw .tooLarge }
        guard let text = String(data: data, encoding: .utf8) else { throw .notUTF8 }
        let isTable = ["csv", "tsv"].contains(file.pathExtension.lowercased())
        try self.init(text, as: isTable ? .csv : .text)
    }

    /// - Throws: ``Failure``: all bad lines, by their numbers.
    public init(_ text: String, as form: Form) throws(Failure) {
        let text = text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
        var bad: [BadLine] = []
        let rows: [CSVRow]
        switch form {
        case .csv:
            rows = CSVRow.all(in: text)
        case .text:
            rows = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
                .filter { !$1.drop(while: \.isWhitespace).hasPrefix("#") }
                .map { CSVRow(number: $0 + 1, fields: Self.fields(ofLine: String($1)), isClosed: true) }
        }
        for (index, row) in rows.enumerated() {
            let fields = row.fields.map(Self.trimmed)
            if fields.allSatisfy(\.isEmpty) { continue }
            if index == 0, form == .csv, Self.isHeader(fields) { continue }
            let reason: String? =
                if !row.isClosed {
                    "a quotation mark is not closed"
                } else if form == .text, fields.count == 2, fields[1].isEmpty {
                    "nothing follows the arrow"
                } else { add(fields) }
            if let reason { bad.append(BadLine(number: row.number, reason: reason)) }
        }
        guard bad.isEmpty else { throw .badLines(bad) }
        guard !terms.isEmpty || !replacements.isEmpty else { throw .empty }
    }

    /// - Returns: the reason why it cannot be meant; nil if it was added.
    private mutating func add(_ fields: [String]) -> String? {
        // A spreadsheet writes a comma for each empty column.
        var fields = fields
        while fields.count > 2, fields.last?.isEmpty == true { fields.removeLast() }
        guard fields.count < 3 else { return "\(fields.count) columns; there may be one or two" }
        if let long = fields.first(where: { $0.count > Self.mostCharacters }) {
            return "“\(long.prefix(20))…” has \(long.count) characters; there may be \(Self.mostCharacters)"
        }
        if fields.contains(where: { $0.unicodeScalars.contains { $0.properties.generalCategory == .control } }
        ) {
            return "it has a line break or another control character"
        }
        let isWord = { (text: String) in text.contains { $0.isLetter || $0.isNumber || $0.isSymbol } }
        guard isWord(fields[0]) else {
            return fields[0].isEmpty ? "the first column is empty" : "it has no word"
        }
        if fields.count == 1 || fields[1].isEmpty || fields[1] == fields[0] {
            if knownTerms.insert(fields[0]).inserted { terms.append(fields[0]) }
        } else if let old = written[fields[0]] {
            if old != fields[1] { return "“\(fields[0])” is “\(old)” already, in a line before" }
        } else {
            written[fields[0]] = fields[1]
            replacements.append(Replacement(heard: fields[0], written: fields[1]))
        }
        return nil
    }

    /// As long as a term is, with room.
    private static let mostCharacters = 200

    private static func fields(ofLine line: String) -> [String] {
        for arrow in ["->", "→"] {
            guard let range = line.range(of: arrow) else { continue }
            return [String(line[..<range.lowerBound]), String(line[range.upperBound...])]
        }
        return [line]
    }

    private static func trimmed(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    private static let headers: Set<String> = [
        "term", "terms", "word", "words", "name", "phrase", "heard", "written", "wrong", "right", "from",
        "to",
        "replacement",
    ]

    private static func isHeader(_ fields: [String]) -> Bool {
        fields.allSatisfy { headers.contains($0.lowercased()) || $0.isEmpty }
    }
}

/// A row of a table, with the number of its first line.
struct CSVRow: Equatable {
    let number: Int
    let fields: [String]
    /// Whether all quotation marks are paired.
    let isClosed: Bool

    /// - Parameter text: rows with the separator that the first one has: a tab, a semicolon or a comma.
    static func all(in text: String) -> [CSVRow] {
        let first = text.prefix { !$0.isNewline }
        let separator: Character = first.contains("\t") ? "\t" : first.contains(";") ? ";" : ","
        var rows: [CSVRow] = []
        var (fields, field, line, start) = ([String](), "", 1, 1)
        var (isQuoted, wasQuote) = (false, false)
        func isEmptyRow() -> Bool { fields.isEmpty && field.isEmpty }
        for character in text {
            if wasQuote, character == "\"" {
                field.append("\"")
                (isQuoted, wasQuote) = (true, false)
                continue
            }
            wasQuote = false
            switch character {
            case "\"" where isQuoted: (isQuoted, wasQuote) = (false, true)
            case "\"" where field.allSatisfy(\.isWhitespace): (isQuoted, field) = (true, "")
            case separator where !isQuoted:
                fields.append(field)
                field = ""
            case _ where character.isNewline:
                line += 1
                if isQuoted {
                    field.append(character)
                } else {
                    if !isEmptyRow() {
                        rows.append(CSVRow(number: start, fields: fields + [field], isClosed: true))
                    }
                    (fields, field, start) = ([], "", line)
                }
            default: field.append(character)
            }
        }
        if isQuoted || !isEmptyRow() {
            rows.append(CSVRow(number: start, fields: fields + [field], isClosed: !isQuoted))
        }
        return rows
    }
}
