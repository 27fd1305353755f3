import DictationSettings

/// A rectangle on the screen, in pixels.
public struct ScreenArea: Equatable, Sendable {
    public var x: Int
    public var y: Int
    public var width: Int
    public var height: Int

    public init(x: Int, y: Int, width: Int, height: Int) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    func contains(x: Int, y: Int) -> Bool {
        (self.x..<self.x + width).contains(x) && (self.y..<self.y + height).contains(y)
    }

    var middle: (x: Int, y: Int) { (x + width / 2, y + height / 2) }
}

/// Where the overlay is, and how large: a pure decision.
public enum OverlayPlacement {
    /// At 96 dots an inch and medium size.
    static let width = 420.0
    static let height = 104.0
    /// From the side of the monitor; at its bottom more, where most desktops have a panel.
    static let margin = 24.0
    static let bottomMargin = 72.0

    /// How many pixels stand for one.
    ///
    /// - Parameter dpi: the desktop's own (`Xft.dpi`); nil where it has none, which means 96.
    public static func scale(dpi: Double?, size: OverlaySize) -> Double {
        let factor =
            switch size {
            case .small: 0.8
            case .medium: 1.0
            case .large: 1.4
            }
        // Nonsense in the desktop's resources must not fill the screen, or hide in it.
        return min(4, max(0.5, (dpi ?? 96) / 96)) * factor
    }

    /// The monitor of the focused window: the one that holds its middle, else the first.
    public static func monitor(of window: ScreenArea?, among monitors: [ScreenArea]) -> ScreenArea? {
        guard let middle = window?.middle else { return monitors.first }
        return monitors.first { $0.contains(x: middle.x, y: middle.y) } ?? monitors.first
    }

    /// - Returns: never larger than the monitor.
    public static func area(
        on monitor: ScreenArea, position: OverlayPosition, scale: Double
    ) -> ScreenArea {
        let pixels = { (length: Double) in Int((length * scale).rounded()) }
        let width = min(pixels(Self.width), monitor.width)
        let height = min(pixels(Self.height), monitor.height)
        let left = monitor.x + min(pixels(margin), monitor.width - width)
        let right = monitor.x + max(0, monitor.width - width - pixels(margin))
        let middle = monitor.x + (monitor.width - width) / 2
        let top = monitor.y + min(pixels(margin), monitor.height - height)
        let bottom = monitor.y + max(0, monitor.height - height - pixels(bottomMargin))
        let (x, y) =
            switch position {
            case .top: (middle, top)
            case .topLeft: (left, top)
            case .topRight: (right, top)
            case .bottom: (middle, bottom)
            case .bottomLeft: (left, bottom)
            case .bottomRight: (right, bottom)
            case .center: (middle, monitor.y + (monitor.height - height) / 2)
            }
        return ScreenArea(x: x, y: y, width: width, height: height)
    }
}
