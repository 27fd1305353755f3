import CX11
import Glibc

/// Presses a key and releases it in one message to the server: nothing can come between the two. A key that stays down for
/// 300 ms is a held one to a listener, and a program that sends them one after the other may be kept waiting for that long
/// by a busy machine.
struct KeyTap {
    private let connection: OpaquePointer

    /// The reason why a key could not be tapped.
    enum Problem: Error, CustomStringConvertible {
        case noDisplay(String)
        case noSuchKey(String)

        var description: String {
            switch self {
            case .noDisplay(let name): "The display \(name) does not answer, or has no XTEST."
            case .noSuchKey(let name): "No key gives \(name), with or without Shift."
            }
        }
    }

    /// - Parameters:
    ///   - key: the X name of a keysym, such as `F9` or `exclam`.
    ///   - display: such as ":99".
    ///   - milliseconds: how long it is held at least; the server waits between the two.
    /// - Throws: ``Problem``
    static func tap(_ key: String, on display: String, holdingFor milliseconds: UInt32 = 0) throws {
        let connection = xcb_connect(display, nil)
        defer { xcb_disconnect(connection) }
        guard let connection, xcb_connection_has_error(connection) == 0 else {
            throw Problem.noDisplay(display)
        }
        let tap = KeyTap(connection: connection)
        guard let test = tap.testExtension(), let keys = tap.keys(for: key) else {
            throw xcb_connection_has_error(connection) == 0
                ? Problem.noSuchKey(key) : Problem.noDisplay(display)
        }
        for code in keys { tap.send(code, type: UInt8(XCB_KEY_PRESS), by: test) }
        for (index, code) in keys.reversed().enumerated() {
            let delay = index == 0 ? milliseconds : 0
            tap.send(code, type: UInt8(XCB_KEY_RELEASE), by: test, after: delay)
        }
        // Answered once all of it was carried out.
        let reply = xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), nil)
        defer { free(reply) }
        if reply == nil { throw Problem.noDisplay(display) }
    }

    /// The opcode of XTEST's requests.
    private func testExtension() -> UInt8? {
        let name = "XTEST"
        let question = xcb_query_extension(connection, UInt16(name.utf8.count), name)
        let reply = xcb_query_extension_reply(connection, question, nil)
        defer { free(reply) }
        return reply.flatMap { $0.pointee.present != 0 ? $0.pointee.major_opcode : nil }
    }

    /// The keycodes that give a keysym together, Shift first.
    private func keys(for name: String) -> [UInt8]? {
        guard let setup = xcb_get_setup(connection)?.pointee else { return nil }
        let count = setup.max_keycode - setup.min_keycode + 1
        let question = xcb_get_keyboard_mapping(connection, setup.min_keycode, count)
        guard let reply = xcb_get_keyboard_mapping_reply(connection, question, nil) else { return nil }
        defer { free(reply) }
        let width = Int(reply.pointee.keysyms_per_keycode)
        let keysyms = UnsafeBufferPointer(
            start: xcb_get_keyboard_mapping_keysyms(reply), count: width * Int(count))
        /// - Parameter level: 0 for the key alone, 1 with Shift.
        func keycode(of keysym: KeySym, level: Int) -> UInt8? {
            (0..<Int(count)).first { level < width && KeySym(keysyms[$0 * width + level]) == keysym }
                .map { UInt8($0) + setup.min_keycode }
        }
        let keysym = XStringToKeysym(name)
        if let code = keycode(of: keysym, level: 0) { return [code] }
        guard let code = keycode(of: keysym, level: 1),
            let shift = keycode(of: KeySym(XK_Shift_L), level: 0)
        else { return nil }
        return [shift, code]
    }

    /// XTestFakeInput in the protocol's layout: a header of four bytes, and an event of 32, whose other bytes
    /// are zero.
    private func send(_ code: UInt8, type: UInt8, by opcode: UInt8, after milliseconds: UInt32 = 0) {
        var request = [UInt8](repeating: 0, count: 36)
        (request[0], request[1], request[4], request[5]) = (opcode, 2, type, code)
        withUnsafeBytes(of: milliseconds) { request.replaceSubrange(8..<12, with: $0) }
        _ = cx11_send_request(connection, &request, request.count, 0)
    }
}
