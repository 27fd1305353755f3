/// A section of the settings file: a value with its defaults, and the keys that it is read from.
///
/// To add a section: write a type like this, give ``Settings`` a property of it, and name it in ``Settings/parts``.
/// The checks, the messages, the example file and `dictstate settings` follow from there.
///
/// ```swift
/// public struct HistorySettings: SettingsSection {
///     public static let name = "history"
///     public static let about = "How long finished dictations are kept."
///     public static let keys = [
///         SettingKey(\Self.isPrivate, "private", help: "Keep nothing of a text once it is inserted.")
///     ]
///     public var isPrivate = false
///     public init() {}
/// }
/// ```
public protocol SettingsSection: Equatable, Sendable {
    /// The name in brackets in the file.
    static var name: String { get }
    /// Its purpose: one sentence or more.
    static var about: String { get }
    static var keys: [SettingKey<Self>] { get }
    /// All defaults.
    init()
}

/// When a changed setting takes effect in an agent that runs.
public enum SettingEffect: Sendable {
    /// At once, or with the next dictation if one is in progress.
    case atOnce
    /// When the agent starts again.
    case atRestart
}

/// One key of a section: its name, its purpose, and the values that it may have.
public struct SettingKey<Section>: Sendable {
    public let name: String
    /// Its effect: whole sentences.
    public let help: String
    /// The allowed values, to follow "is".
    public let expectation: String
    public let effect: SettingEffect
    /// Whether each section of a list has to have it. Without it the default would be used, which nobody has written.
    let isRequired: Bool
    let set: @Sendable (TOMLValue, inout Section) -> Bool
    let toml: @Sendable (Section) -> String

    /// - Parameters:
    ///   - expectation: the type's own if nil; to be given where `allowed` narrows it.
    ///   - isRequired: whether each section of a list has to have it.
    ///   - allowed: which values of the type make sense.
    public init<Value: SettingValue>(
        _ path: any WritableKeyPath<Section, Value> & Sendable, _ name: String, help: String,
        expectation: String? = nil, effect: SettingEffect = .atOnce, isRequired: Bool = false,
        allowed: @escaping @Sendable (Value) -> Bool = { _ in true }
    ) {
        self.name = name
        self.help = help
        self.expectation = expectation ?? Value.expectation
        self.effect = effect
        self.isRequired = isRequired
        set = { toml, section in
            guard let value = Value(toml: toml), allowed(value) else { return false }
            section[keyPath: path] = value
            return true
        }
        toml = { $0[keyPath: path].toml }
    }

    /// For numbers within a range.
    public init(
        _ path: any WritableKeyPath<Section, Int> & Sendable, _ name: String, in range: ClosedRange<Int>,
        help: String, effect: SettingEffect = .atOnce
    ) {
        self.init(
            path, name, help: help,
            expectation: "a whole number from \(range.lowerBound) to \(range.upperBound)", effect: effect,
            allowed: { range.contains($0) })
    }
}
