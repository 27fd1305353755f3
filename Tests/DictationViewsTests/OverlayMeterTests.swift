import Desktop
import DictationShared
import Testing

@testable import DictationViews

@Suite("The sound in the overlay")
struct OverlayMeterTests {
    private static let room = OverlayMeter.Room(x: 68, y: 15, width: 272, height: 34)

    @Test(
        "peaks are drawn by the square, from a quiet room to full scale",
        arguments: [
            (-100.0, 0.0), (-48, 0), (-36, 0.0625), (-24, 0.25), (-12, 0.5625), (0, 1), (3, 1),
        ])
    func heights(peak: Double, height: Double) {
        #expect(SoundBar.height(ofPeak: peak) == height)
    }

    @Test(
        "each bar and what is left of its room are one column, and no pixel is filled twice",
        arguments: [
            0.8, 1, 1.4, 2, 3,
        ])
    func columns(scale: Double) {
        let levels = (0..<80).map { Double($0 % 11) / 10 }
        let meter = OverlayMeter.waveform(levels, in: Self.room, scale: scale)
        let columns = Dictionary(grouping: meter.sound + meter.rest) { $0.x }
        // As many as there is room for.
        #expect(columns.count == 60)
        let height = Int((34 * scale).rounded())
        for (x, areas) in columns {
            let filled = areas.filter { $0.height > 0 }.sorted { $0.y < $1.y }
            #expect(filled.first?.y == Int((15 * scale).rounded()))
            #expect(filled.map(\.height).reduce(0, +) == height)
            for (upper, lower) in zip(filled, filled.dropFirst()) {
                #expect(upper.y + upper.height == lower.y, "\(x)")
            }
            #expect(Set(areas.map(\.width)).count == 1)
        }
        // Columns do not touch.
        let sorted = meter.sound.sorted { $0.x < $1.x }
        for (left, right) in zip(sorted, sorted.dropFirst()) { #expect(left.x + left.width < right.x) }
        #expect(meter.sound.allSatisfy { $0.height >= Int((2 * scale).rounded()) })
    }

    @Test("if nothing was heard yet, nothing is left of an earlier recording")
    func beginning() {
        let meter = OverlayMeter.waveform([0.5], in: Self.room, scale: 1)
        let bars = meter.sound.filter { $0.height > 0 }
        #expect(bars == [ScreenArea(x: 336, y: 23, width: 3, height: 17)])
        let rest = meter.rest.reduce(0) { $0 + $1.width * $1.height }
        #expect(rest == 60 * 3 * 34 - 3 * 17)
        let none = OverlayMeter.Room(x: 0, y: 0, width: -9, height: 34)
        #expect(OverlayMeter.waveform([0.5], in: none, scale: 1) == OverlayMeter())
    }

    @Test("without movement it is one bar, whose rest ends where its room does", arguments: [0.0, 0.5, 1])
    func level(level: Double) throws {
        let room = OverlayMeter.Room(x: 68, y: 28, width: 264, height: 8)
        let meter = OverlayMeter.level(level, in: room, scale: 2)
        let (sound, rest) = (try #require(meter.sound.first), try #require(meter.rest.first))
        #expect(sound == ScreenArea(x: 136, y: 56, width: Int(528 * level), height: 16))
        #expect(rest.x == sound.x + sound.width)
        #expect(rest.x + rest.width == 136 + 528)
    }

    @Test("a color is the pixel that it was written as")
    func pixels() {
        for color in [0x000000, 0x1B1D22, 0xE5484D, 0xFFFFFF] {
            #expect(OverlayColor(color).pixel == UInt32(color))
        }
    }
}
