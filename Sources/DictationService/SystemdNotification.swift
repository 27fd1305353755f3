import Foundation
import Glibc
import ServiceLifecycle

/// Tells systemd how an agent is doing, by the protocol of sd_notify(3); does nothing where systemd does not ask.
enum SystemdNotification: String {
    case ready = "READY=1"
    case stopping = "STOPPING=1"

    func send() {
        guard let path = ProcessInfo.processInfo.environment["NOTIFY_SOCKET"], !path.isEmpty else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        // An abstract socket is written with an @ in place of its leading zero.
        if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let message = Array(rawValue.utf8)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                // A service manager that does not listen must not stop the agent.
                _ = sendto(descriptor, message, message.count, 0, $0, length)
            }
        }
    }
}

/// Tells systemd that an agent stops as soon as it begins to: a last recording may take a while.
struct StopNotice: Service {
    func run() async throws {
        try? await gracefulShutdown()
        SystemdNotification.stopping.send()
    }
}
