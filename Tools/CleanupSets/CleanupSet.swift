import Foundation

/// Texts to clean, each with the expected result.
package struct CleanupSet: Sendable {
    package enum Kind: String, Encodable, Sendable {
        /// Lines of two columns, `disfluent` and `fluent`: words have to go.
        case disfluencies
        /// Lines like `spoken~written`: words become figures.
        case numbers
        /// Lines of two columns, `said` and `written`: all rules act. `\n` is a new line.
        case whole
        /// A word and its mark a line, as the IWSLT sets have them: `COMMA`, `PERIOD`, `QUESTION` or `O`.
        case marks
    }

    package struct Pair: Equatable, Sendable {
        package let spoken: String
        package let written: String

        package init(spoken: String, written: String) {
            self.spoken = spoken
            self.written = written
        }
    }

    /// A file that should hold a set cannot be read.
    package struct Unreadable: Error, CustomStringConvertible {
        package let path: String
        package var description: String { "\(path) cannot be read as UTF-8 text." }
    }

    package let name: String
    package let kind: Kind
    package let pairs: [Pair]

    package init(name: String, kind: Kind, pairs: [Pair]) {
        self.name = name
        self.kind = kind
        self.pairs = pairs
    }

    /// Only the correctly written texts, with a capital and a mark; all texts of a set of marks.
    package var finished: CleanupSet {
        let whole = pairs.filter { pair in
            kind == .marks
                || (pair.written.first?.isLowercase == false && pair.written.last.map(".?!".contains) == true)
        }
        return CleanupSet(name: name, kind: kind, pairs: whole)
    }

    /// All sets below a folder: `*.tsv` whose first line is `disfluent<tab>fluent` or `said<tab>written`, `*.txt`
    /// whose lines are `spoken~written`, and either with a word, a tab and its mark a line. Other files are
    /// ignored.
    ///
    /// - Throws: ``Unreadable``.
    package static func find(in folder: URL) throws -> [CleanupSet] {
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return try files.sorted().compactMap { try read(folder.appending(path: $0), name: name($0)) }
    }

    /// The set in one file; nil if it holds something else.
    ///
    /// - Throws: ``Unreadable``.
    package static func read(_ file: URL, name: String) throws -> CleanupSet? {
        switch file.pathExtension {
        case "tsv", "txt": set(of: try lines(of: file), name: name)
        default: nil
        }
    }

    private static func name(_ path: String) -> String {
        String(path.dropLast(4)).replacing("test_cases_", with: "")
    }

    private static func lines(of file: URL) throws -> [Substring] {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            throw Unreadable(path: file.path)
        }
        return text.split(whereSeparator: \.isNewline)
    }

    private static func set(of lines: [Substring], name: String) -> CleanupSet? {
        switch lines.first {
        case "disfluent\tfluent"?:
            CleanupSet(name: name, kind: .disfluencies, pairs: pairs(lines.dropFirst()))
        case "said\twritten"?:
            CleanupSet(
                name: name, kind: .whole,
                pairs: pairs(lines.dropFirst()).map { pair in
                    Pair(spoken: pair.spoken, written: pair.written.replacing("\\n", with: "\n"))
                })
        default: marks(lines, name: name) ?? numbers(lines, name: name)
        }
    }

    private static func pairs(_ lines: ArraySlice<Substring>) -> [Pair] {
        lines.compactMap { line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard columns.count == 2 else { return nil }
            return Pair(spoken: String(columns[0]), written: String(columns[1]))
        }
    }

    /// The names of the marks after a word.
    private static let markNames: [Substring: String] = [
        "O": "", "SPACE": "", "COMMA": ",", "PERIOD": ".", "QUESTION": "?", "QUESTIONMARK": "?",
    ]

    /// At least this many words are cleaned at once, to the end of their sentence: about what is said in half
    /// a minute.
    private static let wordsOfOneText = 80

    private static func marks(_ lines: [Substring], name: String) -> CleanupSet? {
        var texts: [[String]] = [[]]
        for line in lines {
            let columns = line.split(separator: "\t")
            guard columns.count == 2, let mark = markNames[columns[1]] else { return nil }
            texts[texts.count - 1].append(columns[0] + mark)
            if texts[texts.count - 1].count >= wordsOfOneText, ".?".contains(mark), !mark.isEmpty {
                texts.append([])
            }
        }
        let pairs = texts.filter { !$0.isEmpty }.map { words in
            let text = words.joined(separator: " ")
            return Pair(spoken: text, written: text)
        }
        return pairs.isEmpty ? nil : CleanupSet(name: name, kind: .marks, pairs: pairs)
    }

    private static func numbers(_ lines: [Substring], name: String) -> CleanupSet? {
        let pairs = lines.compactMap { line -> Pair? in
            guard let mark = line.lastIndex(of: "~") else { return nil }
            return Pair(spoken: String(line[..<mark]), written: String(line[line.index(after: mark)...]))
        }
        return pairs.isEmpty ? nil : CleanupSet(name: name, kind: .numbers, pairs: pairs)
    }
}
