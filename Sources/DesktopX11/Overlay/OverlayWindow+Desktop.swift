import CX11
import Desktop

/// The desktop around the overlay: where the focused window is, and on what. The server reports changes only while
/// something is shown, as every change wakes this process.
extension OverlayWindow {
    /// The server's answers, kept until it reports a change.
    struct Surroundings {
        var isFollowed = false
        /// The focused window, and its frames, up to the one on the root window.
        var focused: [xcb_window_t] = []
        var monitors: [ScreenArea]?
        var dots: Dots?
    }

    /// Dots per inch, if the desktop defines them.
    struct Dots {
        var dpi: Double?
    }

    // MARK: - Following

    /// From here until ``unfollow()`` the server reports where the focus goes, and where the focused window
    /// moves.
    ///
    /// Call it before reading anything, so that no change is missed in between.
    func follow() {
        if !surroundings.isFollowed {
            // The root window's own "configure" reports monitors, also of those that RandR's events leave out.
            select(
                XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue | XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue,
                of: screen.root)
            surroundings.isFollowed = true
        }
        followFocused()
    }

    func unfollow() {
        guard surroundings.isFollowed else { return }
        for window in [screen.root] + surroundings.focused {
            select(XCB_EVENT_MASK_NO_EVENT.rawValue, of: window)
        }
        surroundings = Surroundings()
    }

    /// Window managers move the frame, and most then tell the window in it its new place; the frames are
    /// followed because some do not.
    private func followFocused() {
        var chain: [xcb_window_t] = []
        var next = activeWindow()
        while let window = next, window != screen.root, window != 0 {
            if !surroundings.focused.contains(window) {
                select(XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue, of: window)
            }
            chain.append(window)
            let tree = xcb_query_tree_reply(connection, xcb_query_tree(connection, window), nil)
            next = tree?.pointee.parent
            free(tree)
        }
        for window in surroundings.focused where !chain.contains(window) {
            select(XCB_EVENT_MASK_NO_EVENT.rawValue, of: window)
        }
        surroundings.focused = chain
    }

    private func select(_ mask: UInt32, of window: xcb_window_t) {
        xcb_change_window_attributes(connection, window, XCB_CW_EVENT_MASK.rawValue, [mask])
    }

    /// The change that an event reports; nil for none. Answers that it makes outdated are forgotten.
    func change(by event: UnsafePointer<xcb_generic_event_t>) -> Change? {
        let event = UnsafeRawPointer(event)
        switch Int32(cx11_event_type(event.assumingMemoryBound(to: xcb_generic_event_t.self))) {
        case XCB_PROPERTY_NOTIFY:
            let atom = event.load(as: xcb_property_notify_event_t.self).atom
            if atom == self.atom("_NET_ACTIVE_WINDOW") { return .focusMoved }
            guard atom == XCB_ATOM_RESOURCE_MANAGER.rawValue else { return nil }
            surroundings.dots = nil
            return .screenChanged
        case XCB_CONFIGURE_NOTIFY:
            let window = event.load(as: xcb_configure_notify_event_t.self).event
            if surroundings.focused.contains(window) { return .focusedWindowMoved }
            guard window == screen.root else { return nil }
            surroundings.monitors = nil
            return .screenChanged
        case XCB_REPARENT_NOTIFY:
            let window = event.load(as: xcb_reparent_notify_event_t.self).event
            return surroundings.focused.contains(window) ? .focusMoved : nil
        default: return nil
        }
    }

    // MARK: - Looking

    /// The monitors, as the desktop shows them; at least the whole screen.
    func monitors() -> [ScreenArea] {
        if let known = surroundings.monitors { return known }
        let areas = askMonitors()
        surroundings.monitors = areas
        return areas
    }

    private func askMonitors() -> [ScreenArea] {
        let whole = ScreenArea(
            x: 0, y: 0, width: Int(screen.width_in_pixels), height: Int(screen.height_in_pixels))
        let reply = xcb_randr_get_monitors_reply(
            connection, xcb_randr_get_monitors(connection, screen.root, 1), nil)
        guard let reply else { return [whole] }
        defer { free(reply) }
        var areas: [ScreenArea] = []
        var monitors = xcb_randr_get_monitors_monitors_iterator(reply)
        while monitors.rem > 0, let monitor = monitors.data?.pointee {
            areas.append(
                ScreenArea(
                    x: Int(monitor.x), y: Int(monitor.y), width: Int(monitor.width),
                    height: Int(monitor.height)))
            xcb_randr_monitor_info_next(&monitors)
        }
        return areas.isEmpty ? [whole] : areas
    }

    /// Where the focused window is; nil if none is.
    func focusedArea() -> ScreenArea? {
        guard let window = surroundings.focused.first else { return nil }
        let placeAsked = xcb_translate_coordinates(connection, window, screen.root, 0, 0)
        let sizeAsked = xcb_get_geometry(connection, window)
        let place = xcb_translate_coordinates_reply(connection, placeAsked, nil)
        let size = xcb_get_geometry_reply(connection, sizeAsked, nil)
        defer {
            free(place)
            free(size)
        }
        guard let place = place?.pointee, let size = size?.pointee else { return nil }
        return ScreenArea(
            x: Int(place.dst_x), y: Int(place.dst_y), width: Int(size.width), height: Int(size.height))
    }

    /// The desktop's own dots per inch (`Xft.dpi` of the resources); nil if it has none.
    func dpi() -> Double? {
        if let known = surroundings.dots { return known.dpi }
        let resources = String(
            decoding: property(XCB_ATOM_RESOURCE_MANAGER.rawValue, of: screen.root), as: UTF8.self)
        let line = resources.split(separator: "\n").first { $0.hasPrefix("Xft.dpi:") }
        let value = line?.split(separator: ":").last
        let dots = Dots(dpi: value.flatMap { Double($0.filter { !$0.isWhitespace }) })
        surroundings.dots = dots
        return dots.dpi
    }

    private func activeWindow() -> xcb_window_t? {
        let active = property(atom("_NET_ACTIVE_WINDOW"), of: screen.root)
        guard active.count >= 4 else { return nil }
        return active.withUnsafeBytes { $0.loadUnaligned(as: xcb_window_t.self) }
    }

    private func property(_ name: xcb_atom_t, of window: xcb_window_t) -> [UInt8] {
        // At most 64 kB, in units of four bytes.
        let cookie = xcb_get_property(connection, 0, window, name, XCB_ATOM_ANY.rawValue, 0, 16_384)
        guard let reply = xcb_get_property_reply(connection, cookie, nil) else { return [] }
        defer { free(reply) }
        let length = Int(xcb_get_property_value_length(reply))
        guard length > 0, let value = xcb_get_property_value(reply) else { return [] }
        return Array(UnsafeRawBufferPointer(start: value, count: length))
    }
}
