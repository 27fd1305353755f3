import CWayland

/// The seat, with the user's keyboard focus, and whether it had a keyboard all the time. For one thread.
///
/// An application asks for the keyboard of a seat when it hears that there is one, and gets none of the keys before. A seat with a
/// keyboard of the user's always has one. Elsewhere ours comes and goes with this program.
final class Seat {
    let pointer: OpaquePointer
    /// Whether it had no keyboard at some time, as of the last events that were handled.
    private(set) var lackedKeyboard = false

    private static let events = CListener(
        wl_seat_listener(
            capabilities: { data, _, capabilities in
                guard let data, capabilities & WL_SEAT_CAPABILITY_KEYBOARD.rawValue == 0 else { return }
                Unmanaged<Seat>.fromOpaque(data).takeUnretainedValue().lackedKeyboard = true
            },
            name: { _, _, _ in }))

    /// Gets events of its keyboard from then on.
    ///
    /// - Throws: ``WaylandError/missing(protocol:)``
    init(_ connection: WaylandConnection) throws {
        pointer = try connection.seat()
        wl_seat_add_listener(pointer, Self.events.pointer, Unmanaged.passUnretained(self).toOpaque())
    }
}
