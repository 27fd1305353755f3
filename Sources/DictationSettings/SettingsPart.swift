/// All settings together: a value whose parts are sections.
public protocol SettingsRoot: Equatable, Sendable {
    static var parts: [SettingsPart<Self>] { get }
    /// For messages: the command or document that names all keys.
    static var listing: String { get }
    /// All defaults.
    init()
}

/// A section's place among all settings: `[name]`, which occurs at most once, or `[[name]]`, a list of any length.
public struct SettingsPart<Root: SettingsRoot>: Sendable {
    /// A key as the example file and the messages need it.
    public struct Key: Sendable {
        public let name: String
        public let help: String
        public let expectation: String
        public let effect: SettingEffect
        /// As written in the file, when nothing is set.
        public let defaultTOML: String
    }

    public let name: String
    public let about: String
    public let isList: Bool
    public let keys: [Key]
    /// Reads the part's node into the settings.
    let read: @Sendable (TOMLNode, inout SettingsReading<Root>) -> Void
    /// The values in effect, as written in the file, by the keys' full names ("history.private").
    let values: @Sendable (Root) -> [(name: String, toml: String)]

    /// A section that occurs at most once.
    public static func section<Section: SettingsSection>(
        _ path: any WritableKeyPath<Root, Section> & Sendable
    ) -> SettingsPart {
        SettingsPart(
            Section.self, isList: false,
            read: { node, reading in
                guard case .table(let entries) = node.value else {
                    reading.problems.append(
                        .init(
                            node.position,
                            "“\(Section.name)” is a section: write [\(Section.name)] on a line of its own"))
                    return
                }
                var section = reading.root[keyPath: path]
                reading.read(entries, into: &section, as: Section.name)
                reading.root[keyPath: path] = section
            },
            values: { root in
                Section.keys.map { ("\(Section.name).\($0.name)", $0.toml(root[keyPath: path])) }
            })
    }

    /// A list of sections; each begins with the defaults.
    public static func list<Section: SettingsSection>(
        _ path: any WritableKeyPath<Root, [Section]> & Sendable
    ) -> SettingsPart {
        SettingsPart(
            Section.self, isList: true,
            read: { node, reading in
                guard case .array(let nodes) = node.value else {
                    reading.problems.append(
                        .init(
                            node.position,
                            "“\(Section.name)” may occur more than once: write [[\(Section.name)]]"))
                    return
                }
                for (index, node) in nodes.enumerated() {
                    guard case .table(let entries) = node.value else {
                        reading.problems.append(
                            .init(
                                node.position,
                                "\(node.value.kind) is where a section [[\(Section.name)]] belongs"))
                        continue
                    }
                    var section = Section()
                    let name = "\(Section.name)[\(index)]"
                    reading.sections[name] = node.position
                    reading.read(entries, into: &section, as: name)
                    reading.require(Section.self, in: entries, at: node.position)
                    reading.root[keyPath: path].append(section)
                }
            },
            values: { root in
                root[keyPath: path].enumerated().flatMap { index, section in
                    Section.keys.map { ("\(Section.name)[\(index)].\($0.name)", $0.toml(section)) }
                }
            })
    }

    private init<Section: SettingsSection>(
        _ type: Section.Type, isList: Bool,
        read: @escaping @Sendable (TOMLNode, inout SettingsReading<Root>) -> Void,
        values: @escaping @Sendable (Root) -> [(name: String, toml: String)]
    ) {
        name = Section.name
        about = Section.about
        self.isList = isList
        let defaults = Section()
        keys = Section.keys.map {
            Key(
                name: $0.name, help: $0.help, expectation: $0.expectation, effect: $0.effect,
                defaultTOML: $0.toml(defaults))
        }
        self.read = read
        self.values = values
    }
}

/// Settings while they are read: the values so far, their places in the file, and their errors.
public struct SettingsReading<Root: SettingsRoot>: Sendable {
    var root: Root
    /// By the keys' full names.
    var positions: [String: SourcePosition] = [:]
    /// Of the sections of a list, by names such as "style[0]".
    var sections: [String: SourcePosition] = [:]
    var problems: [SettingsProblem] = []
    /// Entries that mean nothing to this version, and are left out.
    var warnings: [SettingsProblem] = []
    /// Whether it could be read at all.
    var isTOML = true

