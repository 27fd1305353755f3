import CSystemd
import Glibc

/// Why something on D-Bus could not be done.
public struct BusError: Error, Equatable, Sendable, CustomStringConvertible {
    public let operation: String
    /// Of D-Bus, such as `org.freedesktop.DBus.Error.ServiceUnknown`; empty where the connection itself failed.
    public let name: String
    public let reason: String

    public var description: String { "\(operation): \(reason)" }
}

/// A connection to a message bus, by sd-bus. Belongs to one thread.
package final class Bus {
    package enum Kind { case session, system }

    private let bus: OpaquePointer

    /// How long a service may take to answer: a person waits for nothing of it.
    package static let patience: Duration = .seconds(5)

    /// - Throws: ``BusError`` where there is no such bus.
    package init(_ kind: Kind) throws(BusError) {
        var opened: OpaquePointer?
        let code = kind == .session ? sd_bus_open_user(&opened) : sd_bus_open_system(&opened)
        guard code >= 0, let opened else { throw Self.error("connect to the \(kind) bus", code) }
        bus = opened
    }

    deinit { sd_bus_flush_close_unref(bus) }

    /// What to give to ``waitUntilReadable(_:timeout:)``.
    package var descriptor: Int32 { sd_bus_get_fd(bus) }

    /// The bus's own name of this connection, such as ":1.42"; empty where the bus is gone.
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
        // What was put in the queue meanwhile must not wait for the next time.
        sd_bus_flush(bus)
    }

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
        var message: OpaquePointer?
        let made = sd_bus_message_new_method_call(bus, &message, destination, path, interface, member)
        guard made >= 0, let message else { throw Self.error(member, made) }
        defer { sd_bus_message_unref(message) }
        try fill(MessageWriter(message: message))
        var failure = sd_bus_error()
        defer { sd_bus_error_free(&failure) }
        var answer: OpaquePointer?
        let code = sd_bus_call(
            bus, message, UInt64(max(1, patience / .microseconds(1))), &failure, &answer)
        guard code >= 0, let answer else {
            guard let name = failure.name else { throw Self.error(member, code) }
            throw BusError(
                operation: member, name: String(cString: name),
                reason: failure.message.map { String(cString: $0) } ?? String(cString: name))
        }
        return MessageReader(owning: answer)
    }

    // MARK: - Signals

    /// What is called with each signal that matches, for as long as it is held.
    package final class Match {
        fileprivate var slot: OpaquePointer?
        fileprivate let handler: (MessageReader) -> Void

        fileprivate init(_ handler: @escaping (MessageReader) -> Void) { self.handler = handler }

        deinit { sd_bus_slot_unref(slot) }
    }

    /// - Parameter rule: as D-Bus writes them, such as `type='signal',member='Lock'`.
    package func match(_ rule: String, _ handler: @escaping (MessageReader) -> Void) throws(BusError) -> Match
    {
        let match = Match(handler)
        let code = sd_bus_add_match(
            bus, &match.slot, rule,
            { message, context, _ in
                guard let message, let context else { return 0 }
                let match = Unmanaged<Match>.fromOpaque(context).takeUnretainedValue()
                match.handler(MessageReader(owning: sd_bus_message_ref(message)))
                return 0
            }, Unmanaged.passUnretained(match).toOpaque())
        guard code >= 0 else { throw Self.error("add a match", code) }
        return match
    }

    static func error(_ operation: String, _ code: Int32) -> BusError {
        BusError(operation: operation, name: "", reason: String(cString: strerror(-code)))
    }
}

