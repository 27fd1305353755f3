/// Knows whether the user's session is one to dictate in.
public protocol SessionPresence: Sendable {
    /// Nil while the user is there.
    var absence: SessionAbsence? { get }
}

/// Why nothing may be recorded or typed now.
///
/// If there are several reasons the first one counts: many desktops lock a session because the machine is about to
/// sleep, or because another one comes to the foreground.
public enum SessionAbsence: Sendable, CaseIterable {
    /// The machine is about to sleep.
    case sleeping
    /// Another session is in the foreground.
    case inactive
    case locked

    /// For a person: how things are.
    public var explanation: String {
        switch self {
        case .sleeping: "the machine is about to sleep"
        case .inactive: "another session is in the foreground"
        case .locked: "the session is locked"
        }
    }
}
