import Desktop
import DictationSystem
import Foundation

/// GNOME's custom shortcuts for dictation: `dictstate toggle` and `dictstate insert`, in the user's list. GNOME
/// reports only the press.
package struct GNOMEShortcuts: Sendable {
    /// Why nothing was changed.
    package enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        /// gsettings is missing, or GNOME's schema of shortcuts.
        case unavailable(String)
        /// This program cannot extend the list.
        case unreadableList(String)

        package var description: String {
            switch self {
            case .unavailable(let reason): "GNOME's custom shortcuts cannot be set: \(reason)"
            case .unreadableList(let text):
                "GNOME's list of custom shortcuts was left as it is, because it cannot be read: \(text)"
            }
        }
    }

    private static let schema = "org.gnome.settings-daemon.plugins.media-keys"
    private static let key = "custom-keybindings"
    private static let folder = "/org/gnome/settings-daemon/plugins/media-keys/custom-keybindings"

    /// One of our shortcuts.
    private struct Shortcut {
        let id: String
        let name: String
        let command: String
        let binding: Hotkey?

        var path: String { "\(folder)/\(id)/" }
    }
    private let shortcuts: [Shortcut]
    private static let furtherPrefix = "voicedictation-with-"

    /// - Parameter program: the path of dictstate.
    package init(_ bindings: KeyBindings) {
        let dictation = Shortcut(
            id: "voicedictation", name: "Dictation", command: "\(bindings.program) toggle",
            binding: bindings.hotkey)
        let further = (bindings.further + bindings.tapped).enumerated().map { index, hotkey in
            Shortcut(
                id: "\(Self.furtherPrefix)\(index)", name: "Dictation (\(hotkey))",
                command: "\(bindings.program) toggle --hotkey \(hotkey)", binding: hotkey)
        }
        let held = Shortcut(
            id: "voicedictation-insert", name: "Insert the held text",
            command: "\(bindings.program) insert", binding: bindings.heldHotkey)
        shortcuts = [dictation] + further + [held]
    }

    /// Whether the user's list has ours.
    package static func isSet() -> Bool { !ours().isEmpty }

    /// The number of our keys for dictation in the user's list that run an installed program. Takes some
    /// milliseconds.
    package static func dictationKeyCount() -> Int {
        ours().filter { $0 == "\(folder)/voicedictation/" || $0.hasPrefix("\(folder)/\(furtherPrefix)") }
            .count { path in
                KeyBindings.runsInstalledProgram(
                    read("\(schema).custom-keybinding:\(path)", "command") ?? "")
            }
    }

    /// Our shortcuts in the user's list. Takes some milliseconds; none if there is no gsettings.
    private static func ours() -> [String] {
        read(schema, key).flatMap(list)?.filter { $0.hasPrefix("\(folder)/voicedictation") } ?? []
    }

    private static func read(_ schema: String, _ key: String) -> String? {
        let gsettings = ChildProcess(
            program: "gsettings", arguments: ["get", schema, key], limit: .seconds(10), errors: .dropped)
        return (try? gsettings.runBlocking()).map { String(decoding: $0.output, as: UTF8.self) }
    }

    /// Whether the user's list has all our shortcuts with a key, and no other further keys.
    package func areInPlace() async -> Bool {
        guard Self.isSet(), let list = try? await Self.readList() else { return false }
        let wanted = shortcuts.filter { $0.binding != nil }
        let further = list.filter { $0.hasPrefix("\(Self.folder)/\(Self.furtherPrefix)") }
        guard wanted.allSatisfy({ list.contains($0.path) }),
            further.allSatisfy({ path in wanted.contains { $0.path == path } })
        else { return false }
        for shortcut in wanted {
            let command = try? await Self.gsettings(
                "get", "\(Self.schema).custom-keybinding:\(shortcut.path)", "command")
            guard command?.trimmingCharacters(in: .whitespacesAndNewlines) == Self.quoted(shortcut.command)
            else { return false }
        }
        return true
    }

    /// The settings that would be written, for a person.
    package var lines: [String] {
        shortcuts.compactMap { shortcut in
            shortcut.binding.map { "\($0): \(shortcut.command)" }
        }
    }

    /// Sets our shortcuts, and adds them to the list once.
    ///
    /// - Throws: ``Failure``
    package func install() async throws(Failure) {
        var list = try await Self.readList()
        list.removeAll { $0.hasPrefix("\(Self.folder)/\(Self.furtherPrefix)") }
        for shortcut in shortcuts {
            guard let binding = shortcut.binding else { continue }
            for (name, value) in [
                ("name", shortcut.name), ("command", shortcut.command),
                ("binding", KeyBindings.gnomeKey(binding)),
            ] {
                try await Self.gsettings(
                    "set", "\(Self.schema).custom-keybinding:\(shortcut.path)", name, Self.quoted(value))
            }
            if !list.contains(shortcut.path) { list.append(shortcut.path) }
        }
        try await Self.write(list)
    }

    /// - Returns: whether there was anything to remove.
    /// - Throws: ``Failure``
    package func remove() async throws(Failure) -> Bool {
        let list = try await Self.readList()
        let isOurs = { (path: String) in
            shortcuts.contains { $0.path == path }
                || path.hasPrefix("\(Self.folder)/\(Self.furtherPrefix)")
        }
        let kept = list.filter { !isOurs($0) }
        guard kept != list else { return false }
        try await Self.write(kept)
        for path in Set(shortcuts.map(\.path) + list.filter(isOurs)).sorted() {
            try await Self.gsettings("reset-recursively", "\(Self.schema).custom-keybinding:\(path)")
        }
        return true
    }

    // MARK: gsettings

    private static func readList() async throws(Failure) -> [String] {
        let text = try await gsettings("get", schema, key)
        guard let list = list(text) else {
            throw .unreadableList(text.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        return list
    }

    private static func write(_ list: [String]) async throws(Failure) {
        try await gsettings("set", schema, key, "[\(list.map(quoted).joined(separator: ", "))]")
    }

    /// An array of strings as gsettings prints it; nil if it is not one, or has escapes.
    static func list(_ text: String) -> [String]? {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if trimmed == "@as []" { return [] }
        guard trimmed.hasPrefix("["), trimmed.hasSuffix("]"), !trimmed.contains("\\") else { return nil }
        var list: [String] = []
        for part in trimmed.dropFirst().dropLast().split(separator: ",") {
            let word = part.trimmingCharacters(in: .whitespaces)
            guard word.count > 1, word.hasPrefix("'"), word.hasSuffix("'") else { return nil }
            list.append(String(word.dropFirst().dropLast()))
        }
        return list
    }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
    }

    @discardableResult
    private static func gsettings(_ arguments: String...) async throws(Failure) -> String {
        let child = ChildProcess(
            program: "gsettings", arguments: arguments, limit: .seconds(10),
            errors: arguments.first == "get" ? .passed : .taken)
        do {
            return String(decoding: try await child.run(), as: UTF8.self)
        } catch {
            throw .unavailable("gsettings \(error)")
        }
    }
}
