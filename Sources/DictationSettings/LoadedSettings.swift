/// Settings together with where each comes from.
public struct LoadedSettings: Equatable, Sendable {
    public enum Origin: Equatable, Sendable {
        /// Nothing is said, so the default holds.
        case standard
        case file(SourcePosition)
        /// A variable of the environment, such as `VOICEDICTATION_HOST_HOTKEY`.
        case environment(String)
        /// An option of the command line, such as `--hotkey`.
        case option(String)
    }

    public private(set) var values: Settings
    /// The file's path, whether it is there or not.
    public let file: String
    /// Whether there was a file.
    public let exists: Bool
    /// Parts of the file that have no effect, in its order: unknown keys and sections, misspelled or from
    /// another version; and keys without an effect.
    public let warnings: [SettingsProblem]
    /// A problem outside the file, and its remedy.
    public let note: String?
    private var origins: [String: Origin]

    /// - Parameter variables: those of the environment, by the names of the keys that they set.
    init(
        file: String, exists: Bool, note: String? = nil, reading: SettingsReading<Settings>,
        variables: [String: String] = [:]
    ) {
        self.file = file
        self.exists = exists
        self.note = note
        values = reading.root
        warnings = (reading.warnings + Self.idleParts(of: reading)).sorted { $0.position < $1.position }
        origins = reading.positions.merging(reading.sections) { $1 }.mapValues(Origin.file)
            .merging(variables.mapValues(Origin.environment)) { $1 }
    }

    /// A hook without a command, and a profile that cannot be chosen by its name.
    private static func idleParts(of reading: SettingsReading<Settings>) -> [SettingsProblem] {
        let hooks = reading.root.hooks.enumerated().compactMap { index, hook -> SettingsProblem? in
            guard hook.command.isEmpty, let place = reading.sections["hook[\(index)]"] else { return nil }
            return SettingsProblem(place, "this [[hook]] has no command, and does nothing")
        }
        var names: Set<String> = []
        let profiles = reading.root.profiles.enumerated().compactMap { index, profile -> SettingsProblem? in
            guard !profile.name.isEmpty, !names.insert(profile.name).inserted,
                let place = reading.positions["profile[\(index)].name"]
            else { return nil }
            return SettingsProblem(
                place,
                "there is a [[profile]] “\(profile.name)” already; that one is used where the name is asked for"
            )
        }
        return hooks + profiles
    }

    /// The warnings as they are shown: a line each.
    public var warningLines: [String] { [note].compactMap { $0 } + warnings.map { $0.line(in: file) } }

    /// - Parameter name: the full name of a key, such as `host.hotkey`.
    public func origin(of name: String) -> Origin { origins[name] ?? .standard }

    /// Lets an option of the command line override the file.
    ///
    /// - Parameters:
    ///   - name: the key's full name.
    ///   - value: nil when the option was not given.
    public mutating func override<Value>(
        _ path: WritableKeyPath<Settings, Value>, _ name: String, with value: Value?, by option: String
    ) {
        guard let value else { return }
        values[keyPath: path] = value
        origins[name] = .option(option)
    }

    /// An error about a value that only its user could find wrong, such as a key that no keyboard has. One that is missing
    /// in a section of a list is reported with the place of that section.
    public func problem(with name: String, _ reason: String) -> SettingsError {
        switch origins[name] ?? origin(of: String(name.prefix { $0 != "." })) {
        case .file(let position): .invalid(path: file, [SettingsProblem(position, reason)])
        case .option(let origin), .environment(let origin): .invalidOption(origin, reason: reason)
        case .standard: .invalidOption(name, reason: reason)
        }
    }

    /// A setting as it is shown to a person.
    public struct Entry: Equatable, Sendable {
        /// Such as `host.hotkey`.
        public let name: String
        /// As written in the file.
        public let toml: String
        public let origin: Origin
    }

    /// Every setting in effect, in the order of the example file.
    public var entries: [Entry] {
        Settings.parts.flatMap { part in
            part.values(values).map { Entry(name: $0.name, toml: $0.toml, origin: origin(of: $0.name)) }
        }
    }

    /// Full names of settings that differ between the two and take effect only when an agent starts again.
    public func restartNeeded(since old: LoadedSettings) -> [String] {
        let late = Set(
            Settings.parts.flatMap { part in
                part.keys.filter { $0.effect == .atRestart }.map { "\(part.name).\($0.name)" }
            })
        let before = Dictionary(old.entries.map { ($0.name, $0.toml) }) { first, _ in first }
        return entries.filter { late.contains($0.name) && before[$0.name] != $0.toml }.map(\.name)
    }
}
