import DictationSystem
import Foundation
import ServiceLifecycle

/// Reports the state of an agent to systemd, by the protocol of sd_notify(3); does nothing if systemd does
/// not ask.
enum SystemdNotification: String {
    case ready = "READY=1"
    case stopping = "STOPPING=1"

    func send() {
        guard let path = ProcessInfo.processInfo.environment["NOTIFY_SOCKET"], !path.isEmpty else { return }
        // A service manager that does not listen must not stop the agent.
        guard let socket = try? UnixAddress(path).connect(.datagram) else { return }
        try? socket.writeAll(Array(rawValue.utf8))
    }
}

/// Reports the stop of an agent when it begins: a last recording may take a while.
struct StopNotice: Service {
    func run() async throws {
        try? await gracefulShutdown()
        SystemdNotification.stopping.send()
    }
}