/// Writes the arguments of a message. The library's own functions for that take variable arguments, which Swift has not.
package struct MessageWriter {
    fileprivate let message: OpaquePointer

    package func string(_ text: String) throws(BusError) { try string(text, as: "s") }

    /// The path of an object.
    package func object(_ path: String) throws(BusError) { try string(path, as: "o") }

    private func string(_ text: String, as type: Unicode.Scalar) throws(BusError) {
        // D-Bus has no zeros in strings.
        let text = text.replacing("\0", with: "")
        try check(text.withCString { sd_bus_message_append_basic(message, CChar(UInt8(ascii: type)), $0) })
    }

    package func unsigned(_ number: UInt32) throws(BusError) {
        var number = number
        try check(sd_bus_message_append_basic(message, CChar(UInt8(ascii: "u")), &number))
    }

    package func integer(_ number: Int32) throws(BusError) {
        var number = number
        try check(sd_bus_message_append_basic(message, CChar(UInt8(ascii: "i")), &number))
    }

    package func byte(_ number: UInt8) throws(BusError) {
        var number = number
        try check(sd_bus_message_append_basic(message, CChar(UInt8(ascii: "y")), &number))
    }

    package func boolean(_ value: Bool) throws(BusError) {
        // A full word, as the library takes it.
        var number: Int32 = value ? 1 : 0
        try check(sd_bus_message_append_basic(message, CChar(UInt8(ascii: "b")), &number))
    }

    /// - Parameters:
    ///   - type: `a` for an array, `v` for a variant, `e` for an entry of a dictionary.
    ///   - contents: the type of what is inside, as D-Bus writes it.
    package func container(
        _ type: Character, _ contents: String, _ fill: () throws(BusError) -> Void
    ) throws(BusError) {
        try check(sd_bus_message_open_container(message, CChar(type.asciiValue ?? 0), contents))
        try fill()
        try check(sd_bus_message_close_container(message))
    }

    /// A dictionary of names and variants (`a{sv}`), as many methods take for their options.
    package func options(_ options: [String: Option]) throws(BusError) {
        try container("a", "{sv}") { () throws(BusError) in
            for (name, option) in options {
                try container("e", "sv") { () throws(BusError) in
                    try string(name)
                    try container("v", option.type) { () throws(BusError) in
                        switch option {
                        case .string(let text): try string(text)
                        case .unsigned(let number): try unsigned(number)
                        case .byte(let number): try byte(number)
                        case .other(_, let write): try write(self)
                        case .boolean(let value): try boolean(value)
                        }
                    }
                }
            }
        }
    }

    package enum Option {
        case string(String)
        case unsigned(UInt32)
        case byte(UInt8)
        /// Of a type as D-Bus writes it.
        case other(type: String, write: (MessageWriter) throws(BusError) -> Void)
        case boolean(Bool)

        fileprivate var type: String {
            switch self {
            case .string: "s"
            case .unsigned: "u"
            case .byte: "y"
            case .other(let type, _): type
            case .boolean: "b"
            }
        }
    }

    private func check(_ code: Int32) throws(BusError) {
        if code < 0 { throw Bus.error("write a message", code) }
    }
}

/// Reads a message from its beginning; what is not there reads as nil.
package final class MessageReader {
    private let message: OpaquePointer

    fileprivate init(owning message: OpaquePointer) { self.message = message }

    deinit { sd_bus_message_unref(message) }

    /// The object that sent it.
    package var path: String? { sd_bus_message_get_path(message).map { String(cString: $0) } }
    package var member: String? { sd_bus_message_get_member(message).map { String(cString: $0) } }

    /// A string, or the path of an object.
    package func string() -> String? {
        var type = CChar(0)
        guard sd_bus_message_peek_type(message, &type, nil) > 0,
            [UInt8(ascii: "s"), UInt8(ascii: "o")].contains(UInt8(bitPattern: type))
        else { return nil }
        var text: UnsafePointer<CChar>?
        guard sd_bus_message_read_basic(message, type, &text) > 0 else { return nil }
        return text.map { String(cString: $0) }
    }

    /// A 64-bit number.
    package func unsigned64() -> UInt64? {
        var number: UInt64 = 0
        return sd_bus_message_read_basic(message, CChar(UInt8(ascii: "t")), &number) > 0 ? number : nil
    }

    package func unsigned() -> UInt32? {
        var number: UInt32 = 0
        return sd_bus_message_read_basic(message, CChar(UInt8(ascii: "u")), &number) > 0 ? number : nil
    }

    package func boolean() -> Bool? {
        // The library reads them into an int.
        var value: Int32 = 0
        return sd_bus_message_read_basic(message, CChar(UInt8(ascii: "b")), &value) > 0 ? value != 0 : nil
    }

    /// Reads the elements of an array, or what is in a structure, an entry or a variant.
    ///
    /// - Returns: nil where no such container is next.
    package func container<Contents>(
        _ type: Character, _ contents: String, _ read: () -> Contents
    ) -> Contents? {
        guard sd_bus_message_enter_container(message, CChar(type.asciiValue ?? 0), contents) > 0 else {
            return nil
        }
        let result = read()
        // Whatever was not read of it is left behind.
        while sd_bus_message_at_end(message, 0) == 0 { if sd_bus_message_skip(message, nil) < 0 { break } }
        sd_bus_message_exit_container(message)
        return result
    }

    /// Leaves out the next value of a type.
    /// Reads a dictionary of names and variants (`a{sv}`).
    ///
    /// - Parameter read: called with each name; may read the variant behind it.
    package func options(_ read: (_ name: String) -> Void) {
        _ = container("a", "{sv}") {
            while container("e", "sv", { string().map(read) }) != nil {}
        }
    }

    package func skip(_ types: String) { sd_bus_message_skip(message, types) }
}
