/// A value of a setting: a type that knows how it is written in the file.
public protocol SettingValue: Equatable, Sendable {
    /// The allowed values, to follow "is": "a whole number, 0 or more".
    static var expectation: String { get }
    /// Nil if `toml` is something else.
    init?(toml: TOMLValue)
    /// Its spelling in the file.
    var toml: String { get }
}

extension Bool: SettingValue {
    public static var expectation: String { "true or false" }

    public init?(toml: TOMLValue) {
        guard case .boolean(let value) = toml else { return nil }
        self = value
    }

    public var toml: String { description }
}

extension Int: SettingValue {
    public static var expectation: String { "a whole number" }

    public init?(toml: TOMLValue) {
        guard case .integer(let value) = toml else { return nil }
        self.init(exactly: value)
    }

    public var toml: String { description }
}

extension Double: SettingValue {
    public static var expectation: String { "a number" }

    public init?(toml: TOMLValue) {
        switch toml {
        case .float(let value) where value.isFinite: self = value
        case .integer(let value): self = Double(value)
        default: return nil
        }
    }

    public var toml: String { description }
}

extension String: SettingValue {
    public static var expectation: String { "a string" }

    public init?(toml: TOMLValue) {
        guard case .string(let value) = toml else { return nil }
        self = value
    }

    public var toml: String {
        var quoted = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
                let digits = String(scalar.value, radix: 16, uppercase: true)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension Array: SettingValue where Element: SettingValue {
    public static var expectation: String { "a list, each element \(Element.expectation)" }

    public init?(toml: TOMLValue) {
        guard case .array(let nodes) = toml else { return nil }
        let elements = nodes.compactMap { Element(toml: $0.value) }
        guard elements.count == nodes.count else { return nil }
        self = elements
    }

    public var toml: String { "[" + map(\.toml).joined(separator: ", ") + "]" }
}

/// An enumeration of words is a setting by saying so.
extension SettingValue where Self: RawRepresentable<String> & CaseIterable {
    public static var expectation: String {
        let words = allCases.map(\.rawValue.toml)
        return words.count < 2
            ? words.joined() : words.dropLast().joined(separator: ", ") + " or " + words[words.count - 1]
    }

    public init?(toml: TOMLValue) {
        guard case .string(let word) = toml else { return nil }
        self.init(rawValue: word)
    }

    public var toml: String { rawValue.toml }
}
