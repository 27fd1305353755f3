import Desktop
import DictationSettings
import DictationSystem
import Foundation

/// Draws the overlay's scenes into memory, with Cairo and Pango. Belongs to one thread.
///
/// During a recording only changes are drawn again: the ring around the microphone, once a second the time,
/// and the words as they come; the sound is rectangles, which a display may fill itself.
final class OverlayPainter {
    /// Bars of sound that the ring around the microphone shows: a third of a second, as long as a syllable.
    private static let pulse = 8

    private let width: Double
    private let height: Double
    private let scale: Double
    private let palette: OverlayPalette
    private let isMotionReduced: Bool
    private let whole: OverlayPatch
    private let mark: OverlayPatch
    private let time: OverlayPatch
    private let words: OverlayPatch
    private var drawn: OverlayScene?
    private var drawnSeconds = 0
    private var drawnRing = 0.0

    /// - Parameters:
    ///   - width: in pixels; `scale` pixels are one unit of the drawing.
    init(width: Int, height: Int, scale: Double, theme: OverlayTheme, isMotionReduced: Bool) {
        (self.width, self.height, self.scale) = (Double(width) / scale, Double(height) / scale, scale)
        palette = OverlayPalette(theme)
        self.isMotionReduced = isMotionReduced
        let area = { (x: Double, y: Double, right: Double, bottom: Double) in
            let (left, top) = (Int((x * scale).rounded(.down)), Int((y * scale).rounded(.down)))
            return ScreenArea(
                x: left, y: top, width: min(width, Int((right * scale).rounded(.up))) - left,
                height: min(height, Int((bottom * scale).rounded(.up))) - top)
        }
        whole = OverlayPatch(ScreenArea(x: 0, y: 0, width: width, height: height), scale: scale)
        mark = OverlayPatch(OverlayCanvas.microphoneArea(scale: scale), scale: scale)
        time = OverlayPatch(area(self.width - 76, 20, self.width - 14, 44), scale: scale)
        // Within the line around it all.
        words = OverlayPatch(area(14, 58, self.width - 14, self.height - 4), scale: scale)
    }

    /// The changes from the scene drawn last to this one; valid until the next call. If memory is short,
    /// something is missing.
    ///
    /// - Parameter isWhole: independent of what was drawn last.
    func pictures(of scene: OverlayScene, sound: OverlaySound, isWhole: Bool) -> [OverlayPicture] {
        let seconds = sound.milliseconds / 1_000
        let ring = pulse(sound)
        let (before, secondsBefore, ringBefore) = (drawn, drawnSeconds, drawnRing)
        (drawn, drawnSeconds, drawnRing) = (scene, seconds, ring)
        guard !isWhole, case .recording(let text, let typed, let label) = scene,
            case .recording(let textBefore, let typedBefore, label) = before
        else {
            return [whole.paint(palette) { paint(scene, sound: sound, on: $0) }].compactMap { $0 }
        }
        // Text costs more than everything else together, and the ring most of the rest.
        return [
            ring == ringBefore ? nil : mark.paint(palette) { $0.microphone(pulse: ring) },
            seconds == secondsBefore ? nil : time.paint(palette) { paintTime(seconds, on: $0) },
            text == textBefore && typed == typedBefore
                ? nil : words.paint(palette) { paintWords(text, typed: typed, on: $0) },
        ].compactMap { $0 }
    }

    /// How loud a recording is, in its colors; nothing of other scenes.
    func rectangles(
        of scene: OverlayScene, sound: OverlaySound
    ) -> [(areas: [ScreenArea], color: OverlayColor)] {
        guard case .recording = scene else { return [] }
        // The time is at its right.
        let room = width - 156
        if isMotionReduced {
            let area = OverlayMeter.Room(x: 68, y: 28, width: room, height: 8)
            let meter = OverlayMeter.level(sound.levels.last ?? 0, in: area, scale: scale)
            return [(meter.rest, palette.border), (meter.sound, palette.alarm)]
        }
        let area = OverlayMeter.Room(x: 68, y: 15, width: room, height: 34)
        let meter = OverlayMeter.waveform(sound.levels, in: area, scale: scale)
        return [(meter.rest, palette.background), (meter.sound, palette.alarm)]
    }

    private func paint(_ scene: OverlayScene, sound: OverlaySound, on canvas: OverlayCanvas) {
        canvas.frame(width: width, height: height)
        let room = width - 84
        switch scene {
        case .hidden: break
        case .recording(let text, let typed, let label):
            paintWords(text, typed: typed, on: canvas)
            // Above the sound, which begins at 15.
            canvas.text(
                label, x: 68, y: 2, width: width - 88, size: 9.5, color: palette.faint, isAtEnd: true)
            paintTime(sound.milliseconds / 1_000, on: canvas)
            canvas.microphone(pulse: pulse(sound))
            for (areas, color) in rectangles(of: scene, sound: sound) { canvas.fill(areas, with: color) }
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
            paintMessage("Held: \(reason)", advice, room: room, bottom: height - 6, on: canvas)
        case .error(let message):
            canvas.badge("!", color: palette.alarm)
            paintError(message, room: room, on: canvas)
        }
    }

