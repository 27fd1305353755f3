import CPango
import DictationSettings
import Foundation

/// Draws the overlay's scenes into memory, by Cairo and Pango. Belongs to one thread.
///
/// What stays the same between two frames of a recording (background, words) is drawn once, and copied.
final class OverlayPainter {
    /// Pixels as X servers of today take them: four bytes each, blue first.
    struct Picture {
        let bytes: UnsafeMutablePointer<UInt8>
        /// Bytes from one line to the next.
        let stride: Int
        let width: Int
        let height: Int
    }

    /// Bars of sound that the ring around the microphone shows: a third of a second, as long as a syllable.
    private static let pulse = 8

    let width: Int
    let height: Int
    private let scale: Double
    private let palette: OverlayPalette
    private let isMotionReduced: Bool
    private let surface: OpaquePointer
    private let context: OpaquePointer
    /// The still part of the scene that was drawn last.
    private let still: OpaquePointer
    private let stillContext: OpaquePointer
    private var drawn: OverlayScene?
    private var drawnSeconds = 0

    /// - Parameters:
    ///   - width: in pixels; `scale` pixels are one unit of the drawing.
    init(width: Int, height: Int, scale: Double, theme: OverlayTheme, isMotionReduced: Bool) {
        (self.width, self.height, self.scale) = (width, height, scale)
        palette = OverlayPalette(theme)
        self.isMotionReduced = isMotionReduced
        // Cairo gives no nil: what fails draws nothing.
        surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height))
        context = cairo_create(surface)
        still = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(width), Int32(height))
        stillContext = cairo_create(still)
        for context in [context, stillContext] { cairo_scale(context, scale, scale) }
    }

    deinit {
        for context in [context, stillContext] { cairo_destroy(context) }
        for surface in [surface, still] { cairo_surface_destroy(surface) }
    }

    /// How many of its lines, from the top, move while it records.
    var movingLines: Int { min(height, Int((58 * scale).rounded(.up))) }

    /// The picture of a scene; valid until the next call.
    ///
    /// - Parameter isWhole: false where only the moving lines are looked at.
    /// - Returns: nil where memory is short.
    func paint(_ scene: OverlayScene, sound: OverlaySound, isWhole: Bool = true) -> Picture? {
        let seconds = sound.milliseconds / 1_000
        if scene != drawn || seconds != drawnSeconds {
            paintStill(scene)
            // Text costs more than all else of a frame together: the time is drawn once a second.
            if case .recording = scene { paintTime(seconds) }
            (drawn, drawnSeconds) = (scene, seconds)
        }
        cairo_save(context)
        cairo_identity_matrix(context)
        cairo_set_source_surface(context, still, 0, 0)
        cairo_rectangle(context, 0, 0, Double(width), Double(isWhole ? height : movingLines))
        cairo_fill(context)
        cairo_restore(context)
        if case .recording = scene { paintMoving(sound) }
        cairo_surface_flush(surface)
        guard let bytes = cairo_image_surface_get_data(surface) else { return nil }
        return Picture(
            bytes: bytes, stride: Int(cairo_image_surface_get_stride(surface)), width: width, height: height)
    }

    // MARK: - What stays

    private func paintStill(_ scene: OverlayScene) {
        let canvas = OverlayCanvas(context: stillContext, palette: palette)
        canvas.fill(palette.background)
        canvas.frame(width: Double(width) / scale, height: Double(height) / scale)
        let room = Double(width) / scale - 84
        switch scene {
        case .hidden: break
        case .recording(let text):
            canvas.text(
                text.isEmpty ? "Speak. Escape cancels." : text, x: 20, y: 60,
                width: Double(width) / scale - 40,
                size: 13, color: text.isEmpty ? palette.faint : palette.text, lines: 2, keepsEnd: true)
        case .processing(let text):
            canvas.badge("…", color: palette.busy)
            canvas.text("Writing", x: 68, y: 22, width: room, size: 15, color: palette.text, isBold: true)
            canvas.text(
                text, x: 68, y: 48, width: room, size: 13, color: palette.faint, lines: 2, keepsEnd: true)
        case .inserted(let text):
            canvas.badge("✓", color: palette.good)
            canvas.text("Inserted", x: 68, y: 22, width: room, size: 15, color: palette.text, isBold: true)
            canvas.text(
                text, x: 68, y: 48, width: room, size: 13, color: palette.faint, lines: 2, keepsEnd: true)
        case .held(let reason, let advice):
            canvas.badge("❚❚", color: palette.busy, size: 12)
            canvas.text(
                "Held: \(reason)", x: 68, y: 16, width: room, size: 14, color: palette.text, lines: 2,
                isBold: true)
            canvas.text(advice, x: 68, y: 66, width: room, size: 13, color: palette.faint)
        case .error(let message):
            canvas.badge("!", color: palette.alarm)
            canvas.text(
                message, x: 68, y: 16, width: room, size: 14, color: palette.text, lines: 3, isBold: true)
            canvas.text("Click to close", x: 68, y: 78, width: room, size: 11, color: palette.faint)
        }
    }

    private func paintTime(_ seconds: Int) {
        let time = "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
        let right = Double(width) / scale - 20
        OverlayCanvas(context: stillContext, palette: palette).text(
            time, x: right - 48, y: 22, width: 48, size: 13, color: palette.faint, isAtEnd: true)
    }

    // MARK: - What moves

    private func paintMoving(_ sound: OverlaySound) {
        let canvas = OverlayCanvas(context: context, palette: palette)
        // Still at its quietest, so that the picture does not jump when the sound begins.
        let level = isMotionReduced ? 0 : sound.levels.suffix(Self.pulse).max() ?? 0
        canvas.microphone(pulse: level)
        let right = Double(width) / scale - 20
        if isMotionReduced {
            canvas.bar(sound.levels.last ?? 0, x: 68, y: 28, width: right - 136, height: 8)
        } else {
            canvas.waveform(sound.levels, x: 68, y: 32, width: right - 128, height: 34)
        }
    }
}

