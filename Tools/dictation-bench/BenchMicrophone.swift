import DictationService
import Foundation
import Glibc

/// A microphone for the agents that a benchmark starts.
enum BenchMicrophone {
    /// - Parameter recording: the sound that it plays, over and over; nil for silence.
    /// - Returns: the environment that leads a program to the microphone.
    static func environment(playing recording: String?, in folder: URL) throws -> [String: String] {
        let plugin = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appendingPathComponent("libasound_module_pcm_virtualmic.so").path
        guard access(plugin, R_OK) == 0 else {
            throw CommandProblem(
                status: .failed, message: "\(plugin) is not there. Build it: swift build -c release")
        }
        let recording = recording.map { URL(fileURLWithPath: $0).path } ?? ""
        let file = folder.appendingPathComponent("asound.conf")
        // The hooks would load the user's and the system's own files, whose default device would win.
        try Data(
            """
            </usr/share/alsa/alsa.conf>
            !@hooks []
            pcm_type.virtualmic { lib "\(plugin)" }
            pcm.!default { type virtualmic infile "\(recording)" loop 1 }

            """.utf8
        ).write(to: file)
        return [
            "ALSA_CONFIG_PATH": file.path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus",
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent/bus",
        ]
    }
}
