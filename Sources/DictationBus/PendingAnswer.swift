import CSystemd
import DictationSystem

/// The answer to a call that is not waited for: see ``Bus/send(_:_:_:_:_:)``. While it is awaited by
/// ``Bus/process(until:while:)``, calls from the other side are answered.
package final class PendingAnswer {
    fileprivate var slot: OpaquePointer?
    /// Nil until there is one.
    package fileprivate(set) var result: Result<MessageReader, BusError>?
    fileprivate let operation: String

    fileprivate init(to operation: String) { self.operation = operation }

    deinit { sd_bus_slot_unref(slot) }
}

extension Bus {
    /// Calls a method; the answer comes while the bus is processed.
    ///
    /// - Parameters:
    ///   - patience: how long the answer may take.
    ///   - fill: writes the arguments.
    package func send(
        _ destination: String, _ path: String, _ interface: String, _ member: String,
        within patience: Duration = Bus.patience,
        _ fill: (MessageWriter) throws(BusError) -> Void = { _ in }
    ) throws(BusError) -> PendingAnswer {
        let message = try methodCall(destination, path, interface, member, fill)
        defer { sd_bus_message_unref(message) }
        let pending = PendingAnswer(to: member)
        let code = sd_bus_call_async(
            bus, &pending.slot, message,
            { message, context, _ in
                guard let message, let context else { return 0 }
                let pending = Unmanaged<PendingAnswer>.fromOpaque(context).takeUnretainedValue()
                let failure = sd_bus_message_get_error(message).flatMap {
                    Bus.error(pending.operation, $0.pointee)
                }
                pending.result =
                    failure.map { .failure($0) }
                    ?? .success(MessageReader(owning: sd_bus_message_ref(message)))
                return 0
            }, Unmanaged.passUnretained(pending).toOpaque(),
            UInt64(max(1, patience / .microseconds(1))))
        guard code >= 0 else { throw Self.error(member, code) }
        return pending
    }

    /// Handles messages for as long as `isWanted` is true.
    ///
    /// - Parameter deadline: returns then at the latest.
    /// - Throws: ``BusError`` when the bus is gone.
    package func process(
        until deadline: ContinuousClock.Instant, while isWanted: () -> Bool
    ) throws(BusError) {
        while true {
            try process()
            guard isWanted(), .now < deadline else { return }
            do {
                _ = try waitUntilReadable([descriptor], until: deadline)
            } catch {
                throw BusError(operation: "wait for the bus", name: "", reason: "\(error)")
            }
        }
    }

    /// Whether the connection is made, which takes some messages in both directions.
    package var isReady: Bool { sd_bus_is_ready(bus) > 0 }
}
