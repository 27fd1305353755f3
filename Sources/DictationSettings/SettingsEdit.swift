import DictationSystem
import Foundation

extension SettingsFile {
    /// Sets one key in the file, and keeps every other line, including comments.
    ///
    /// - Parameters:
    ///   - name: the key's full name, such as `host.hotkey`.
    ///   - text: TOML, or a string without its quotation marks.
    /// - Throws: ``SettingsError``: there is no such key, it cannot be set to that, or the file has an error already.
    ///   Nothing is changed then.
    public func set(_ name: String, to text: String) throws(SettingsError) {
        let value = try Settings.value(text, for: name, said: name)
        try change { old throws(SettingsError) in
            let problems = Settings.reading(old ?? []).problems
            guard problems.isEmpty else { throw .invalid(path: path, problems) }
            let new = try SettingsText(old ?? []).setting(name, to: value)
            // With the name of an unknown style, agents would not start.
            if let problems = problemsOfStyles(in: new), let problem = problems.first {
                // If it was so before, this setting is not the cause.
                if let before = problemsOfStyles(in: old ?? []) { throw .invalid(path: path, before) }
                throw .invalidOption(name, reason: problem.message)
            }
            return new
        }
    }

    private func problemsOfStyles(in bytes: [UInt8]) -> [SettingsProblem]? {
        do throws(SettingsError) {
            try LoadedSettings(file: path, exists: true, reading: Settings.reading(bytes)).checkStyles()
        } catch {
            if case .invalid(_, let problems) = error { return problems }
        }
        return nil
    }

    /// Writes the example, where there is no file yet.
    ///
    /// - Returns: whether there was none. One that is there stays as it is.
    /// - Throws: ``SettingsError/unwritable(path:reason:)``, ``SettingsError/unreadable(path:reason:)``.
    @discardableResult
    public func beginWithExample() throws(SettingsError) -> Bool {
        var isNew = false
        try change { old in
            isNew = old == nil
            return isNew ? Array(SettingsExample.text.utf8) : nil
        }
        return isNew
    }

    /// Replaces the contents by the result of `make`, unless that is nil; no other change comes in between.
    /// A symbolic link stays a link, for users who keep their settings elsewhere.
    func change(_ make: ([UInt8]?) throws(SettingsError) -> [UInt8]?) throws(SettingsError) {
        let resolved = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let folder = (resolved as NSString).deletingLastPathComponent
        do {
            try SettingsFile(path: resolved).makeFolder()
            try withFolderLocked(folder) {
                guard let new = try make(bytes()) else { return }
                // It could not be read any more.
                guard new.count <= Self.sizeLimit else {
                    throw SettingsError.unwritable(path: path, reason: "it would be larger than 1 MiB")
                }
                try replaceFile(at: resolved, with: new)
            }
        } catch SettingsError.invalid(let path, let problems) {
            throw .unchanged(path: path, problems)
        } catch let error as SettingsError {
            throw error
        } catch {
            throw .unwritable(path: path, reason: error.plainReason)
        }
    }
}

/// The text of a settings file, to be changed in one place. Each line keeps the end that it has.
struct SettingsText {
    private struct Line {
        var text: String
        let end: String
    }

