import CX11
import Desktop
import Glibc
import Testing

@testable import DesktopX11

/// Each change of the keyboard map makes every client read it again; a window manager needs some 30 ms for it.
@Suite("Changes of the keyboard map", .serialized, .timeLimit(.minutes(2)))
struct MapChangesTests {
    /// Many twice, and more than the layout us has spare keys, but not more than they take with and without Shift.
    static let few =
        "“Größe” kostet 12,50 € – Äpfel, Öl. ‘Voilà’, dit-elle — c’est l’été: œuvre, naïve, garçon… ¿Qué? Łódź, żółć."

    @Test(
        "a text whose foreign characters find room on the spare keys takes two",
        arguments: Sink.Kind.installed)
    func atMostTwo(kind: Sink.Kind) async throws {
        let display = try TestDisplay()
        let sink = try Sink(kind, on: display, title: "target")
        let typist = try Typist(display: display.name)
        let keys = try display.keys()
        let foreign = Set(Self.few.unicodeScalars).filter { keys.strokes[$0] == nil }
        try #require(
            foreign.count > keys.spareKeycodes.count && foreign.count <= 2 * keys.spareKeycodes.count)
        // The first use of the XTEST keyboard counts as a change, too: it becomes the one that clients ask for.
        #expect(try await typist.type("plain: ") == .typed(7))
        #expect(try sink.waitFor("plain: ") == "plain: ")

        let changes = try MapChanges(on: display.name)
        // The server reports one change several times: it makes it on the keyboard that all see, and on the
        // physical ones behind it.
        try changeOnce(#require(keys.spareKeycodes.first), on: display.name)
        let eventsOfOne = try changes.count()
        try #require(eventsOfOne > 0)
        let before = try display.keyboardMap()
        #expect(try await typist.type("more, ") == .typed(6))
        #expect(try changes.count() == 0, "what the layout has takes none")
        #expect(try await typist.type(Self.few) == .typed(Self.few.count))
        let events = try changes.count()
        #expect((1...2 * eventsOfOne).contains(events), "one for all of them, and one back")
        #expect(try display.keyboardMap() == before)
        // Text that was read from a terminal is gone from it.
        let all = (kind == .xterm ? "" : "plain: ") + "more, " + Self.few
        #expect(try sink.waitFor(all) == all)
    }

    /// Says of a key that gives nothing that it gives nothing, as xmodmap does.
    private func changeOnce(_ keycode: UInt8, on display: String) throws {
        let connection = try DisplayConnection(name: display)
        var nothing = KeySym(NoSymbol)
        XChangeKeyboardMapping(connection.display, Int32(keycode), 1, &nothing, 1)
        connection.sync()
    }
}

/// The changes of the keyboard map that a client without XKEYBOARD is notified of, as window managers and old
/// programs do: a core event or more for each change. (Xlib turns that extension on by itself, and then
/// reports a change only once.)
private final class MapChanges {
    struct Lost: Error {}

    private let connection: OpaquePointer

    /// Changes from now on count.
    init(on display: String) throws {
        connection = xcb_connect(display, nil)
        _ = try count()
    }

    deinit { xcb_disconnect(connection) }

    /// The changes since the last look.
    func count() throws -> Int {
        // Events from before the server's answer arrive before the answer.
        let reply = xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), nil)
        free(reply)
        guard reply != nil else { throw Lost() }
        var count = 0
        while let event = xcb_poll_for_event(connection) {
            // The highest bit says that another client has sent it.
            if event.pointee.response_type & 0x7f == UInt8(XCB_MAPPING_NOTIFY) { count += 1 }
            free(event)
        }
        return count
    }
}
