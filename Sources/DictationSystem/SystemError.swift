import Glibc

/// A system call that failed: which one, on what, and why.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The errno value, such as `ENOENT`.
    public let code: Int32
    /// The action that failed, in words that a user can read: "open /run/x".
    public let operation: String

    /// Uses the current `errno`, unless a code is given.
    public init(_ operation: String, code: Int32 = errno) {
        self.code = code
        self.operation = operation
    }

    /// Such as "Permission denied".
    public var reason: String { String(cString: strerror(code)) }

    public var description: String { "\(operation): \(reason)" }
}
