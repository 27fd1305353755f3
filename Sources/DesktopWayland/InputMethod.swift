import CWayland
import Glibc

/// The input method of the seat (input-method-v2): gives text to the text field that has the focus. For one thread.
///
/// A seat has one input method. So it is taken for one text and released: one that starts later, fcitx for
/// example, would find the seat taken for good, and the protocol does not report its request. The keyboard is
/// not grabbed: the user's keys go on to the application.
final class InputMethod {
    static let interface = "zwp_input_method_manager_v2"

    struct State: Equatable {
        /// A text field has the focus.
        var isActive = false
        /// Nil if it shows nothing.
        var surrounding: SurroundingText?
        /// Whether our input caused the last change, according to the field.
        var isOurChange = true
    }

    private let manager: OpaquePointer
    private let seat: OpaquePointer
    private var method: OpaquePointer?
    /// The compositor counts them too: each commit names the state that it was made for.
    private var doneCount: UInt32 = 0
    private var pending = State()
    /// As of the last events that were handled.
    private(set) var state = State()
    /// Another input method has the seat.
    private(set) var isTaken = false

    private static let events = CListener(
        zwp_input_method_v2_listener(
            activate: { data, _ in of(data)?.pending = State(isActive: true) },
            deactivate: { data, _ in of(data)?.pending.isActive = false },
            surrounding_text: { data, _, text, cursor, anchor in
                guard let text else { return }
                of(data)?.pending.surrounding = SurroundingText(
                    text: UnsafeRawBufferPointer(start: text, count: strlen(text)), cursor: Int(cursor),
                    anchor: Int(anchor))
            },
            // 0 is the input method, in text-input-v3.
            text_change_cause: { data, _, cause in of(data)?.pending.isOurChange = cause == 0 },
            content_type: { _, _, _, _ in },
            done: { data, _ in of(data)?.apply() },
            unavailable: { data, _ in of(data)?.isTaken = true }))

    private static func of(_ data: UnsafeMutableRawPointer?) -> InputMethod? {
        data.map { Unmanaged<InputMethod>.fromOpaque($0).takeUnretainedValue() }
    }

    /// - Throws: ``WaylandError``
    init(_ connection: WaylandConnection, seat: OpaquePointer) throws {
        manager = try connection.bind(Self.interface, cwayland_bind_input_methods)
        self.seat = seat
    }

    /// Whether the seat was requested, and is not released.
    var isHeld: Bool { method != nil }

    /// Asks for the seat. ``isTaken`` and ``state`` follow.
    func take() {
        guard method == nil else { return }
        (doneCount, pending, state, isTaken) = (0, State(), State(), false)
        method = zwp_input_method_manager_v2_get_input_method(manager, seat)
        zwp_input_method_v2_add_listener(
            method, Self.events.pointer, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Gives the seat back.
    func release() {
        if let method { zwp_input_method_v2_destroy(method) }
        method = nil
        state = State()
    }

    /// Gives a text to the field, in place of its selection.
    ///
    /// - Parameter text: at most 4,000 bytes.
    func commit(_ text: String) {
        guard let method else { return }
        zwp_input_method_v2_commit_string(method, text)
        zwp_input_method_v2_commit(method, doneCount)
    }

    private func apply() {
        doneCount &+= 1
        state = pending
        pending.surrounding = nil
        pending.isOurChange = true
    }
}
