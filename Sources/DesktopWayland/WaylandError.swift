/// Why a compositor cannot be typed through.
public enum WaylandError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The environment names none, or it accepts no connection.
    case noCompositor
    /// It accepts connections and does not answer.
    case notResponding
    /// It ended the connection, or went away.
    case lost
    /// It does not offer this protocol.
    case missing(protocol: String)

    public var description: String {
        switch self {
        case .noCompositor: "no Wayland compositor accepts a connection"
        case .notResponding: "the Wayland compositor does not answer"
        case .lost: "the connection to the Wayland compositor was lost"
        case .missing(let name): "the Wayland compositor does not offer \(name)"
        }
    }
}
