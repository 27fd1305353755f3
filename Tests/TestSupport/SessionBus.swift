/// A session bus of the test's own. It starts services when they are called, as the user's own does.
public struct SessionBus: Sendable {
    public let address: String
    private let daemon: Program

    /// The variable that leads a program to it.
    public var environment: [String: String] { ["DBUS_SESSION_BUS_ADDRESS": address] }

    /// - Parameter services: what the services have in their environment that it starts.
    public static func start(with services: [String: String] = [:]) async throws -> SessionBus {
        let daemon = try Program.start(
            "dbus-daemon", ["--session", "--nofork", "--print-address=1"], environment: services)
        let address = try await daemon.waitForLine(on: .output) { $0.hasPrefix("unix:") }.text
        return SessionBus(address: address, daemon: daemon)
    }

    public func end() async { await daemon.end() }
}
