import Desktop
import DictationSettings
import Testing

@testable import DictationViews

@Suite("Where the overlay is")
struct OverlayPlacementTests {
    private static let left = ScreenArea(x: 0, y: 0, width: 1_920, height: 1_080)
    private static let right = ScreenArea(x: 1_920, y: 200, width: 1_280, height: 800)

    @Test("on the monitor that holds the middle of the focused window")
    func monitor() {
        let monitors = [Self.left, Self.right]
        func monitor(_ x: Int) -> ScreenArea? {
            OverlayPlace.monitor(of: ScreenArea(x: x, y: 300, width: 400, height: 300), among: monitors)
        }
        #expect(monitor(100) == Self.left)
        #expect(monitor(1_719) == Self.left)
        #expect(monitor(1_720) == Self.right)
        #expect(monitor(9_000) == Self.left)
        #expect(OverlayPlace.monitor(of: nil, among: monitors) == Self.left)
        #expect(OverlayPlace.monitor(of: nil, among: []) == nil)
    }

    @Test(
        "by the desktop's scale and the wished size, within reason",
        arguments: [
            (nil, OverlaySize.medium, 1.0), (96.0, .medium, 1.0), (192.0, .medium, 2.0), (144.0, .large, 2.1),
            (96.0, .small, 0.8), (1.0, .medium, 0.5), (9_600.0, .medium, 4.0), (-5.0, .medium, 0.5),
        ])
    func scale(dpi: Double?, size: OverlaySize, scale: Double) {
        #expect(abs(OverlayPlace(position: .top, size: size).scale(dpi: dpi) - scale) < 1e-9)
    }

    @Test(
        "always within the monitor, however small that is",
        arguments: OverlayPosition.allCases,
        [1.0, 2.0, 4.0])
    func within(position: OverlayPosition, scale: Double) {
        for monitor in [Self.left, Self.right, ScreenArea(x: -300, y: 50, width: 200, height: 60)] {
            let area = OverlayPlace(position: position, size: .medium).area(on: monitor, scale: scale)
            #expect(area.x >= monitor.x && area.x + area.width <= monitor.x + monitor.width)
            #expect(area.y >= monitor.y && area.y + area.height <= monitor.y + monitor.height)
        }
    }

    @Test("where the settings say")
    func positions() {
        func place(_ position: OverlayPosition) -> (Int, Int) {
            let area = OverlayPlace(position: position, size: .medium).area(on: Self.right, scale: 1)
            return (area.x, area.y)
        }
        #expect(place(.topLeft) == (1_944, 224))
        #expect(place(.bottomRight) == (3_200 - 420 - 24, 1_000 - 104 - 72))
        #expect(place(.top) == (1_920 + 430, 224))
        #expect(place(.center) == (1_920 + 430, 200 + 348))
    }

    @Test("every theme can be read", arguments: OverlayTheme.allCases)
    func contrast(theme: OverlayTheme) {
        let palette = OverlayPalette(theme)
        #expect(OverlayPalette.contrast(palette.text, palette.background) >= 7)
        #expect(OverlayPalette.contrast(palette.faint, palette.background) >= 4.5)
        // White signs on discs: 3 to 1 for their size.
        for color in [palette.alarm, palette.good] {
            #expect(OverlayPalette.contrast(OverlayColor(0xFFFFFF), color) >= 3)
        }
    }
}