/// A colour, each part from 0 to 1.
struct OverlayColor: Equatable {
    let red, green, blue: Double

    /// - Parameter hex: such as `0xE5484D`.
    init(_ hex: Int) {
        red = Double(hex >> 16 & 255) / 255
        green = Double(hex >> 8 & 255) / 255
        blue = Double(hex & 255) / 255
    }
}

/// The colours of a theme. Text on its background has a contrast of at least 7 to 1, faint text of 4.5 to 1 (WCAG 2).
struct OverlayPalette {
    let background, border, text, faint, alarm, busy, good: OverlayColor

    init(_ theme: OverlayTheme) {
        switch theme {
        case .dark:
            background = OverlayColor(0x1B1D22)
            border = OverlayColor(0x3A3F4A)
            text = OverlayColor(0xF5F6F8)
            faint = OverlayColor(0xA9AFBC)
            alarm = OverlayColor(0xE5484D)
            busy = OverlayColor(0xD98A12)
            good = OverlayColor(0x2F9E63)
        case .light:
            background = OverlayColor(0xFCFCFD)
            border = OverlayColor(0xC9CDD6)
            text = OverlayColor(0x16181D)
            faint = OverlayColor(0x5A6170)
            alarm = OverlayColor(0xCE2C31)
            busy = OverlayColor(0xB26A00)
            good = OverlayColor(0x1F7A4A)
        case .contrast:
            background = OverlayColor(0x000000)
            border = OverlayColor(0xFFFFFF)
            text = OverlayColor(0xFFFFFF)
            faint = OverlayColor(0xFFFF00)
            alarm = OverlayColor(0xFF3B30)
            busy = OverlayColor(0xB35900)
            good = OverlayColor(0x008A3E)
        }
    }

    /// How far two colours are apart in lightness, from 1 to 21: the contrast ratio of WCAG 2.
    static func contrast(_ first: OverlayColor, _ second: OverlayColor) -> Double {
        let luminance = { (color: OverlayColor) in
            let linear = [color.red, color.green, color.blue].map {
                $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4)
            }
            return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
        }
        let (light, dark) = (luminance(first), luminance(second))
        return (max(light, dark) + 0.05) / (min(light, dark) + 0.05)
    }
}