    init(_ root: Root) { self.root = root }

    mutating func read<Section: SettingsSection>(
        _ entries: [TOMLEntry], into section: inout Section, as name: String
    ) {
        let keys = Section.keys
        for entry in entries {
            guard let key = keys.first(where: { $0.name == entry.key }) else {
                let known = keys.map(\.name)
                warnings.append(
                    .init(
                        entry.keyPosition,
                        "“\(entry.key)” has no effect: [\(Section.name)] has no such key"
                            + NearestName.hint(for: entry.key, among: known, list: Root.listing)))
                continue
            }
            guard key.set(entry.node.value, &section) else {
                problems.append(
                    .init(
                        entry.node.position,
                        "“\(key.name)” must be \(key.expectation); found \(entry.node.value.shown)"))
                continue
            }
            positions["\(name).\(key.name)"] = entry.keyPosition
        }
    }

    /// Reports the keys that a section of a list lacks and has to have.
    mutating func require<Section: SettingsSection>(
        _ type: Section.Type, in entries: [TOMLEntry], at position: SourcePosition
    ) {
        for key in Section.keys where key.isRequired && !entries.contains(where: { $0.key == key.name }) {
            var section = Section()
            let mayBeEmpty = key.set(.string(""), &section)
            problems.append(
                .init(
                    position,
                    "[[\(Section.name)]] needs “\(key.name)”"
                        + (mayBeEmpty ? "; for none, write \(key.name) = \"\"" : "")))
        }
    }
}

extension SettingsRoot {
    public static var listing: String { "dictstate settings --example" }

    /// For a key outside of all sections: those that have it, or how to list them.
    private static func sectionHint(for key: String) -> String {
        let sections = parts.filter { part in part.keys.contains { $0.name == key } }
            .map { $0.isList ? "[[\($0.name)]]" : "[\($0.name)]" }
        return sections.isEmpty
            ? "to list them: \(listing)" : "put it below \(sections.joined(separator: " or "))"
    }

    /// Reads the text of a file over the defaults.
    ///
    /// - Returns: all values that could be read, and all errors.
    static func reading(_ bytes: [UInt8]) -> SettingsReading<Self> {
        var reading = SettingsReading(Self())
        let entries: [TOMLEntry]
        do {
            entries = try TOML.parse(bytes)
        } catch {
            reading.problems.append(.init(error.position, error.reason))
            reading.isTOML = false
            return reading
        }
        let parts = Self.parts
        for entry in entries {
            if let part = parts.first(where: { $0.name == entry.key }) {
                part.read(entry.node, &reading)
                continue
            }
            reading.warnings.append(
                .init(
                    entry.keyPosition,
                    entry.node.value.isSection
                        ? "[\(entry.key)] has no effect: there is no such section"
                            + NearestName.hint(for: entry.key, among: parts.map(\.name), list: Self.listing)
                        : "“\(entry.key)” has no effect: it is outside of all sections; "
                            + Self.sectionHint(for: entry.key)))
        }
        reading.problems.sort { $0.position < $1.position }
        reading.warnings.sort { $0.position < $1.position }
        return reading
    }
}

extension TOMLValue {
    /// Whether it is what is below `[name]`, or below some `[[name]]`.
    fileprivate var isSection: Bool {
        switch self {
        case .table: true
        case .array(let nodes): !nodes.isEmpty && nodes.allSatisfy(\.value.isSection)
        case .string, .integer, .float, .boolean, .date: false
        }
    }

    /// The value itself if it is short, otherwise its kind.
    fileprivate var shown: String {
        switch self {
        case .string(let text) where text.count <= 40: text.toml
        case .integer(let number): "\(number)"
        case .float(let number): "\(number)"
        case .boolean(let value): "\(value)"
        case .string, .date, .array, .table: kind
        }
    }
}
