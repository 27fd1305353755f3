/// Shows pictures above all windows: a capability that a display system gives to host-agent.
public protocol OverlayDisplay: Sendable {
    /// Connects to the display. Nothing is shown yet.
    ///
    /// - Returns: for the calling thread only.
    /// - Throws: an error that says why nothing is shown.
    func connect() throws -> any OverlaySurface
}

/// A small surface above all windows. It never has the focus, and clicks go to what is below it, unless it takes them. For
/// one thread, which sleeps until ``descriptor`` is readable.
///
/// ```swift
/// surface.show(place)
/// if let sheet = surface.sheet { surface.draw(picture(sheet)); surface.flush() }
/// // each time that the descriptor is readable:
/// for event in surface.takeEvents() { … }
/// ```
public protocol OverlaySurface: AnyObject {
    /// Readable when ``takeEvents()`` has something to do.
    var descriptor: Int32 { get }

    /// The display went away; all that is asked of it does nothing.
    var isLost: Bool { get }

    /// The sheet to draw on; nil while it is hidden, or the display has not made room for it yet.
    var sheet: OverlaySheet? { get }

    /// Whether more can be drawn now. If not, ``OverlayEvent/ready`` or ``OverlayEvent/emptied`` follows: a display that
    /// shows nothing at all, because its screen is off, asks for no pictures.
    var isReady: Bool { get }

    /// Makes room for it on the monitor of the focused window. From then on it follows the focus to other monitors.
    func show(_ place: OverlayPlace)

    func hide()

    /// Describes its content for tests.
    ///
    /// - Parameters:
    ///   - scene: a word.
    ///   - takesClicks: whether it gets clicks, and not the windows below.
    func describe(_ scene: String, takesClicks: Bool)

    /// Puts a picture into its place; ``flush()`` makes it visible.
    func draw(_ picture: OverlayPicture)

    /// Fills areas with a color, as 0xRRGGBB; ``flush()`` makes it seen.
    func fill(_ areas: [ScreenArea], with color: UInt32)

    func flush()

    /// The events that have come, without waiting.
    func takeEvents() -> [OverlayEvent]
}

/// An event that an overlay hears from its display.
public enum OverlayEvent: Equatable, Sendable {
    /// Nothing of the picture is on the sheet any more, or it is another sheet.
    case emptied
    /// More can be drawn again.
    case ready
    case clicked
}

/// The memory that an overlay is drawn into.
public struct OverlaySheet: Equatable, Sendable {
    /// In pixels.
    public let width: Int
    public let height: Int
    /// Pixels of one unit.
    public let scale: Double

    public init(width: Int, height: Int, scale: Double) {
        (self.width, self.height, self.scale) = (width, height, scale)
    }
}

/// A part of an overlay, as pixels of four bytes: blue, green, red, and one that means nothing.
public struct OverlayPicture {
    /// Where it belongs on the sheet, in pixels.
    public let x: Int
    public let y: Int
    /// Belongs to the painter.
    public let bytes: UnsafeMutablePointer<UInt8>
    /// Bytes from one line to the next.
    public let stride: Int
    public let width: Int
    public let height: Int

    public init(x: Int, y: Int, bytes: UnsafeMutablePointer<UInt8>, stride: Int, width: Int, height: Int) {
        (self.x, self.y, self.bytes, self.stride) = (x, y, bytes, stride)
        (self.width, self.height) = (width, height)
    }
}