    private let bytes: [UInt8]
    private var lines: [Line]
    /// The indentation of new lines.
    private let lineEnd: String

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let text = String(decoding: bytes, as: UTF8.self)
        let lineEnd = text.lineEnd
        self.lineEnd = lineEnd
        // By scalars: "\r\n" is one character.
        var rows = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        // No line follows the last newline.
        let last = rows.removeLast()
        lines = rows.map { row in
            row.last == "\r"
                ? Line(text: String(row.dropLast()), end: "\r\n") : Line(text: String(row), end: "\n")
        }
        if !last.isEmpty { lines.append(Line(text: String(last), end: lineEnd)) }
    }

    /// The text with a key set: where it is, or below the comment that shows its default, or at the beginning of its
    /// section, or in a new section at the end.
    ///
    /// - Throws: ``SettingsError/invalidOption(_:reason:)`` if the rest could not be left as it is.
    func setting(_ name: String, to value: TOMLValue) throws(SettingsError) -> [UInt8] {
        let section = String(name.prefix { $0 != "." })
        let key = Settings.key(of: name)
        var new = self
        let entries = (try? TOML.parse(bytes)) ?? []
        let written = "\(key) = \(value.written)"
        if let table = entries.first(where: { $0.key == section }) {
            if case .table(let keys) = table.node.value, let entry = keys.first(where: { $0.key == key }) {
                new.replaceValue(at: entry.node.position, by: value.written)
            } else {
                new.insert(written, key: key, below: table.keyPosition.line)
            }
        } else {
            if new.lines.last?.text.isEmpty == false { new.append("") }
            new.append("[\(section)]")
            new.append(written)
        }
        let result = Array(new.lines.map { $0.text + $0.end }.joined().utf8)
        try check(result, changesOnly: name, to: value)
        return result
    }

    /// The end of a value is not known: it ends with the first lines that parse as one, without a comment
    /// after them.
    private mutating func replaceValue(at position: SourcePosition, by text: String) {
        let first = position.line - 1
        guard lines.indices.contains(first) else { return }
        let start = lines[first].text.unicodeScalars.prefix(position.column - 1)
        var rest = String(lines[first].text.unicodeScalars.dropFirst(position.column - 1))
        for last in first..<lines.count {
            if last > first { rest += lines[last - 1].end + lines[last].text }
            guard Self.isValue(rest) else { continue }
            // The first sign that can begin a comment does.
            let comment = rest.indices.first { rest[$0] == "#" && Self.isValue(String(rest[..<$0])) }
            let behind = comment.map { "  " + rest[$0...] } ?? ""
            let line = Line(text: String(start) + text + behind, end: lines[last].end)
            lines.replaceSubrange(first...last, with: [line])
            return
        }
    }

    private static func isValue(_ text: String) -> Bool {
        (try? TOML.parse(Array("value = \(text)".utf8)))?.count == 1
    }

    private mutating func append(_ text: String) { lines.append(Line(text: text, end: lineEnd)) }

    private mutating func insert(_ text: String, key: String, below header: Int) {
        let header = min(header, lines.count)
        let end =
            lines[header...].firstIndex { $0.text.drop(while: \.isWhitespace).hasPrefix("[") } ?? lines.count
        let shown = lines[header..<end].firstIndex { candidate in
            let words = candidate.text.split(whereSeparator: \.isWhitespace)
            return words.first == "#" && words.dropFirst().first == Substring(key)
                && words.dropFirst(2).first == "="
        }
        lines.insert(Line(text: text, end: lineEnd), at: shown.map { $0 + 1 } ?? header)
    }

    private func check(_ new: [UInt8], changesOnly name: String, to value: TOMLValue) throws(SettingsError) {
        let before = Settings.reading(bytes)
        let after = Settings.reading(new)
        let others = { (reading: SettingsReading<Settings>) in
            Settings.parts.flatMap { $0.values(reading.root) }.filter { $0.name != name }
                .map { "\($0.name) = \($0.toml)" }
        }
        var wanted = before
        Settings.part(of: name)?.read(.setting(Settings.key(of: name), to: value), &wanted)
        guard after.problems.isEmpty, others(before) == others(after), after.root == wanted.root,
            after.positions[name] != nil
        else {
            throw .invalidOption(
                name,
                reason: "it cannot be set without changing more of the file; edit it: dictstate settings edit"
            )
        }
    }
}

extension String {
    /// How the lines of a file end: editors keep the ends that a file from Windows has.
    var lineEnd: String { contains("\r\n" as Character) ? "\r\n" : "\n" }
}

extension TOMLValue {
    /// Its spelling in a file.
    fileprivate var written: String {
        switch self {
        case .string(let text): text.toml
        case .integer(let number): "\(number)"
        case .float(let number): "\(number)"
        case .boolean(let value): "\(value)"
        case .array(let nodes): "[" + nodes.map(\.value.written).joined(separator: ", ") + "]"
        // No setting is one.
        case .date, .table: ""
        }
    }
}
