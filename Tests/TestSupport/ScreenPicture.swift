import Foundation

/// A picture of a Wayland desktop, by grim.
public struct ScreenPicture: Sendable {
    public let width: Int
    public let height: Int
    private let bytes: [UInt8]

    /// - Parameter file: a portable pixmap of 8 bits per color (P6).
    init(file: String) throws {
        let data = try Data(contentsOf: URL(filePath: file))
        // "P6", width, height and 255, each after white space.
        var fields: [Int] = []
        var position = 2
        while fields.count < 3 {
            let field = data[position...].drop { $0 <= 32 }.prefix { $0 > 32 }
            guard let number = Int(String(decoding: field, as: UTF8.self)) else {
                throw CocoaError(.fileReadCorruptFile)
            }
            fields.append(number)
            position = field.endIndex
        }
        (width, height) = (fields[0], fields[1])
        bytes = Array(data[(position + 1)...])
        guard bytes.count == width * height * 3 else { throw CocoaError(.fileReadCorruptFile) }
    }

    /// A pixel, as 0xRRGGBB.
    public subscript(x: Int, y: Int) -> Int {
        let place = (y * width + x) * 3
        return bytes[place..<place + 3].reduce(0) { $0 << 8 | Int($1) }
    }

    /// The colors of a part: text and shapes have many, by their smooth edges.
    public func colors(x: Range<Int>, y: Range<Int>) -> Set<Int> {
        Set(y.flatMap { line in x.map { self[$0, line] } })
    }

    /// All pixels that differ from those of another picture of the same size.
    public func differences(from other: ScreenPicture) -> [(x: Int, y: Int)] {
        (0..<height).flatMap { y in (0..<width).map { (x: $0, y: y) } }
            .filter { self[$0.x, $0.y] != other[$0.x, $0.y] }
    }
}

extension WaylandDesktop {
    /// Takes a picture of the screen.
    ///
    /// - Parameter output: the screen; nil for all of them, side by side.
    public func picture(of output: String? = nil) async throws -> ScreenPicture {
        let folder = try TemporaryFolder("picture")
        let file = folder.file("screen.ppm")
        try await Program.run(
            "grim", (output.map { ["-o", $0] } ?? []) + ["-t", "ppm", file], environment: environment)
        return try ScreenPicture(file: file)
    }

    /// Takes pictures until a condition holds: compositors do not report what they show.
    ///
    /// - Returns: the picture; nil if the time is over.
    public func waitForPicture(
        of output: String? = nil, where isSeen: (ScreenPicture) -> Bool
    ) async throws -> ScreenPicture? {
        let limit = ContinuousClock.now + Program.defaultLimit
        while .now < limit {
            let picture = try await picture(of: output)
            if isSeen(picture) { return picture }
        }
        return nil
    }
}
