/// How much of each pixel of a rounded rectangle is covered, for compositors that blend: its corners are transparent, and
/// smooth. Pure.
struct RoundedCorners: Equatable {
    private let radius: Int
    private let width: Int
    private let height: Int
    /// Of the upper left corner, line by line, from 0 to 255.
    private let coverage: [UInt32]

    /// All in pixels.
    init(radius: Int, width: Int, height: Int) {
        let radius = max(0, min(radius, width / 2, height / 2))
        (self.radius, self.width, self.height) = (radius, width, height)
        coverage = (0..<radius * radius).map { index in
            let across = Double(radius) - Double(index % max(1, radius)) - 0.5
            let down = Double(radius) - Double(index / max(1, radius)) - 0.5
            // The distance between the middle of a pixel and the edge, which is nearly straight within one.
            let inside = Double(radius) - (across * across + down * down).squareRoot() + 0.5
            return UInt32((min(1, max(0, inside)) * 255).rounded())
        }
    }

    /// From 0 to 255.
    func coverage(x: Int, y: Int) -> UInt32 {
        let (across, down) = (min(x, width - 1 - x), min(y, height - 1 - y))
        return across < radius && down < radius ? coverage[down * radius + across] : 255
    }

    /// Makes pixels of a line transparent as far as they lie in a corner. They must be opaque before.
    ///
    /// - Parameter line: its first pixel is that of column 0.
    func cut(_ line: UnsafeMutablePointer<UInt32>, row: Int, columns: Range<Int>) {
        guard min(row, height - 1 - row) < radius else { return }
        for part in [0..<radius, width - radius..<width] {
            for x in part.clamped(to: columns) {
                line[x] = Self.blend(line[x], coverage(x: x, y: row))
            }
        }
    }

    /// With premultiplied alpha, as in Wayland's formats.
    private static func blend(_ pixel: UInt32, _ coverage: UInt32) -> UInt32 {
        [16, 8, 0].reduce(coverage << 24) { result, shift in
            result | (((pixel >> shift & 255) * coverage + 127) / 255) << shift
        }
    }
}
