import Foundation

/// A session bus of the test's own. It starts services when they are called, as the user's own does.
public struct SessionBus: Sendable {
    /// A service that is slow to start, as in a session that has just begun.
    public struct SlowService: Sendable {
        let name: String
        let program: String
        let seconds: Int

        public init(name: String, program: String, seconds: Int) {
            self.name = name
            self.program = program
            self.seconds = seconds
        }

        /// - Parameter folder: the bus's `XDG_DATA_HOME`, which comes before the system's own services.
        fileprivate func write(to folder: TemporaryFolder) throws {
            try FileManager.default.createDirectory(
                atPath: folder.file("dbus-1/services"), withIntermediateDirectories: true)
            try folder.write(
                """
                [D-BUS Service]
                Name=\(name)
                Exec=/bin/sh -c "sleep \(seconds); exec \(program)"
                """, to: "dbus-1/services/\(name).service")
        }
    }

    public let address: String
    private let daemon: Program
    private let folder: TemporaryFolder

    /// The variable that leads a program to it.
    public var environment: [String: String] { ["DBUS_SESSION_BUS_ADDRESS": address] }

    /// - Parameters:
    ///   - services: what the services have in their environment that it starts.
    ///   - slow: one that starts late.
    public static func start(
        with services: [String: String] = [:], slow: SlowService? = nil
    ) async throws -> SessionBus {
        let folder = try TemporaryFolder("bus")
        try slow?.write(to: folder)
        // The accessibility bus that it starts has its socket in the runtime folder. In one that several share, each takes it
        // from the one before.
        let own = ["XDG_RUNTIME_DIR": folder.path, "XDG_DATA_HOME": folder.path]
        let daemon = try Program.start(
            "dbus-daemon", ["--session", "--nofork", "--print-address=1"],
            environment: own.merging(services) { $1 })
        let address = try await daemon.waitForLine(on: .output) { $0.hasPrefix("unix:") }.text
        return SessionBus(address: address, daemon: daemon, folder: folder)
    }

    public func end() async { await daemon.end() }
}
