import DictationSystem

/// One thing that is wrong in a settings file, and where.
public struct SettingsProblem: Equatable, Sendable {
    public let position: SourcePosition
    /// The mistake, and the values that are allowed.
    public let message: String

    /// A file may have a whole page where a name belongs: the message quotes its beginning.
    static let longestMessage = 400

    public init(_ position: SourcePosition, _ message: String) {
        self.position = position
        self.message =
            message.count > Self.longestMessage ? message.prefix(Self.longestMessage) + "…" : message
    }

    /// File, line and column as compilers give them, so that editors can jump there.
    public func line(in path: String) -> String { "\(path):\(position.line):\(position.column): \(message)" }
}

/// Why settings cannot be used.
public enum SettingsError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file cannot be read at all.
    case unreadable(path: String, reason: String)
    /// It cannot be written; it is unchanged.
    case unwritable(path: String, reason: String)
    /// At least one problem, in the order of the file.
    case invalid(path: String, [SettingsProblem])
    /// The same, if a value was to be written into it; the file is unchanged.
    case unchanged(path: String, [SettingsProblem])
    /// An option of the command line, or a variable of the environment.
    case invalidOption(String, reason: String)

    /// In a file of another kind every line is wrong.
    static let mostProblems = 8

    /// A line for each problem, and one for those that are too many.
    public var description: String {
        switch self {
        case .unreadable(let path, let reason):
            "\(path): cannot be read: \(reason)"
        case .unwritable(let path, let reason):
            "\(path): cannot be written, and is unchanged: \(reason)"
        case .invalid(let path, let problems):
            (problems.prefix(Self.mostProblems).map { $0.line(in: path) }
                + (problems.count > Self.mostProblems
                    ? ["and \((problems.count - Self.mostProblems).counted("more problem"))"] : []))
                .joined(separator: "\n")
        case .unchanged(let path, let problems):
            Self.invalid(path: path, problems).description
                + "\nNothing was written: correct the file first, and then run the command again."
        case .invalidOption(let option, let reason):
            "\(option): \(reason)"
        }
    }
}
