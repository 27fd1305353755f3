import Foundation
import TestSupport

/// A PulseAudio server of the test's own, whose one sink is heard as a microphone.
final class SoundServer: Sendable {
    private let server: Program
    private let folder: TemporaryFolder
    let address: String

    /// Starts a server, and waits until it can be used.
    static func start() async throws -> SoundServer {
        let folder = try TemporaryFolder("sound-server")
        let address = "unix:\(folder.file("native"))"
        // Without norewinds the first read from the monitor stalls for up to two seconds.
        let sink = "module-null-sink sink_name=speaker rate=16000 channels=1 norewinds=1"
        let server = try Program.start(
            "pulseaudio",
            [
                "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--realtime=no",
                "--log-target=stderr", "--log-level=info", "-L",
                "module-native-protocol-unix auth-anonymous=1 socket=\(folder.file("native"))", "-L", sink,
            ], environment: environment(folder))
        try await server.waitForLine(containing: "Daemon startup complete")
        return SoundServer(server, folder, address)
    }

    private init(_ server: Program, _ folder: TemporaryFolder, _ address: String) {
        self.server = server
        self.folder = folder
        self.address = address
    }

    private static func environment(_ folder: TemporaryFolder) -> [String: String] {
        ["HOME": folder.path, "PULSE_RUNTIME_PATH": folder.path, "PULSE_COOKIE": folder.file("cookie")]
    }

    /// Plays a recording to its end, as a person would speak.
    func speak(_ recording: URL) throws -> Program {
        try Program.start(
            "paplay",
            ["--server=\(address)", "--device=speaker", "--latency-msec=500", recording.path],
            environment: Self.environment(folder))
    }

    /// The device for ALSA.
    var microphone: String { ALSAConfiguration.device(ofSoundServer: address, source: "speaker.monitor") }

    /// It runs, but answers nobody.
    func stop() { server.signal(SIGSTOP) }
    func goOn() { server.signal(SIGCONT) }

    func kill() async throws {
        server.signal(SIGKILL)
        _ = try await server.waitForExit()
    }

    func end() async {
        goOn()
        await server.end()
    }
}
