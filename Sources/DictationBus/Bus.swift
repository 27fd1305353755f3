import CSystemd
import Glibc

/// Why something on D-Bus could not be done.
public struct BusError: Error, Equatable, Sendable, CustomStringConvertible {
    public let operation: String
    /// Of D-Bus, such as `org.freedesktop.DBus.Error.ServiceUnknown`; empty if the connection itself failed.
    public let name: String
    public let reason: String

    package init(operation: String, name: String, reason: String) {
        self.operation = operation
        self.name = name
        self.reason = reason
    }

    public var description: String { "\(operation): \(reason)" }
}

/// A connection to a message bus, by sd-bus. Belongs to one thread.
package final class Bus {
    package enum Kind {
        case session, system
        /// As D-Bus writes it, such as `unix:path=/run/bus`.
        case address(String)
    }

    let bus: OpaquePointer

    /// How long a service may take to answer: a person waits for nothing of it.
    package static let patience: Duration = .seconds(5)
    /// How long a service may take that the call starts first. A session that begins is busy, and a portal waits 25 s for a part of
    /// the desktop that does not come. Two such services still leave an agent time before systemd gives it up (90 s).
    package static let startLimit: Duration = .seconds(30)

    /// - Throws: ``BusError`` if there is no such bus, or it does not answer within ``patience``.
    package init(_ kind: Kind) throws(BusError) {
        var opened: OpaquePointer?
        let code =
            switch kind {
            case .session: sd_bus_open_user(&opened)
            case .system: sd_bus_open_system(&opened)
            case .address(let address): Self.open(address, &opened)
            }
        guard code >= 0, let opened else { throw Self.error("connect to the \(kind) bus", code) }
        bus = opened
        // A call or a match would wait for the connection without any limit.
        try process(until: .now + Self.patience) { !isReady }
        guard isReady else { throw Self.error("connect to the \(kind) bus", -ETIMEDOUT) }
    }

    private static func open(_ address: String, _ opened: inout OpaquePointer?) -> Int32 {
        var code = sd_bus_new(&opened)
        if code >= 0 { code = sd_bus_set_address(opened, address) }
        if code >= 0 { code = sd_bus_set_bus_client(opened, 1) }
        if code >= 0 { code = sd_bus_start(opened) }
        if code < 0 { opened = sd_bus_unref(opened) }
        return code
    }

    deinit {
        close()
        sd_bus_unref(bus)
    }

    /// For ``waitUntilReadable(_:timeout:)``.
    package var descriptor: Int32 { sd_bus_get_fd(bus) }

    /// The bus's own name of this connection, such as ":1.42"; empty if the bus is gone.
    package var uniqueName: String {
        var name: UnsafePointer<CChar>?
        guard sd_bus_get_unique_name(bus, &name) >= 0, let name else { return "" }
        return String(cString: name)
    }

    /// Carries out what has come; the matches' handlers are called.
    ///
    /// - Throws: ``BusError`` when the bus is gone.
    package func process() throws(BusError) {
        while true {
            let code = sd_bus_process(bus, nil)
            if code < 0 { throw Self.error("read from the bus", code) }
            if code == 0 { break }
        }
        // A message that was queued in the meantime must not wait for the next time.
        flush()
    }

    /// The library waits for as long as it takes until the connection is made, which may be forever if the
    /// bus hangs.
    func flush() { if isReady { sd_bus_flush(bus) } }

    // MARK: - Calls

    /// Calls a method and waits for its answer.
    ///
    /// - Parameters:
    ///   - patience: how long the answer may take.
    ///   - fill: writes the arguments.
    @discardableResult
    package func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String,
        within patience: Duration = Bus.patience,
        _ fill: (MessageWriter) throws(BusError) -> Void = { _ in }
    ) throws(BusError) -> MessageReader {
        let message = try methodCall(destination, path, interface, member, fill)
        defer { sd_bus_message_unref(message) }
        var failure = sd_bus_error()
        defer { sd_bus_error_free(&failure) }
        var answer: OpaquePointer?
        let code = sd_bus_call(
            bus, message, UInt64(max(1, patience / .microseconds(1))), &failure, &answer)
        guard code >= 0, let answer else { throw Self.error(member, failure) ?? Self.error(member, code) }
        return MessageReader(owning: answer)
    }

    /// - Returns: owned by the caller.
    func methodCall(
        _ destination: String, _ path: String, _ interface: String, _ member: String,
        _ fill: (MessageWriter) throws(BusError) -> Void
    ) throws(BusError) -> OpaquePointer {
        var message: OpaquePointer?
        let made = sd_bus_message_new_method_call(bus, &message, destination, path, interface, member)
        guard made >= 0, let message else { throw Self.error(member, made) }
        do {
            try fill(MessageWriter(message: message))
        } catch {
            sd_bus_message_unref(message)
            throw error
        }
        return message
    }

    // MARK: - Signals

    /// A handler that is called with each signal that matches, for as long as this value is held.
    package final class Match {
        fileprivate var slot: OpaquePointer?
        fileprivate let handler: (MessageReader) -> Void

        fileprivate init(_ handler: @escaping (MessageReader) -> Void) { self.handler = handler }

        deinit { sd_bus_slot_unref(slot) }
    }

    /// Who may send a signal that is heard.
    ///
    /// A rule alone keeps nobody out: any program may send a signal to this connection by its own name, and then the rule
    /// is not asked.
    package enum Sender {
        /// The bus itself.
        case bus
        /// The owner of this name at the time when the signal is read.
        case owner(String)
        /// Anyone: the handler looks at ``MessageReader/sender``.
        case anyone

        /// The part of a rule that spares this process the signals of others.
        fileprivate var rule: String {
            switch self {
            case .bus: "sender='\(Bus.daemon)',"
            case .owner(let name): "sender='\(name)',"
            case .anyone: ""
            }
        }
    }

    private static let daemon = "org.freedesktop.DBus"

    /// Whether a signal comes from the one that may send it. The bus itself writes the sender's unique name into each message.
    private func isSent(_ signal: MessageReader, by sender: Sender) -> Bool {
        switch sender {
        case .bus: signal.sender == Self.daemon
        case .owner(let name): signal.sender != nil && signal.sender == owner(of: name)
        case .anyone: true
        }
    }

    /// The unique name of the connection that has a name; nil where none has.
    private func owner(of name: String) -> String? {
        let answer = try? call(Self.daemon, "/org/freedesktop/DBus", Self.daemon, "GetNameOwner") {
            message throws(BusError) in try message.string(name)
        }
        return answer?.string()
    }

    /// - Parameters:
    ///   - rule: the signals, as D-Bus writes them, such as `member='Lock'`.
    ///   - sender: signals of others are passed over.
    package func match(
        _ rule: String, from sender: Sender, _ handler: @escaping (MessageReader) -> Void
    ) throws(BusError) -> Match {
        let match = Match { [weak self] signal in
            if self?.isSent(signal, by: sender) == true { handler(signal) }
        }
        let code = sd_bus_add_match(
            bus, &match.slot, "type='signal',\(sender.rule)\(rule)",
            { message, context, _ in
                guard let message, let context else { return 0 }
                let match = Unmanaged<Match>.fromOpaque(context).takeUnretainedValue()
                match.handler(MessageReader(owning: sd_bus_message_ref(message)))
                return 0
            }, Unmanaged.passUnretained(match).toOpaque())
        guard code >= 0 else { throw Self.error("add a match", code) }
        return match
    }

    /// The error of an answer; nil if it is none.
    static func error(_ operation: String, _ answer: sd_bus_error) -> BusError? {
        answer.name.map { name in
            BusError(
                operation: operation, name: String(cString: name),
                reason: answer.message.map { String(cString: $0) } ?? String(cString: name))
        }
    }

    static func error(_ operation: String, _ code: Int32) -> BusError {
        BusError(operation: operation, name: "", reason: String(cString: strerror(-code)))
    }
}
