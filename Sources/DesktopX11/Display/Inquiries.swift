import CX11
import Glibc

/// A question to the server whose answer can be fetched later.
enum Question: Hashable {
    case focus
    case parent(of: Window)
    case property(Atom, of: Window, limit: UInt32)
    /// - extension: the major opcode of XKEYBOARD.
    case keyboardState(extension: UInt8)
    /// - extension: the major opcode of XKEYBOARD.
    case keyboardControls(Int32, extension: UInt8)
    case pressedKeys
    /// Whether another client has grabbed the keyboard. We ask by a grab for an invisible window, which the server always
    /// refuses, and with this reason before all others. Neither the focused window nor the grab's owner notices.
    case keyboardGrab(on: Window)
    /// - extension: the major opcode of XInput.
    case deviceKeys(Int32, extension: UInt8)
    /// Which process each client is.
    /// - extension: the major opcode of X-Resource.
    case clientProcesses(extension: UInt8)
    /// Not only a question: the device is grabbed as well.
    case deviceGrab(Int32, on: Window, extension: UInt8)
}

/// Asks the server, and remembers what was asked ahead.
///
/// Each answer takes two context switches, some 40 µs, and more on a busy machine. Ten questions that are sent together take
/// little longer than one, and those that are sent while we do something else take no time. So ``ahead(_:)`` sends the
/// questions that will be asked soon, and ``answer(_:_:)`` finds the answers there. A caller need not know about it: a
/// question that was not sent ahead is sent when its answer is needed.
///
/// An answer is from the moment at which the question was sent, and each is given once.
final class Inquiries {
    private let connection: OpaquePointer
    /// The numbers of the requests.
    private var sent: [Question: UInt32] = [:]

    /// - Parameter display: the requests go the same way as those by Xlib, in order with them.
    init(_ display: OpaquePointer) { connection = XGetXCBConnection(display) }

    /// Sends questions whose answers are needed soon. Older answers to the same questions are dropped.
    func ahead(_ questions: [Question]) {
        for question in questions {
            if let old = sent.updateValue(send(question), forKey: question) {
                xcb_discard_reply(connection, old)
            }
        }
        xcb_flush(connection)
    }

    /// In order with the questions; see ``DisplayConnection/grabServer()``.
    func grabServer() { xcb_grab_server(connection) }

    /// Sends a request of an extension that has no answer, in order with the questions and with Xlib's
    /// requests.
    ///
    /// - Parameter request: in the protocol's layout; the length in it is filled in here.
    func tell(_ request: [UInt8]) {
        var request = request
        _ = cx11_send_request(connection, &request, request.count, 0)
    }

    // These have no answer either. They are not Xlib's, so that they go out in one piece with the questions.

    /// Selects the events of a window that we get.
    func select(_ events: Int, of window: Window) {
        var mask = UInt32(truncatingIfNeeded: events)
        _ = xcb_change_window_attributes(
            connection, UInt32(truncatingIfNeeded: window), XCB_CW_EVENT_MASK.rawValue, &mask)
    }

    /// - Parameter words: of 8, 16 or 32 bits, as the property's format is.
    func setProperty<Word: FixedWidthInteger>(
        _ property: Atom, of window: Window, type: Atom, words: [Word], mode: Int32 = PropModeReplace
    ) {
        _ = xcb_change_property(
            connection, UInt8(mode), UInt32(truncatingIfNeeded: window), UInt32(truncatingIfNeeded: property),
            UInt32(truncatingIfNeeded: type), UInt8(Word.bitWidth),
            UInt32(words.count), words)
    }

    func deleteProperty(_ property: Atom, of window: Window) {
        _ = xcb_delete_property(
            connection, UInt32(truncatingIfNeeded: window), UInt32(truncatingIfNeeded: property))
    }

    /// Drops answers that were not fetched: they would be outdated later.
    func forget() {
        for number in sent.values { xcb_discard_reply(connection, number) }
        sent = [:]
    }

    /// - Parameter read: gets the reply in the protocol's layout.
    /// - Returns: nil if the server has answered with an error, for a window that is gone for instance; or not at
    ///   all, because the connection is lost.
    func answer<Value>(_ question: Question, _ read: (UnsafeRawPointer) -> Value) -> Value? {
        let number = sent.removeValue(forKey: question) ?? send(question)
        var error: UnsafeMutablePointer<xcb_generic_error_t>?
        let reply = xcb_wait_for_reply(connection, number, &error)
        defer {
            free(reply)
            free(error)
        }
        return reply.map { read($0) }
    }

    /// How many bytes there are to be read.
    static func size(ofReply reply: UnsafeRawPointer) -> Int {
        // xGenericReply: 32 bytes, plus its length in units of four.
        32 + 4 * Int(reply.load(fromByteOffset: 4, as: UInt32.self))
    }

    var isLost: Bool { xcb_connection_has_error(connection) != 0 }

    // MARK: The requests

    private func send(_ question: Question) -> UInt32 {
        switch question {
        case .focus: return xcb_get_input_focus(connection).sequence
        case .parent(let window):
            return xcb_query_tree(connection, UInt32(truncatingIfNeeded: window)).sequence
        case .property(let atom, let window, let limit):
            return xcb_get_property(
                connection, 0, UInt32(truncatingIfNeeded: window), UInt32(truncatingIfNeeded: atom), 0, 0,
                limit
            ).sequence
        case .keyboardGrab(let window):
            let mode = UInt8(GrabModeAsync)
            return xcb_grab_keyboard(
                connection, 0, UInt32(truncatingIfNeeded: window), UInt32(CurrentTime), mode, mode
            ).sequence
        case .keyboardState(let opcode):
            // xkbGetState: the core keyboard, two bytes of padding.
            return send([opcode, 4, 0, 0] + Self.bytes(UInt16(XkbUseCoreKbd)) + [0, 0])
        case .keyboardControls(let device, let opcode):
            // xkbGetControls: the same.
            return send([opcode, 6, 0, 0] + Self.bytes(UInt16(truncatingIfNeeded: device)) + [0, 0])
        case .pressedKeys: return xcb_query_keymap(connection).sequence
        case .clientProcesses(let opcode):
            // QueryClientIds: one wish, of all clients, for the process on this machine.
            return send([opcode, 4, 0, 0] + [1, 0, 2].flatMap { Self.bytes(UInt32($0)) })
        case .deviceKeys(let device, let opcode):
            // QueryDeviceState.
            return send([opcode, 30, 0, 0, UInt8(truncatingIfNeeded: device), 0, 0, 0])
        case .deviceGrab(let device, let window, let opcode):
            var mask = DisplayConnection.eventBits([XI_KeyPress, XI_KeyRelease])
            mask += [UInt8](repeating: 0, count: -mask.count & 3)
            let mode = UInt8(XIGrabModeAsync)
            // XIGrabDevice: window, time and cursor; device, modes, no owner's events; the mask in units of four bytes.
            return send(
                [opcode, 51, 0, 0] + Self.bytes(UInt32(truncatingIfNeeded: window))
                    + Self.bytes(UInt32(CurrentTime))
                    + Self.bytes(UInt32(0))
                    + Self.bytes(UInt16(truncatingIfNeeded: device)) + [mode, mode, 0, 0]
                    + Self.bytes(UInt16(mask.count / 4)) + mask)
        }
    }

    private func send(_ request: [UInt8]) -> UInt32 {
        var request = request
        return cx11_send_request(connection, &request, request.count, 1)
    }

    /// In the order of this machine, which is that of the connection.
    static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number) { Array($0) }
    }
}
