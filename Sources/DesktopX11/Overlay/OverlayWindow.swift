import CX11
import Desktop
import Glibc

/// Why there is no overlay.
public enum OverlayError: Error, Equatable, Sendable, CustomStringConvertible {
    case noDisplay
    /// Its screen has another depth than the 24 bits of true color.
    case unsuitableScreen(depth: Int)
    case missingExtension(String)

    public var description: String {
        switch self {
        case .noDisplay: "no X server answers; nothing is shown on the screen"
        case .unsuitableScreen(let depth):
            "the screen has \(depth) bits a pixel and not 24; nothing is shown on it"
        case .missingExtension(let name): "the X server lacks \(name); nothing is shown on the screen"
        }
    }
}

/// The overlay of an X server, also above native windows of a Wayland session, if it is XWayland's.
public struct X11Overlay: OverlayDisplay {
    private let display: String?
    private let isRounded: Bool

    /// - Parameters:
    ///   - display: such as ":0"; nil takes `DISPLAY`.
    ///   - isRounded: false for XWayland, where what a shape cuts off is black.
    public init(display: String? = nil, isRounded: Bool = true) {
        (self.display, self.isRounded) = (display, isRounded)
    }

    /// - Throws: ``OverlayError``
    public func connect() throws -> any OverlaySurface {
        try OverlayWindow(display: display, isRounded: isRounded)
    }
}

/// A window without a window manager. Its corners are cut by its shape, so they need no compositor.
///
/// Over XCB: a separate connection, which shares no locks with the ones of Xlib in this process.
final class OverlayWindow: OverlaySurface {
    /// A change around it.
    enum Change: Equatable {
        /// Another window has the focus, or the focused one hangs in another frame.
        case focusMoved
        case focusedWindowMoved
        /// The monitors, or the desktop's dots per inch.
        case screenChanged
    }

    let connection: OpaquePointer
    let screen: xcb_screen_t
    private let window: xcb_window_t
    private let graphics: xcb_gcontext_t
    private var atoms: [String: xcb_atom_t] = [:]
    private let isRounded: Bool
    private var place: OverlayPlace?
    private var area = ScreenArea(x: 0, y: 0, width: 0, height: 0)
    private(set) var sheet: OverlaySheet?
    /// The server takes pictures at any time.
    let isReady = true
    /// The state of ``OverlayWindow/follow()`` and its like.
    var surroundings = Surroundings()

    /// - Throws: ``OverlayError``
    init(display: String?, isRounded: Bool) throws(OverlayError) {
        var number: Int32 = 0
        guard let connection = xcb_connect(display, &number) else { throw .noDisplay }
        do {
            screen = try Self.screen(number, connection)
            try Self.checkExtensions(connection)
        } catch {
            xcb_disconnect(connection)
            throw error
        }
        self.connection = connection
        self.isRounded = isRounded
        window = xcb_generate_id(connection)
        graphics = xcb_generate_id(connection)
        // In the order of their bits: no focus, no manager, and expose events.
        let values = [
            screen.black_pixel, 1, XCB_EVENT_MASK_EXPOSURE.rawValue | XCB_EVENT_MASK_BUTTON_PRESS.rawValue,
        ]
        let mask = XCB_CW_BACK_PIXEL.rawValue | XCB_CW_OVERRIDE_REDIRECT.rawValue | XCB_CW_EVENT_MASK.rawValue
        xcb_create_window(
            connection, UInt8(XCB_COPY_FROM_PARENT), window, screen.root, 0, 0, 1, 1, 0,
            UInt16(XCB_WINDOW_CLASS_INPUT_OUTPUT.rawValue), screen.root_visual, mask, values)
        xcb_create_gc(connection, graphics, window, 0, nil)
        introduce()
    }

    deinit { xcb_disconnect(connection) }

    var descriptor: Int32 { xcb_get_file_descriptor(connection) }

    /// The display went away; all that is asked of it does nothing.
    var isLost: Bool { xcb_connection_has_error(connection) != 0 }

    private static func screen(
        _ number: Int32, _ connection: OpaquePointer
    ) throws(OverlayError) -> xcb_screen_t {
        guard xcb_connection_has_error(connection) == 0, let setup = xcb_get_setup(connection) else {
            throw .noDisplay
        }
        var screens = xcb_setup_roots_iterator(setup)
        for _ in 0..<max(0, number) { xcb_screen_next(&screens) }
        guard let screen = screens.data?.pointee else { throw .noDisplay }
        var formats = xcb_setup_pixmap_formats_iterator(setup)
        var bits: UInt8 = 0
        while let format = formats.data?.pointee, formats.rem > 0 {
            if format.depth == screen.root_depth { bits = format.bits_per_pixel }
            xcb_format_next(&formats)
        }
        // No machine in use has another byte order.
        guard screen.root_depth == 24, bits == 32,
            setup.pointee.image_byte_order == XCB_IMAGE_ORDER_LSB_FIRST.rawValue
        else { throw .unsuitableScreen(depth: Int(screen.root_depth)) }
        return screen
    }

