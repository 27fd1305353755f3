import Glibc

/// A session of the user, as logind lists it.
struct LoginSession {
    let id: String
    let path: String
    /// A session without a seat is one over the network.
    let hasSeat: Bool
    /// Such as "x11", "wayland" and "tty".
    let type: String
    /// "active", "online", "closing": the user has logged out, and some of its processes have not ended.
    let state: String

    private var isGraphical: Bool { ["wayland", "x11", "mir"].contains(type) }

    /// The session to follow: that of the process, or else the user's graphical one: a user's service belongs to no session.
    /// One that is closing is never in the foreground again.
    ///
    /// - Parameters:
    ///   - own: the `XDG_SESSION_ID` of the process.
    ///   - display: the path of the session that logind takes for the user's graphical one.
    static func followed(of sessions: [LoginSession], own: String?, display: String?) -> LoginSession? {
        let open = sessions.filter { $0.state != "closing" }
        let seated = open.filter(\.hasSeat)
        return open.first { $0.id == own } ?? open.first { $0.path == display }
            ?? seated.first(where: \.isGraphical) ?? seated.first
    }
}

/// logind's answers about sessions.
struct LoginManager {
    static let service = "org.freedesktop.login1"
    static let path = "/org/freedesktop/login1"
    static let session = "\(service).Session"

    let bus: Bus

    /// The user's sessions.
    func sessions() throws(BusError) -> [LoginSession] {
        // Without an answer nothing is followed until the agent starts again.
        let answer = try bus.call(
            Self.service, Self.path, "\(Self.service).Manager", "ListSessions", within: Bus.startLimit)
        var own: [(id: String, seat: String, path: String)] = []
        _ = answer.container("a", "(susso)") {
            while let session = answer.container(
                "r", "susso",
                { () -> (id: String, user: UInt32, seat: String, path: String)? in
                    guard let id = answer.string(), let user = answer.unsigned(), answer.string() != nil,
                        let seat = answer.string(), let path = answer.string()
                    else { return nil }
                    return (id, user, seat, path)
                })
            {
                if let session, session.user == getuid() {
                    own.append((session.id, session.seat, session.path))
                }
            }
        }
        return own.map { session in
            func text(_ name: String) -> String {
                (try? property(name, of: session.path, Self.session, as: "s") { $0.string() }) ?? ""
            }
            return LoginSession(
                id: session.id, path: session.path, hasSeat: !session.seat.isEmpty, type: text("Type"),
                state: text("State"))
        }
    }

    /// The path of the session that logind takes for the user's graphical one; nil if it knows none.
    func display() -> String? {
        let user = try? bus.call(Self.service, Self.path, "\(Self.service).Manager", "GetUser") {
            message throws(BusError) in try message.unsigned(getuid())
        }
        guard let path = user?.string() else { return nil }
        let display = try? property("Display", of: path, "\(Self.service).User", as: "(so)") { value in
            value.container("r", "so") { value.string().flatMap { $0.isEmpty ? nil : value.string() } }
        }
        return display.flatMap { $0 ?? nil }
    }

    func flag(_ name: String, of session: String) throws(BusError) -> Bool? {
        try property(name, of: session, Self.session, as: "b") { $0.boolean() }
    }

    private func property<Value>(
        _ name: String, of path: String, _ interface: String, as type: String,
        _ read: (MessageReader) -> Value?
    ) throws(BusError) -> Value? {
        let answer = try bus.call(Self.service, path, "org.freedesktop.DBus.Properties", "Get") {
            message throws(BusError) in
            try message.string(interface)
            try message.string(name)
        }
        return answer.container("v", type) { read(answer) } ?? nil
    }
}