    private func paintError(_ message: String, room: Double, on canvas: OverlayCanvas) {
        let (head, rest) = Self.parts(of: message)
        let hint = height - 18
        if paintMessage(head, rest, room: room, bottom: hint, isWhole: true, on: canvas) {
            canvas.text("Click to close", x: 68, y: hint, width: room, size: 10, color: palette.faint)
        } else {
            // The advice matters more than how to close it.
            paintMessage(head, rest, room: room, bottom: height - 4, on: canvas)
        }
    }

    /// Sizes of the letters, the largest first, until a message fits. Smaller ones are not readable.
    private static let sizes: [(head: Double, rest: Double)] = [
        (14, 13), (13, 12), (12, 11), (11, 10), (9.5, 9.5),
    ]

    /// A message and its advice, as large as there is room for all of it. Text that is too long even in small letters loses
    /// its end.
    ///
    /// - Parameter isWhole: if it does not fit, nothing is drawn.
    /// - Returns: whether all of it was drawn.
    @discardableResult
    private func paintMessage(
        _ head: String, _ rest: String, room: Double, bottom: Double, isWhole: Bool = false,
        on canvas: OverlayCanvas
    ) -> Bool {
        let top = 6.0
        func needed(_ size: (head: Double, rest: Double)) -> Double {
            canvas.height(of: head, width: room, size: size.head, isBold: true)
                + canvas.height(of: rest, width: room, size: size.rest)
        }
        let fitting = Self.sizes.first { needed($0) <= bottom - top }
        if fitting == nil, isWhole { return false }
        let size = fitting ?? Self.sizes[Self.sizes.count - 1]
        let line = max(1, canvas.height(of: "X", width: room, size: size.rest))
        let free = max(0, bottom - top - needed(size))
        // A head that fills everything leaves one line for the advice.
        let lines = max(1, Int((bottom - top) / line) - (rest.isEmpty ? 0 : 1))
        let start = top + free / 2
        let end =
            start
            + canvas.text(
                head, x: 68, y: start, width: room, size: size.head, color: palette.text, lines: lines,
                isBold: true)
        // A difference of half a pixel is not a line.
        canvas.text(
            rest, x: 68, y: end, width: room, size: size.rest, color: palette.text,
            lines: max(1, Int((bottom - end + 0.5) / line)))
        return fitting != nil
    }

    /// The first sentence of a message, and the others.
    static func parts(of message: String) -> (head: String, rest: String) {
        guard let end = message.firstRange(of: ". ") else { return (message, "") }
        return (String(message[..<end.lowerBound]) + ".", String(message[end.upperBound...]))
    }

    /// - Parameter typed: how many characters are in the window already: they are faint, as only the others
    ///   may change.
    private func paintWords(_ text: String, typed: Int, on canvas: OverlayCanvas) {
        canvas.text(
            text.isEmpty ? "Speak. Escape cancels." : text, x: 20, y: 60, width: width - 40, size: 13,
            color: text.isEmpty ? palette.faint : palette.text, lines: 2, keepsEnd: true,
            beginning: typed == 0 ? nil : (String(text.dropFirst(typed)).utf8.count, palette.faint))
    }

    private func paintTime(_ seconds: Int, on canvas: OverlayCanvas) {
        canvas.text(
            ClockText.running(seconds), x: width - 76, y: 22, width: 56, size: 13, color: palette.faint,
            isAtEnd: true)
    }

    /// Still at its quietest, so that the picture does not jump when the sound begins; in steps of a pixel, as less is not
    /// seen.
    private func pulse(_ sound: OverlaySound) -> Double {
        let pulse = isMotionReduced ? 0 : sound.levels.suffix(Self.pulse).max() ?? 0
        let pixels = (OverlayCanvas.ring * scale).rounded()
        return (pulse * pixels).rounded() / pixels
    }
}

/// A color, each part from 0 to 1.
struct OverlayColor: Equatable {
    let red, green, blue: Double

    /// - Parameter hex: such as `0xE5484D`.
    init(_ hex: Int) {
        red = Double(hex >> 16 & 255) / 255
        green = Double(hex >> 8 & 255) / 255
        blue = Double(hex & 255) / 255
    }

    /// As a pixel of an X server's true color: the opposite of ``init(_:)``.
    var pixel: UInt32 {
        [red, green, blue].reduce(0) { $0 << 8 | UInt32(($1 * 255).rounded()) }
    }
}

/// The colors of a theme. Text on its background has a contrast of at least 7 to 1, faint text of 4.5 to 1 (WCAG 2).
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

    /// How far two colors are apart in lightness, from 1 to 21: the contrast ratio of WCAG 2.
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
