import CLinux

/// The bytes that the clients of a Unix socket have not read yet, as the kernel counts them.
///
/// ```swift
/// if let unread = SocketBacklog.unread(of: "/run/user/1000/wayland-1") { print(unread.values.max() ?? 0) }
/// ```
public enum SocketBacklog {
    /// More connections than a server of one user has.
    private static let capacity: Int32 = 1024

    /// - Parameter socket: the absolute path that the server has bound.
    /// - Returns: for each connection to it, by the kernel's number, bytes of the kernel's memory; it keeps
    ///   as many as the send buffer of the server's end is large. Nil if the kernel does not report it, or
    ///   knows no connection to that path.
    public static func unread(of socket: String) -> [UInt32: UInt32]? {
        let backlogs = [clinux_backlog](unsafeUninitializedCapacity: Int(capacity)) { buffer, count in
            count = max(0, Int(clinux_backlogs(socket, buffer.baseAddress, capacity)))
        }
        guard !backlogs.isEmpty else { return nil }
        return Dictionary(backlogs.map { ($0.connection, $0.unread) }, uniquingKeysWith: max)
    }
}
