import CX11
import DictationSystem

/// Which process has which connections to the server, by the server's own account (X-Resource 1.2).
struct ClientProcesses {
    private let connection: DisplayConnection
    /// The major opcode; nil if the server has no such extension.
    private let opcode: UInt8?

    init(connection: DisplayConnection) {
        self.connection = connection
        var opcode: Int32 = 0
        var event: Int32 = 0
        var error: Int32 = 0
        let isThere = XQueryExtension(connection.display, "X-Resource", &opcode, &event, &error) != 0
        self.opcode = isThere ? UInt8(truncatingIfNeeded: opcode) : nil
    }

    /// Whether the process that made a window has only one connection, so that everything reaches it in order; false if
    /// that is not known, as for a process on another machine.
    func isOnlyConnection(of window: Window) -> Bool {
        let processes = processes()
        guard let process = processes[connection.client(of: window)] else { return false }
        return processes.values.count { $0 == process } == 1
    }

    /// Whether two windows belong to the same process, maybe by different connections (Alacritty has a second one for the
    /// clipboard).
    func isSameProcess(_ first: Window, _ second: Window) -> Bool {
        if connection.isSameClient(first, second) { return true }
        let processes = processes()
        guard let process = processes[connection.client(of: first)] else { return false }
        return processes[connection.client(of: second)] == process
    }

    /// The process that made a window; nil if that is not known.
    func process(of window: Window) -> UInt32? { processes()[connection.client(of: window)] }

    /// Those windows that were made by the same process as another one, by any of its connections.
    func windows(besides window: Window, among windows: [Window]) -> [Window] {
        let processes = processes()
        guard let process = processes[connection.client(of: window)] else { return [] }
        return windows.filter { processes[connection.client(of: $0)] == process }
    }

    /// Whether the process that made a window is stopped (SIGSTOP, a debugger) and so certainly reads
    /// nothing; false if that is not known.
    func isStopped(_ window: Window) -> Bool {
        guard let process = processes()[connection.client(of: window)] else { return false }
        return ProcessStat(of: Int32(bitPattern: process))?.isStopped == true
    }

    private func processes() -> [UInt32: UInt32] {
        guard let opcode else { return [:] }
        return connection.answer(.clientProcesses(extension: opcode), Self.processes) ?? [:]
    }

    /// - Returns: the process of each connection, by the identifier that all its windows begin with.
    private static func processes(_ reply: UnsafeRawPointer) -> [UInt32: UInt32] {
        var processes: [UInt32: UInt32] = [:]
        // After the 32 bytes of the reply, for each client: its identifier, the kind of value, its length, the value.
        let size = Inquiries.size(ofReply: reply)
        var next = 32
        for _ in 0..<reply.load(fromByteOffset: 8, as: UInt32.self) {
            guard next + 12 <= size else { break }
            let length = Int(reply.loadUnaligned(fromByteOffset: next + 8, as: UInt32.self))
            guard next + 12 + length <= size else { break }
            if length >= 4 {
                processes[reply.loadUnaligned(fromByteOffset: next, as: UInt32.self)] =
                    reply.loadUnaligned(fromByteOffset: next + 12, as: UInt32.self)
            }
            next += 12 + length
        }
        return processes
    }
}

extension DisplayConnection {
    /// Which client has made a window: identifiers begin with its number.
    fileprivate func client(of window: Window) -> UInt32 {
        UInt32(truncatingIfNeeded: window & ~cx11_resource_mask(display))
    }

    /// Whether two windows were made by the same client.
    func isSameClient(_ first: Window, _ second: Window) -> Bool { client(of: first) == client(of: second) }
}
