import DictationSystem
import Foundation
import ServiceLifecycle

/// Tells systemd how an agent is doing, by the protocol of sd_notify(3); does nothing if systemd does not ask.
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

/// Tells systemd that an agent stops as soon as it begins to: a last recording may take a while.
struct StopNotice: Service {
    func run() async throws {
        try? await gracefulShutdown()
        SystemdNotification.stopping.send()
    }
}