    private static func checkExtensions(_ connection: OpaquePointer) throws(OverlayError) {
        // Both have to be asked for their version before they are used.
        let fixes = xcb_xfixes_query_version_reply(
            connection, xcb_xfixes_query_version(connection, 5, 0), nil)
        let randr = xcb_randr_query_version_reply(connection, xcb_randr_query_version(connection, 1, 5), nil)
        defer {
            free(fixes)
            free(randr)
        }
        guard let fixes, fixes.pointee.major_version >= 2 else { throw .missingExtension("XFIXES") }
        guard let randr, (randr.pointee.major_version, randr.pointee.minor_version) >= (1, 5) else {
            throw .missingExtension("RANDR 1.5")
        }
    }

    /// Properties for window managers, compositors and screen readers.
    private func introduce() {
        describe("hidden", takesClicks: false)
        set("WM_CLASS", type: "STRING", text: "voicedictation\0VoiceDictation\0")
        set("_NET_WM_WINDOW_TYPE", atoms: ["_NET_WM_WINDOW_TYPE_NOTIFICATION"])
        set(
            "_NET_WM_STATE",
            atoms: ["_NET_WM_STATE_ABOVE", "_NET_WM_STATE_SKIP_TASKBAR", "_NET_WM_STATE_SKIP_PAGER"])
    }

    // MARK: - Showing

    func show(_ place: OverlayPlace) {
        self.place = place
        follow()
        arrange(isRaised: true)
    }

    /// Puts the window on the monitor of the focused window, by the desktop's scale.
    ///
    /// - Parameter isRaised: above all others again, also if it stays in its place.
    /// - Returns: whether nothing of the picture is in it any more.
    @discardableResult
    private func arrange(isRaised: Bool) -> Bool {
        guard let place, let monitor = OverlayPlace.monitor(of: focusedArea(), among: monitors()) else {
            return false
        }
        let scale = place.scale(dpi: dpi())
        let area = place.area(on: monitor, scale: scale)
        let new = OverlaySheet(width: area.width, height: area.height, scale: scale)
        let (hasMoved, isNew, isMapped) = (area != self.area, new != sheet, sheet != nil)
        (self.area, sheet) = (area, new)
        if isRaised || hasMoved || isNew {
            move(to: area, cornerRadius: OverlayPlace.pixels(OverlayPlace.cornerRadius, scale: scale))
        }
        if !isMapped { xcb_map_window(connection, window) }
        xcb_flush(connection)
        return isNew
    }

    /// Puts the window there, above the others.
    private func move(to area: ScreenArea, cornerRadius: Int) {
        let values = [
            UInt32(bitPattern: Int32(area.x)), UInt32(bitPattern: Int32(area.y)), UInt32(max(1, area.width)),
            UInt32(max(1, area.height)), XCB_STACK_MODE_ABOVE.rawValue,
        ]
        let mask =
            XCB_CONFIG_WINDOW_X.rawValue | XCB_CONFIG_WINDOW_Y.rawValue | XCB_CONFIG_WINDOW_WIDTH.rawValue
            | XCB_CONFIG_WINDOW_HEIGHT.rawValue | XCB_CONFIG_WINDOW_STACK_MODE.rawValue
        xcb_configure_window(connection, window, UInt16(mask), values)
        if isRounded { round(width: area.width, height: area.height, radius: cornerRadius) }
    }

    /// As the window's name.
    func describe(_ scene: String, takesClicks: Bool) {
        takeClicks(takesClicks)
        for (name, type) in [("_NET_WM_NAME", "UTF8_STRING"), ("WM_NAME", "STRING")] {
            set(name, type: type, text: "VoiceDictation: \(scene)")
        }
        xcb_flush(connection)
    }

    func hide() {
        guard sheet != nil else { return }
        (place, sheet) = (nil, nil)
        unfollow()
        describe("hidden", takesClicks: false)
        xcb_unmap_window(connection, window)
        xcb_flush(connection)
    }

    func draw(_ picture: OverlayPicture) {
        // In units of four bytes, with the request's own head.
        let largest = Int(xcb_get_maximum_request_length(connection)) * 4 - 64
        let chunk = max(1, largest / picture.stride)
        for line in stride(from: 0, to: picture.height, by: chunk) {
            let count = min(chunk, picture.height - line)
            xcb_put_image(
                connection, UInt8(XCB_IMAGE_FORMAT_Z_PIXMAP.rawValue), window, graphics,
                UInt16(picture.stride / 4), UInt16(count), Int16(picture.x), Int16(picture.y + line), 0, 24,
                UInt32(picture.stride * count), picture.bytes + picture.stride * line)
        }
    }

