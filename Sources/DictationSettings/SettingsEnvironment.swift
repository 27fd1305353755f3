/// Settings from the environment: `VOICEDICTATION_HOST_HOTKEY=F8` overrides `host.hotkey` of the file.
public enum SettingsEnvironment {
    static let prefix = "VOICEDICTATION_"

    /// The variable that overrides a setting: `insert.paste-from` is `VOICEDICTATION_INSERT_PASTE_FROM`.
    ///
    /// - Parameter name: the key's full name.
    public static func variable(for name: String) -> String {
        prefix
            + name.uppercased().map { $0 == "." || $0 == "-" ? "_" : String($0) }.joined()
    }

    /// The variables that are settings: those that begin with a section's name. Others may be anything.
    static func variables<Root: SettingsRoot>(
        in environment: [String: String], of root: Root.Type
    ) -> [String: String] {
        let sections = root.parts.filter { !$0.isList }.map { variable(for: $0.name) + "_" }
        return environment.filter { variable, _ in sections.contains { variable.hasPrefix($0) } }
    }
}

extension SettingsReading where Root: SettingsRoot {
    /// Lets variables override what was read.
    ///
    /// - Returns: the variable for each key that has one.
    /// - Throws: ``SettingsError/invalidOption(_:reason:)`` for one that names no setting, or holds no value of it; what
    ///   came before it stays in effect.
    mutating func take(_ variables: [String: String]) throws(SettingsError) -> [String: String] {
        let names = Root.names
        var taken: [String: String] = [:]
        for (variable, text) in variables.sorted(by: { $0.key < $1.key }) {
            guard let name = names.first(where: { SettingsEnvironment.variable(for: $0) == variable }) else {
                throw .unknown(variable, among: names.map(SettingsEnvironment.variable(for:)))
            }
            try set(name, to: try Root.value(text, for: name, said: variable))
            taken[name] = variable
        }
        return taken
    }

    /// - Throws: ``SettingsError/invalidOption(_:reason:)``
    private mutating func set(_ name: String, to value: TOMLValue) throws(SettingsError) {
        var copy = self
        guard let part = Root.part(of: name) else { return }
        let before = copy.problems.count
        part.read(.setting(Root.key(of: name), to: value), &copy)
        if copy.problems.count == before { root = copy.root }
    }
}

extension SettingsError {
    /// There is no setting of that full name; the message has the nearest one.
    public static func unknown(_ name: String) -> SettingsError {
        let section = name.prefix { !".[".contains($0) }
        guard Settings.parts.contains(where: { $0.isList && $0.name == section }) else {
            return unknown(name, among: Settings.names)
        }
        return .invalidOption(
            name,
            reason: "there is no such setting; edit a [[\(section)]] in the file: dictstate settings edit")
    }

    static func unknown(_ name: String, among known: [String]) -> SettingsError {
        .invalidOption(
            name,
            reason: "there is no such setting"
                + NearestName.hint(for: name, among: known, list: Settings.listing))
    }
}

extension SettingsRoot {
    /// The full names of all keys, those of lists apart, in the order of the example file.
    public static var names: [String] {
        parts.filter { !$0.isList }.flatMap { part in part.keys.map { "\(part.name).\($0.name)" } }
    }

    /// The value of a setting that was written outside of a file: TOML, or a string without its quotation marks.
    ///
    /// - Parameter said: the place where it was written, for the message.
    /// - Throws: ``SettingsError/invalidOption(_:reason:)``
    static func value(
        _ text: String, for name: String, said: String
    ) throws(SettingsError) -> TOMLValue {
        guard let part = part(of: name), let key = part.keys.first(where: { $0.name == Self.key(of: name) })
        else {
            throw .unknown(name)
        }
        var candidates: [TOMLValue] = []
        // A newline would begin another entry.
        if !text.contains(where: \.isNewline), let entries = try? TOML.parse(Array("value = \(text)".utf8)),
            entries.count == 1
        {
            candidates.append(entries[0].node.value)
        }
        candidates.append(.string(text))
        for value in candidates {
            var reading = SettingsReading(Self())
            part.read(.setting(key.name, to: value), &reading)
            if reading.problems.isEmpty { return value }
        }
        let subject = said == name ? "it" : "“\(name)”"
        throw .invalidOption(said, reason: "\(subject) must be \(key.expectation); found \(text.toml)")
    }

    /// The section that a full name begins with; nil for lists and for what there is not.
    static func part(of name: String) -> SettingsPart<Self>? {
        let section = name.prefix { $0 != "." }
        return parts.first { $0.name == section && !$0.isList }
    }

    /// The part of a full name after its section.
    static func key(of name: String) -> String { String(name.drop { $0 != "." }.dropFirst()) }
}

extension TOMLNode {
    /// A section with one key.
    static func setting(_ key: String, to value: TOMLValue) -> TOMLNode {
        let nowhere = SourcePosition(line: 0, column: 0)
        let entry = TOMLEntry(
            key: key, keyPosition: nowhere, node: TOMLNode(value: value, position: nowhere))
        return TOMLNode(value: .table([entry]), position: nowhere)
    }
}
