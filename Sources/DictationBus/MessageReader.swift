import CSystemd

/// Reads a message from its beginning; a value that is not there reads as nil.
package final class MessageReader {
    private let message: OpaquePointer

    init(owning message: OpaquePointer) { self.message = message }

    deinit { sd_bus_message_unref(message) }

    /// The unique name of the connection that sent it, such as ":1.42", or "org.freedesktop.DBus". The bus writes it.
    package var sender: String? { sd_bus_message_get_sender(message).map { String(cString: $0) } }
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

    package func integer() -> Int32? {
        var number: Int32 = 0
        return sd_bus_message_read_basic(message, CChar(UInt8(ascii: "i")), &number) > 0 ? number : nil
    }

    package func boolean() -> Bool? {
        // The library reads them into an int.
        var value: Int32 = 0
        return sd_bus_message_read_basic(message, CChar(UInt8(ascii: "b")), &value) > 0 ? value != 0 : nil
    }

    /// Whether nothing is left of the container that is read, or of the message.
    package var isAtEnd: Bool { sd_bus_message_at_end(message, 0) != 0 }

    /// Reads the elements of an array, or what is in a structure, an entry or a variant.
    ///
    /// - Returns: nil if no such container is next.
    package func container<Contents>(
        _ type: Character, _ contents: String, _ read: () -> Contents
    ) -> Contents? {
        guard sd_bus_message_enter_container(message, CChar(type.asciiValue ?? 0), contents) > 0 else {
            return nil
        }
        let result = read()
        // The rest of it, which was not read, is skipped.
        while sd_bus_message_at_end(message, 0) == 0 { if sd_bus_message_skip(message, nil) < 0 { break } }
        sd_bus_message_exit_container(message)
        return result
    }

    /// Reads a dictionary of names and variants (`a{sv}`).
    ///
    /// - Parameter read: called with each name; may read the variant after it.
    package func options(_ read: (_ name: String) -> Void) {
        _ = container("a", "{sv}") {
            while container("e", "sv", { string().map(read) }) != nil {}
        }
    }

    /// Reads what is in the structure, the array or the variant that is next, of any type.
    ///
    /// - Returns: nil if no container is next.
    package func container<Contents>(_ read: () -> Contents) -> Contents? {
        var type = CChar(0)
        var contents: UnsafePointer<CChar>?
        guard sd_bus_message_peek_type(message, &type, &contents) > 0, let contents else { return nil }
        return container(Character(UnicodeScalar(UInt8(bitPattern: type))), String(cString: contents), read)
    }

    /// Leaves out the next value of a type.
    package func skip(_ types: String) { sd_bus_message_skip(message, types) }
}