    /// By the server itself: no picture is sent.
    func fill(_ areas: [ScreenArea], with color: UInt32) {
        let areas = areas.filter { $0.width > 0 && $0.height > 0 }.map {
            xcb_rectangle_t(
                x: Int16($0.x), y: Int16($0.y), width: UInt16($0.width), height: UInt16($0.height))
        }
        xcb_change_gc(connection, graphics, XCB_GC_FOREGROUND.rawValue, [color])
        xcb_poly_fill_rectangle(connection, window, graphics, UInt32(areas.count), areas)
    }

    func flush() { xcb_flush(connection) }

    /// Whether the window gets clicks; otherwise they go to what is below.
    private func takeClicks(_ takes: Bool) {
        let input = xcb_shape_kind_t(XCB_SHAPE_SK_INPUT.rawValue)
        if takes {
            // Without a shape the whole window gets them.
            xcb_xfixes_set_window_shape_region(
                connection, window, input, 0, 0, XCB_XFIXES_REGION_NONE.rawValue)
        } else {
            let region = xcb_generate_id(connection)
            xcb_xfixes_create_region(connection, region, 0, nil)
            xcb_xfixes_set_window_shape_region(connection, window, input, 0, 0, region)
            xcb_xfixes_destroy_region(connection, region)
        }
    }

    private func round(width: Int, height: Int, radius: Int) {
        let radius = min(radius, height / 2, width / 2)
        var parts = [
            xcb_rectangle_t(x: 0, y: Int16(radius), width: UInt16(width), height: UInt16(height - 2 * radius))
        ]
        for line in 0..<radius {
            let down = Double(radius - line) - 0.5
            let inset = radius - Int((Double(radius * radius) - down * down).squareRoot().rounded())
            for y in [line, height - 1 - line] {
                parts.append(
                    xcb_rectangle_t(x: Int16(inset), y: Int16(y), width: UInt16(width - 2 * inset), height: 1)
                )
            }
        }
        xcb_shape_rectangles(
            connection, xcb_shape_op_t(XCB_SHAPE_SO_SET.rawValue),
            xcb_shape_kind_t(XCB_SHAPE_SK_BOUNDING.rawValue),
            UInt8(XCB_CLIP_ORDERING_UNSORTED.rawValue), window, 0, 0, UInt32(parts.count), parts)
    }

    // MARK: - Events

    func takeEvents() -> [OverlayEvent] {
        var events: [OverlayEvent] = []
        var changes: [Change]
        repeat {
            changes = []
            while let event = xcb_poll_for_event(connection) {
                defer { free(event) }
                switch Int32(cx11_event_type(event)) {
                case XCB_EXPOSE: events.append(.emptied)
                case XCB_BUTTON_PRESS: events.append(.clicked)
                default: if let change = change(by: event) { changes.append(change) }
                }
            }
            if sheet != nil, adapt(to: changes) { events.append(.emptied) }
            // Events that came along with the answers to that are not in the socket any more.
        } while !changes.isEmpty
        return events
    }

    /// Follows the focused window.
    ///
    /// - Returns: whether nothing of the picture is in it any more.
    private func adapt(to changes: [Change]) -> Bool {
        if changes.contains(.focusMoved) {
            follow()
            return arrange(isRaised: true)
        }
        // If it only moves on its monitor, as with the pointer, the server is only asked for its place.
        return !changes.isEmpty && arrange(isRaised: false)
    }

    // MARK: - Properties

    private func set(_ name: String, type: String, text: String) {
        let bytes = Array(text.utf8)
        xcb_change_property(
            connection, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window, atom(name), atom(type), 8,
            UInt32(bytes.count), bytes)
    }

    private func set(_ name: String, atoms names: [String]) {
        let values = names.map(atom)
        xcb_change_property(
            connection, UInt8(XCB_PROP_MODE_REPLACE.rawValue), window, atom(name), atom("ATOM"), 32,
            UInt32(values.count), values)
    }

    func atom(_ name: String) -> xcb_atom_t {
        if let atom = atoms[name] { return atom }
        let cookie = xcb_intern_atom(connection, 0, UInt16(name.utf8.count), name)
        guard let reply = xcb_intern_atom_reply(connection, cookie, nil) else { return 0 }
        defer { free(reply) }
        atoms[name] = reply.pointee.atom
        return reply.pointee.atom
    }
}
