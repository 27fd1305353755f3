import Desktop

/// The sound of a recording as rectangles of whole pixels: an X server fills them itself, without a
/// transferred picture.
struct OverlayMeter: Equatable {
    /// Where it is drawn, in units of the drawing.
    struct Room {
        let x, y, width, height: Double
    }

    /// As loud as it was.
    private(set) var sound: [ScreenArea] = []
    /// The free part of its room.
    private(set) var rest: [ScreenArea] = []

    /// In units of the drawing: a bar, from one to the next, and one of silence.
    private static let (bar, step, least) = (3.0, 4.5, 2.0)

    /// Bars around a middle line, the newest at the right.
    ///
    /// - Parameters:
    ///   - levels: from 0 to 1, the newest last.
    ///   - scale: pixels per unit.
    static func waveform(_ levels: [Double], in room: Room, scale: Double) -> OverlayMeter {
        let pixels = { (units: Double) in Int((units * scale).rounded()) }
        let (top, height, width) = (pixels(room.y), pixels(room.height), max(1, pixels(bar)))
        // A very small screen may be narrower than the text next to it.
        let slots = max(0, Int(room.width / step))
        let shown = levels.suffix(slots)
        var meter = OverlayMeter()
        for slot in 0..<slots {
            let left = pixels(room.x + room.width - Double(slots - slot) * step)
            // Nothing was heard yet, if there is no level: an earlier recording may have left its own there.
            let index = shown.count - slots + slot
            let level = index >= 0 ? shown[shown.startIndex + index] : nil
            let length = level.map { min(height, max(pixels(least), pixels(room.height * $0))) } ?? 0
            let above = (height - length) / 2
            meter.sound.append(ScreenArea(x: left, y: top + above, width: width, height: length))
            meter.rest.append(ScreenArea(x: left, y: top, width: width, height: above))
            meter.rest.append(
                ScreenArea(
                    x: left, y: top + above + length, width: width, height: height - above - length))
        }
        return meter
    }

    /// One bar that grows to the right: a level without a waveform.
    static func level(_ level: Double, in room: Room, scale: Double) -> OverlayMeter {
        let pixels = { (units: Double) in Int((units * scale).rounded()) }
        let (left, top, height) = (pixels(room.x), pixels(room.y), pixels(room.height))
        let (length, width) = (pixels(room.width * level), pixels(room.width))
        return OverlayMeter(
            sound: [ScreenArea(x: left, y: top, width: length, height: height)],
            rest: [ScreenArea(x: left + length, y: top, width: width - length, height: height)])
    }
}
