import DictationSystem

/// Whether the applications of a compositor read what they get.
///
/// A compositor ends the connection of an application, and so the application, as soon as it has no room left
/// for what the application does not read: some 950 typed characters on Linux (208 KiB, sway 1.7). Nothing
/// says which connection belongs to which window. So the connections count that have got more since the
/// beginning: the keys go to one of them.
struct ClientBacklog {
    /// In bytes of the kernel's memory; a fourth of what a connection has room for, some 200 characters.
    private static let limit: UInt32 = 48 << 10

    private let socket: String
    /// By connection; nil if the kernel does not report it.
    private let before: [UInt32: UInt32]?

    /// - Parameter socket: the absolute path of the compositor's socket.
    init(socket: String) {
        self.socket = socket
        before = SocketBacklog.unread(of: socket)
    }

    /// Whether more can be sent to each of the applications; nil if the kernel does not report it.
    var hasRoom: Bool? {
        guard let before, let now = SocketBacklog.unread(of: socket) else { return nil }
        return now.allSatisfy { $0.value <= max(Self.limit, before[$0.key] ?? 0) }
    }
}
