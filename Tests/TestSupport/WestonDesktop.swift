/// A Wayland desktop for one test whose compositor has none of the protocols that dictation can use: weston
/// without a screen.
///
/// ```swift
/// let desktop = try await WestonDesktop.start()
/// let host = try Program.start("host-agent", [], environment: environment.merging(desktop.environment) { $1 })
/// …
/// await desktop.end()
/// ```
public final class WestonDesktop: Sendable {
    /// The variable that leads a program to the compositor.
    public let environment: [String: String]
    private let folder: TemporaryFolder
    private let compositor: Program

    public static func start() async throws -> WestonDesktop {
        let folder = try TemporaryFolder("weston")
        let compositor = try Program.start(
            "weston",
            ["--backend=headless-backend.so", "--socket=wayland-5", "--idle-time=0", "--no-config"],
            environment: ["XDG_RUNTIME_DIR": folder.path, "HOME": folder.path])
        try await compositor.waitForLine(containing: "weston-desktop-shell")
        return WestonDesktop(folder, compositor)
    }

    private init(_ folder: TemporaryFolder, _ compositor: Program) {
        self.folder = folder
        self.compositor = compositor
        environment = ["WAYLAND_DISPLAY": folder.file("wayland-5")]
    }

    public func end() async { await compositor.end() }
}
