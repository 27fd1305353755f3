import Testing

@testable import DesktopWayland

@Suite("The overlay's corners")
struct RoundedCornersTests {
    @Test("smooth corners: nothing of the outermost pixel, all of the edges, and the same on every side")
    func corners() {
        for (width, height, radius) in [(40, 30, 14), (10, 8, 14), (3, 3, 0)] {
            let corners = RoundedCorners(radius: radius, width: width, height: height)
            for y in 0..<height {
                for x in 0..<width {
                    let coverage = corners.coverage(x: x, y: y)
                    #expect(coverage == corners.coverage(x: width - 1 - x, y: y))
                    #expect(coverage == corners.coverage(x: x, y: height - 1 - y))
                    #expect(coverage <= 255)
                }
            }
            #expect(corners.coverage(x: width / 2, y: 0) >= 250)
            #expect((corners.coverage(x: 0, y: 0) == 0) == (radius > 1))
        }
    }

    @Test("a pixel of a corner has premultiplied alpha, and those next to it are unchanged")
    func cut() {
        let corners = RoundedCorners(radius: 8, width: 20, height: 20)
        var line = [UInt32](repeating: 0xFFFF_8040, count: 20)
        line.withUnsafeMutableBufferPointer {
            guard let pixels = $0.baseAddress else { return }
            corners.cut(pixels, row: 1, columns: 0..<10)
        }
        for (x, pixel) in line.enumerated() {
            let coverage = x < 10 ? corners.coverage(x: x, y: 1) : 255
            #expect(pixel >> 24 == coverage)
            #expect(abs(Int(pixel >> 16 & 255) - Int(coverage)) <= 1)
            #expect(abs(Int(pixel & 255) - Int(coverage) / 4) <= 1)
        }
        #expect(line[0] == 0)
    }
}
