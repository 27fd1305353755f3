import CPango
import Desktop

/// A part of the overlay that is drawn separately, into memory, with Cairo. Belongs to one thread.
final class OverlayPatch {
    private let area: ScreenArea
    private let surface: OpaquePointer
    private let context: OpaquePointer

    /// - Parameters:
    ///   - area: in pixels.
    ///   - scale: pixels per unit of the drawing.
    init(_ area: ScreenArea, scale: Double) {
        // On a screen of some pixels there may be no room for it.
        self.area = ScreenArea(x: area.x, y: area.y, width: max(1, area.width), height: max(1, area.height))
        // Cairo returns no nil: a context that failed draws nothing.
        surface = cairo_image_surface_create(
            CAIRO_FORMAT_RGB24, Int32(self.area.width), Int32(self.area.height))
        context = cairo_create(surface)
        cairo_translate(context, Double(-area.x), Double(-area.y))
        cairo_scale(context, scale, scale)
    }

    deinit {
        cairo_destroy(context)
        cairo_surface_destroy(surface)
    }

    /// - Parameter draw: draws as if it were the whole window; everything outside of the area is cut off.
    /// - Returns: valid until the next call; nil if memory is short.
    func paint(_ palette: OverlayPalette, _ draw: (OverlayCanvas) -> Void) -> OverlayPicture? {
        let canvas = OverlayCanvas(context: context, palette: palette)
        canvas.fill(palette.background)
        draw(canvas)
        cairo_surface_flush(surface)
        guard let bytes = cairo_image_surface_get_data(surface) else { return nil }
        return OverlayPicture(
            x: area.x, y: area.y, bytes: bytes, stride: Int(cairo_image_surface_get_stride(surface)),
            width: area.width, height: area.height)
    }
}
