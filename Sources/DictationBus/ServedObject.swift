import CSystemd

/// An object of this process that others can call, for as long as it exists.
package final class ServedObject {
    /// Answers a call: writes the result.
    package typealias Answer = (MessageWriter) throws(BusError) -> Void

    fileprivate var slot: OpaquePointer?
    private let path: String
    /// Returns nil for a method that there is not.
    private let handler: (MessageReader) -> Answer?

    fileprivate init(_ path: String, _ handler: @escaping (MessageReader) -> Answer?) {
        self.path = path
        self.handler = handler
    }

    deinit { sd_bus_slot_unref(slot) }

    /// - Returns: 1 if it has answered; otherwise the library answers calls with an error.
    fileprivate func answer(_ message: OpaquePointer) -> Int32 {
        let reader = MessageReader(owning: sd_bus_message_ref(message))
        guard sd_bus_message_is_method_call(message, nil, nil) > 0, reader.path == path,
            let answer = handler(reader)
        else { return 0 }
        var reply: OpaquePointer?
        guard sd_bus_message_new_method_return(message, &reply) >= 0, let reply else { return 0 }
        defer { sd_bus_message_unref(reply) }
        guard (try? answer(MessageWriter(message: reply))) != nil else { return 0 }
        return sd_bus_send(sd_bus_message_get_bus(message), reply, nil) >= 0 ? 1 : 0
    }
}

extension Bus {
    /// - Parameter handler: called with each call of the object, of any interface, while the bus is processed.
    package func serve(
        _ path: String, _ handler: @escaping (MessageReader) -> ServedObject.Answer?
    ) throws(BusError) -> ServedObject {
        let object = ServedObject(path, handler)
        // A filter, as IBus sends calls without a destination: those reach no object of the library's.
        let code = sd_bus_add_filter(
            bus, &object.slot,
            { message, context, _ in
                guard let message, let context else { return 0 }
                return Unmanaged<ServedObject>.fromOpaque(context).takeUnretainedValue().answer(message)
            }, Unmanaged.passUnretained(object).toOpaque())
        guard code >= 0 else { throw Self.error("serve \(path)", code) }
        return object
    }

    /// Sends a signal of an object.
    package func emit(
        _ path: String, _ interface: String, _ member: String,
        _ fill: (MessageWriter) throws(BusError) -> Void = { _ in }
    ) throws(BusError) {
        var message: OpaquePointer?
        let made = sd_bus_message_new_signal(bus, &message, path, interface, member)
        guard made >= 0, let message else { throw Self.error(member, made) }
        defer { sd_bus_message_unref(message) }
        try fill(MessageWriter(message: message))
        let code = sd_bus_send(bus, message, nil)
        guard code >= 0 else { throw Self.error(member, code) }
        sd_bus_flush(bus)
    }

    /// Takes a name on the bus.
    package func request(name: String) throws(BusError) {
        let code = sd_bus_request_name(bus, name, 0)
        guard code >= 0 else { throw Self.error("take the name \(name)", code) }
    }

    /// Ends the connection; everything that was sent goes out before.
    package func close() {
        flush()
        sd_bus_close(bus)
    }
}
