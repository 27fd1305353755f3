/// Where an overlay is on its monitor, and how large: a pure value, in units. A unit is a pixel of a monitor that nothing
/// scales.
public struct OverlayPlace: Equatable, Sendable {
    /// Where between two opposite edges of the monitor.
    public enum Side: Equatable, Sendable {
        /// At the left, or at the top.
        case start
        case middle
        /// At the right, or at the bottom.
        case end
    }

    public var horizontal: Side
    public var vertical: Side
    /// A factor on ``width`` and ``height``; everything else is in proportion.
    public var factor: Double

    /// In units.
    public static let width = 420.0
    public static let height = 104.0
    public static let cornerRadius = 14.0
    /// From the edges of the monitor, in units; from the bottom more, where most desktops have a panel.
    public static let margin = 24.0
    public static let bottomMargin = 72.0

    public init(horizontal: Side, vertical: Side, factor: Double = 1) {
        (self.horizontal, self.vertical, self.factor) = (horizontal, vertical, factor)
    }

    /// Converts units to whole pixels.
    ///
    /// - Parameter scale: pixels of one unit.
    public static func pixels(_ units: Double, scale: Double) -> Int { Int((units * scale).rounded()) }

    /// How many pixels are one unit.
    ///
    /// - Parameter dpi: the desktop's own dots per inch (`Xft.dpi`); nil if it has none, which means 96.
    public func scale(dpi: Double?) -> Double {
        // Nonsense in the desktop's resources must not fill the screen, or hide in it.
        min(4, max(0.5, (dpi ?? 96) / 96)) * factor
    }

    /// The monitor of the focused window: the one that holds its middle, else the first.
    public static func monitor(of window: ScreenArea?, among monitors: [ScreenArea]) -> ScreenArea? {
        guard let middle = window?.middle else { return monitors.first }
        return monitors.first { $0.contains(x: middle.x, y: middle.y) } ?? monitors.first
    }

    /// - Parameter scale: pixels of one unit, ``factor`` included.
    /// - Returns: never larger than the monitor.
    public func area(on monitor: ScreenArea, scale: Double) -> ScreenArea {
        let pixels = { Self.pixels($0, scale: scale) }
        let width = min(pixels(Self.width), monitor.width)
        let height = min(pixels(Self.height), monitor.height)
        let x =
            switch horizontal {
            case .start: monitor.x + min(pixels(Self.margin), monitor.width - width)
            case .middle: monitor.x + (monitor.width - width) / 2
            case .end: monitor.x + max(0, monitor.width - width - pixels(Self.margin))
            }
        let y =
            switch vertical {
            case .start: monitor.y + min(pixels(Self.margin), monitor.height - height)
            case .middle: monitor.y + (monitor.height - height) / 2
            case .end: monitor.y + max(0, monitor.height - height - pixels(Self.bottomMargin))
            }
        return ScreenArea(x: x, y: y, width: width, height: height)
    }
}
