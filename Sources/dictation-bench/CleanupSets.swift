import DictationService
import Foundation

/// Texts to clean, each with what should come of it.
struct CleanupSet {
    enum Kind: String, Encodable {
        /// Lines of two columns, `disfluent` and `fluent`: words have to go.
        case disfluencies
        /// Lines like `spoken~written`: words become figures.
        case numbers
    }

    struct Pair: Equatable {
        let spoken: String
        let written: String
    }

    let name: String
    let kind: Kind
    let pairs: [Pair]

    /// All sets below a folder: `*.tsv` whose first line is `disfluent<tab>fluent`, and `*.txt` whose lines are
    /// `spoken~written`. Other files are left alone.
    static func find(in folder: URL) throws -> [CleanupSet] {
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return try files.sorted().compactMap { try read(folder.appending(path: $0), name: name($0)) }
    }

    /// The set in one file; nil if it holds something else.
    static func read(_ file: URL, name: String) throws -> CleanupSet? {
        switch file.pathExtension {
        case "tsv": disfluencies(try lines(of: file), name: name)
        case "txt": numbers(try lines(of: file), name: name)
        default: nil
        }
    }

    private static func name(_ path: String) -> String {
        String(path.dropLast(4)).replacing("test_cases_", with: "")
    }

    private static func lines(of file: URL) throws -> [Substring] {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            throw Problem(status: .failed, message: "\(file.path) cannot be read as UTF-8 text.")
        }
        return text.split(whereSeparator: \.isNewline)
    }

    private static func disfluencies(_ lines: [Substring], name: String) -> CleanupSet? {
        guard lines.first == "disfluent\tfluent" else { return nil }
        let pairs = lines.dropFirst().compactMap { line -> Pair? in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard columns.count == 2 else { return nil }
            return Pair(spoken: String(columns[0]), written: String(columns[1]))
        }
        return CleanupSet(name: name, kind: .disfluencies, pairs: pairs)
    }

    private static func numbers(_ lines: [Substring], name: String) -> CleanupSet? {
        let pairs = lines.compactMap { line -> Pair? in
            guard let mark = line.lastIndex(of: "~") else { return nil }
            return Pair(spoken: String(line[..<mark]), written: String(line[line.index(after: mark)...]))
        }
        return pairs.isEmpty ? nil : CleanupSet(name: name, kind: .numbers, pairs: pairs)
    }
}
