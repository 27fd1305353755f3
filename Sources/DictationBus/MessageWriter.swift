import CSystemd

/// Writes the arguments of a message. The library's own functions for that take variable arguments, which Swift has not.
package struct MessageWriter {
    let message: OpaquePointer

    package func string(_ text: String) throws(BusError) { try string(text, as: "s") }

    /// The path of an object.
    package func object(_ path: String) throws(BusError) { try string(path, as: "o") }

    private func string(_ text: String, as type: Unicode.Scalar) throws(BusError) {
        // D-Bus has no zeros in strings.
        let text = text.replacing("\0", with: "")
        try check(text.withCString { sd_bus_message_append_basic(message, CChar(UInt8(ascii: type)), $0) })
    }

    package func boolean(_ value: Bool) throws(BusError) {
        // The library takes them from an int.
        var value: Int32 = value ? 1 : 0
        try check(sd_bus_message_append_basic(message, CChar(UInt8(ascii: "b")), &value))
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
                    try variant(option)
                }
            }
        }
    }

    /// A value with its type.
    package func variant(_ option: Option) throws(BusError) {
        try container("v", option.type) { () throws(BusError) in
            switch option {
            case .string(let text): try string(text)
            case .unsigned(let number): try unsigned(number)
            case .integer(let number): try integer(number)
            case .byte(let number): try byte(number)
            case .boolean(let value): try boolean(value)
            case .other(_, let write): try write(self)
            }
        }
    }

    package enum Option {
        case string(String)
        case unsigned(UInt32)
        case integer(Int32)
        case byte(UInt8)
        case boolean(Bool)
        /// Of a type as D-Bus writes it.
        case other(type: String, write: (MessageWriter) throws(BusError) -> Void)

        fileprivate var type: String {
            switch self {
            case .string: "s"
            case .unsigned: "u"
            case .integer: "i"
            case .byte: "y"
            case .boolean: "b"
            case .other(let type, _): type
            }
        }
    }

    private func check(_ code: Int32) throws(BusError) {
        if code < 0 { throw Bus.error("write a message", code) }
    }
}
