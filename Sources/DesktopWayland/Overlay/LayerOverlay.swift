import CWayland
import Desktop

/// The overlay as a surface of the layer shell. It is created when there is something to show, on the screen
/// that has the focus then, and created again on another one when the focus moves there. Hidden, it does not
/// exist: the compositor then reports only added and removed screens.
final class LayerOverlay: OverlaySurface {
    static let interface = "zwlr_layer_shell_v1"

    /// The compositor's globals that make surfaces and their memory.
    private struct Globals {
        let shell: OpaquePointer
        let compositor: OpaquePointer
        let sharedMemory: OpaquePointer

        init(_ connection: WaylandConnection) throws {
            shell = try connection.bind(LayerOverlay.interface, newest: 4, cwayland_bind_layer_shell)
            // Damage in pixels, which is version 4.
            compositor = try connection.bind("wl_compositor", newest: 4, cwayland_bind_compositor)
            sharedMemory = try connection.bind("wl_shm", newest: 1, cwayland_bind_shm)
        }
    }

    private let connection: WaylandConnection
    private let globals: Globals
    private let outputs: Outputs
    /// Nil if there is no seat: then there are no clicks.
    private let clicks: Clicks?
    private var place: OverlayPlace?
    private var takesClicks = false
    private var layer: LayerSurface?
    private var pixels: LayerPixels?
    /// The windows, while it is shown; nil if the compositor does not list them: then the overlay stays on
    /// its screen.
    private var toplevels: Toplevels?
    private(set) var isLost = false

    /// - Throws: ``WaylandError``
    init(_ connection: WaylandConnection) throws {
        self.connection = connection
        globals = try Globals(connection)
        outputs = Outputs(connection)
        clicks = try? Clicks(connection)
        connection.flush()
    }

    /// Proxies go before their connection does.
    deinit { (layer, pixels) = (nil, nil) }

    var descriptor: Int32 { connection.descriptor }
    var sheet: OverlaySheet? { pixels?.sheet }
    var isReady: Bool { layer?.isShown == true && pixels?.canDraw == true }

    func show(_ place: OverlayPlace) {
        self.place = place
        open(on: nil)
        toplevels = try? Toplevels(connection, focusChanges: FocusChanges())
        connection.flush()
    }

    func hide() {
        guard place != nil else { return }
        (place, layer, pixels) = (nil, nil, nil)
        toplevels?.stop()
        toplevels = nil
        takesClicks = false
        connection.flush()
    }

    func describe(_ scene: String, takesClicks: Bool) {
        guard takesClicks != self.takesClicks else { return }
        self.takesClicks = takesClicks
        layer?.takeClicks(takesClicks, globals.compositor)
        connection.flush()
    }

    func draw(_ picture: OverlayPicture) { pixels?.draw(picture) }

    func fill(_ areas: [ScreenArea], with color: UInt32) {
        pixels?.fill(areas.filter { $0.width > 0 && $0.height > 0 }, with: color)
    }

    func flush() {
        guard let layer, let (buffer, changes) = pixels?.take() else { return }
        layer.show(buffer, changes: changes, scale: outputs.scale(of: layer.output))
        connection.flush()
    }

    func takeEvents() -> [OverlayEvent] {
        let (wasReady, clicked, screens) = (isReady, clicks?.count, outputs.arrivals)
        do {
            try connection.handleEvents()
            var events: [OverlayEvent] = []
            if clicks?.count != clicked { events.append(.clicked) }
            if place != nil {
                reopen(hasNewScreen: outputs.arrivals != screens)
                followFocus()
                if try renewPixels() {
                    events.append(.emptied)
                } else if isReady, !wasReady {
                    events.append(.ready)
                }
            }
            connection.flush()
            return events
        } catch {
            isLost = true
            return []
        }
    }

    // MARK: - The surface

    /// - Parameter output: nil for the focused one.
    private func open(on output: OpaquePointer?) {
        guard let place else { return }
        // The old one goes first.
        (layer, pixels) = (nil, nil)
        layer = try? LayerSurface(globals.compositor, globals.shell, place, on: output)
        // This also asks the compositor for the surface's size.
        layer?.takeClicks(takesClicks, globals.compositor)
    }

    /// If the compositor has closed it, because its screen is gone, it may move to another one.
    private func reopen(hasNewScreen: Bool) {
        if let layer, layer.isClosed {
            let hadScreen = layer.size != nil
            (self.layer, pixels) = (nil, nil)
            // One that never had a screen gets none now either.
            if hadScreen { return open(on: nil) }
        }
        if layer == nil, hasNewScreen { open(on: nil) }
    }

    private func followFocus() {
        guard let focused = toplevels?.focusedOutputs.filter(outputs.contains), let output = focused.first,
            let current = layer?.output, !focused.contains(current)
        else { return }
        open(on: output)
    }

    /// - Returns: whether they are new, and empty.
    /// - Throws: ``SystemError``, ``WaylandError``
    private func renewPixels() throws -> Bool {
        guard let place, let layer, let size = layer.size else { return false }
        let scale = outputs.scale(of: layer.output)
        let sheet = OverlaySheet(
            width: size.width * scale, height: size.height * scale, scale: Double(scale) * place.factor)
        guard sheet != pixels?.sheet else { return false }
        pixels = try LayerPixels(sheet, globals.sharedMemory)
        return true
    }
}
