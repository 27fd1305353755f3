import CWayland
import Desktop

/// One surface of the layer shell: above all windows, without the keyboard, and without a place that windows would have to
/// leave free. The compositor says how large it is, and may close it, as when its screen is unplugged. For one thread.
final class LayerSurface {
    private let surface: OpaquePointer
    private let layer: OpaquePointer
    private let wanted: (width: Int, height: Int)
    /// In units; nil until the compositor has said that it can be drawn.
    private(set) var size: (width: Int, height: Int)?
    private(set) var isClosed = false
    /// The screen that it is on; nil while the compositor has not said that.
    private(set) var output: OpaquePointer?
    /// Asked for with each picture: until it comes, the picture is not on the screen.
    private var frame: OpaquePointer?
    private var hasPicture = false

    private static let layerEvents = CListener(
        zwlr_layer_surface_v1_listener(
            configure: { data, _, serial, width, height in
                LayerSurface.of(data)?.configure(serial, width: Int(width), height: Int(height))
            },
            closed: { data, _ in LayerSurface.of(data)?.isClosed = true }))
    private static let surfaceEvents = CListener(
        {
            var events = wl_surface_listener()
            events.enter = { data, _, output in LayerSurface.of(data)?.output = output }
            events.leave = { data, _, output in
                guard let surface = LayerSurface.of(data), surface.output == output else { return }
                surface.output = nil
            }
            return events
        }())
    private static let frameEvents = CListener(
        wl_callback_listener(done: { data, _, _ in LayerSurface.of(data)?.frameShown() }))

    /// - Parameter output: the screen to be on; nil leaves that to the compositor, which takes the focused one.
    /// - Throws: ``WaylandError/lost``
    init(
        _ compositor: OpaquePointer, _ shell: OpaquePointer, _ place: OverlayPlace, on output: OpaquePointer?
    ) throws {
        guard let surface = wl_compositor_create_surface(compositor) else { throw WaylandError.lost }
        guard
            let layer = zwlr_layer_shell_v1_get_layer_surface(
                shell, surface, output, ZWLR_LAYER_SHELL_V1_LAYER_OVERLAY.rawValue, "voicedictation")
        else {
            wl_surface_destroy(surface)
            throw WaylandError.lost
        }
        self.surface = surface
        self.layer = layer
        self.output = output
        let units = { (length: Double) in OverlayPlace.pixels(length, scale: place.factor) }
        wanted = (units(OverlayPlace.width), units(OverlayPlace.height))
        let this = Unmanaged.passUnretained(self).toOpaque()
        wl_surface_add_listener(surface, Self.surfaceEvents.pointer, this)
        zwlr_layer_surface_v1_add_listener(layer, Self.layerEvents.pointer, this)
        zwlr_layer_surface_v1_set_size(layer, UInt32(wanted.width), UInt32(wanted.height))
        zwlr_layer_surface_v1_set_anchor(layer, Self.anchor(place))
        let (margin, bottom) = (Int32(units(OverlayPlace.margin)), Int32(units(OverlayPlace.bottomMargin)))
        zwlr_layer_surface_v1_set_margin(layer, margin, margin, bottom, margin)
        // It takes no place from windows, and keeps off the panels that do.
        zwlr_layer_surface_v1_set_exclusive_zone(layer, 0)
        zwlr_layer_surface_v1_set_keyboard_interactivity(
            layer, ZWLR_LAYER_SURFACE_V1_KEYBOARD_INTERACTIVITY_NONE.rawValue)
    }

    deinit {
        if let frame { wl_callback_destroy(frame) }
        zwlr_layer_surface_v1_destroy(layer)
        wl_surface_destroy(surface)
    }

    /// Whether the last picture is on the screen.
    var isShown: Bool { frame == nil }

    /// Whether it gets clicks; otherwise they go to what is below. In effect at once.
    func takeClicks(_ takes: Bool, _ compositor: OpaquePointer) {
        let nowhere = takes ? nil : wl_compositor_create_region(compositor)
        // Without a region, all of it.
        wl_surface_set_input_region(surface, nowhere)
        if let nowhere { wl_region_destroy(nowhere) }
        wl_surface_commit(surface)
    }

    /// Shows a picture at the next frame.
    ///
    /// - Parameters:
    ///   - changes: in pixels.
    ///   - scale: pixels of one unit.
    func show(_ buffer: OpaquePointer, changes: [ScreenArea], scale: Int) {
        wl_surface_set_buffer_scale(surface, Int32(scale))
        wl_surface_attach(surface, buffer, 0, 0)
        for area in changes {
            wl_surface_damage_buffer(
                surface, Int32(area.x), Int32(area.y), Int32(area.width), Int32(area.height))
        }
        frame = wl_surface_frame(surface)
        if let frame {
            wl_callback_add_listener(
                frame, Self.frameEvents.pointer, Unmanaged.passUnretained(self).toOpaque())
        }
        wl_surface_commit(surface)
        hasPicture = true
    }

    private func configure(_ serial: UInt32, width: Int, height: Int) {
        zwlr_layer_surface_v1_ack_configure(layer, serial)
        // Zero leaves it to us.
        size = (width > 0 ? width : wanted.width, height > 0 ? height : wanted.height)
        if hasPicture { wl_surface_commit(surface) }
    }

    private func frameShown() {
        if let frame { wl_callback_destroy(frame) }
        frame = nil
    }

    /// At which edges it hangs; in the middle between those that it does not.
    private static func anchor(_ place: OverlayPlace) -> UInt32 {
        let horizontal =
            switch place.horizontal {
            case .start: ZWLR_LAYER_SURFACE_V1_ANCHOR_LEFT.rawValue
            case .middle: UInt32(0)
            case .end: ZWLR_LAYER_SURFACE_V1_ANCHOR_RIGHT.rawValue
            }
        let vertical =
            switch place.vertical {
            case .start: ZWLR_LAYER_SURFACE_V1_ANCHOR_TOP.rawValue
            case .middle: UInt32(0)
            case .end: ZWLR_LAYER_SURFACE_V1_ANCHOR_BOTTOM.rawValue
            }
        return horizontal | vertical
    }

    private static func of(_ data: UnsafeMutableRawPointer?) -> LayerSurface? {
        data.map { Unmanaged<LayerSurface>.fromOpaque($0).takeUnretainedValue() }
    }
}
