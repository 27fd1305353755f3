import Foundation
import Glibc
import Synchronization

/// A PulseAudio server for one test, whose only sink, “speaker”, is available as a microphone. It remembers
/// the volume of each program, as on a desktop.
///
/// ```swift
/// let server = try await SoundServer.start()
/// let session = SpeechSession(input: ALSAInput(device: server.microphone))
/// let speaker = try await server.speak(recording)
/// try await server.restart()
/// await server.end()
/// ```
public final class SoundServer: Sendable {
    private let server: Mutex<Program>
    private let folder: TemporaryFolder
    private let channels: Int
    public let address: String

    /// Starts a server, and waits until it can be used.
    ///
    /// - Parameter channels: of the microphone.
    public static func start(channels: Int = 1) async throws -> SoundServer {
        let folder = try TemporaryFolder("sound-server")
        return SoundServer(try await launch(folder, channels), folder, channels)
    }

    private static func launch(_ folder: TemporaryFolder, _ channels: Int) async throws -> Program {
        // Without norewinds the first read from the monitor stalls for up to two seconds.
        let sink = "module-null-sink sink_name=speaker rate=16000 channels=\(channels) norewinds=1"
        let server = try Program.start(
            unpacked?.program ?? "pulseaudio",
            (unpacked.map { ["--dl-search-path=\($0.modules)"] } ?? []) + [
                "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--realtime=no",
                "--log-target=stderr", "--log-level=info", "-L",
                "module-native-protocol-unix auth-anonymous=1 socket=\(folder.file("native"))", "-L", sink,
                "-L", "module-stream-restore restore_device=no",
            ], environment: environment(folder))
        try await server.waitForLine(containing: "Daemon startup complete")
        return server
    }

    private init(_ server: Program, _ folder: TemporaryFolder, _ channels: Int) {
        self.channels = channels
        self.server = Mutex(server)
        self.folder = folder
        address = "unix:\(folder.file("native"))"
    }

    /// The environment for programs that use it.
    public var environment: [String: String] {
        Self.environment(folder).merging(["PULSE_SERVER": address]) { $1 }
    }

    private static func environment(_ folder: TemporaryFolder) -> [String: String] {
        ["HOME": folder.path, "PULSE_RUNTIME_PATH": folder.path, "PULSE_COOKIE": folder.file("cookie")]
            .merging(unpacked.map { ["LD_LIBRARY_PATH": "\($0.libraries):\($0.modules)"] } ?? [:]) { $1 }
    }

    /// The server that `packaging/install-dependencies --test` unpacks if its package cannot be installed
    /// together with PipeWire.
    private static let unpacked: (program: String, modules: String, libraries: String)? = {
        let usr = repositoryFile(".build/pulseaudio/usr")
        func first(_ names: String, below folder: String) -> String? {
            FileManager.default.enumerator(atPath: folder)?.lazy.compactMap { $0 as? String }
                .first { $0.hasSuffix(names) }.map { folder + "/" + $0 }
        }
        guard FileManager.default.isExecutableFile(atPath: usr + "/bin/pulseaudio"),
            let modules = first("/modules", below: usr + "/lib"),
            let libraries = first("/pulseaudio", below: usr + "/lib")
        else { return nil }
        return (usr + "/bin/pulseaudio", modules, libraries)
    }()

    private var running: Program { server.withLock { $0 } }

    /// Plays a recording to its end, as a person would speak; returns when it has begun.
    public func speak(_ recording: URL) async throws -> Program {
        let speaker = try Program.start(
            "paplay", ["--verbose", "--device=speaker", "--latency-msec=500", recording.path],
            environment: environment)
        try await speaker.waitForLine(containing: "Stream started")
        return speaker
    }

    /// The device for ALSA.
    public var microphone: String {
        ALSAConfiguration.device(ofSoundServer: address, source: "speaker.monitor")
    }

    /// Turns the microphone's mixer, as a desktop's sound settings do.
    public func setMicrophone(isMuted: Bool, percent: Int) async throws {
        for arguments in [
            ["set-source-mute", "speaker.monitor", isMuted ? "1" : "0"],
            ["set-source-volume", "speaker.monitor", "\(percent)%"],
        ] { _ = try await Program.run("pactl", arguments, environment: environment) }
    }

    /// It runs, but does not answer.
    public func stop() { running.signal(SIGSTOP) }
    public func goOn() { running.signal(SIGCONT) }

    public func kill() async throws { try await end(by: SIGKILL) }

    /// Ends it, in order or by a crash, and starts another one at the same address, as a desktop does.
    public func restart(by signal: Int32 = SIGTERM) async throws {
        try await end(by: signal)
        let next = try await Self.launch(folder, channels)
        server.withLock { $0 = next }
    }

    private func end(by signal: Int32) async throws {
        running.signal(signal)
        _ = try await running.waitForExit()
    }

    public func end() async {
        goOn()
        await running.end()
    }
}
