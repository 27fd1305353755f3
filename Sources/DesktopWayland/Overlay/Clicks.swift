import CWayland

/// Is notified of clicks into this connection's surfaces. For one thread.
final class Clicks {
    private static let pointerBit = WL_SEAT_CAPABILITY_POINTER.rawValue
    private static let seatEvents = CListener(
        {
            var events = wl_seat_listener()
            events.capabilities = { data, _, capabilities in
                guard let data else { return }
                Unmanaged<Clicks>.fromOpaque(data).takeUnretainedValue()
                    .setPointer(capabilities & Clicks.pointerBit != 0)
            }
            return events
        }())
    private static let pointerEvents = CListener(
        {
            var events = wl_pointer_listener()
            events.enter = { _, _, _, _, _, _ in }
            events.leave = { _, _, _, _ in }
            events.motion = { _, _, _, _, _ in }
            events.button = { data, _, _, _, _, state in
                guard let data, state == WL_POINTER_BUTTON_STATE_PRESSED.rawValue else { return }
                Unmanaged<Clicks>.fromOpaque(data).takeUnretainedValue().count += 1
            }
            events.axis = { _, _, _, _, _ in }
            return events
        }())

    private let seat: OpaquePointer
    private var pointer: OpaquePointer?
    /// How many there were.
    private(set) var count = 0

    /// - Throws: ``WaylandError``
    init(_ connection: WaylandConnection) throws {
        // Its first version has all that a click is.
        seat = try connection.bind("wl_seat", newest: 1, cwayland_bind_seat)
        wl_seat_add_listener(seat, Self.seatEvents.pointer, Unmanaged.passUnretained(self).toOpaque())
    }

    private func setPointer(_ isThere: Bool) {
        guard isThere != (pointer != nil) else { return }
        if let pointer { wl_pointer_destroy(pointer) }
        pointer = isThere ? wl_seat_get_pointer(seat) : nil
        if let pointer {
            wl_pointer_add_listener(
                pointer, Self.pointerEvents.pointer, Unmanaged.passUnretained(self).toOpaque())
        }
    }
}
