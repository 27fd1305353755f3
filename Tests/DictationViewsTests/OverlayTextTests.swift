import Desktop
import DictationSettings
import Testing

@testable import DictationViews

@Suite("The words in the overlay")
struct OverlayTextTests {
    /// The pixels of two lines of words that are not background.
    private func ink(_ text: String) -> Int {
        let painter = OverlayPainter(width: 420, height: 104, scale: 1, theme: .dark, isMotionReduced: true)
        let scene = OverlayScene.recording(text: text)
        guard let picture = painter.pictures(of: scene, sound: OverlaySound(), isWhole: true).first else {
            return 0
        }
        let background = OverlayPalette(.dark).background.pixel & 0xFF_FFFF
        return (60..<100).reduce(0) { count, y in
            let line = UnsafeRawPointer(picture.bytes + y * picture.stride)
            return (20..<400).reduce(count) { count, x in
                let pixel = line.load(fromByteOffset: x * 4, as: UInt32.self) & 0xFF_FFFF
                return count + (pixel == background ? 0 : 1)
            }
        }
    }

    @Test(
        "a text that is too long loses its beginning, and fills both lines with its end",
        arguments: [
            "Words with spaces between them. ", "今天天气很好我们去公园散步吧。", "anEndlessWordThatNoLineIsLongEnoughFor",
            "كلمات بينها مسافات تكتب من اليمين. ", "👩‍👩‍👧‍👦🎙️", "Zeilen\nmit\nUmbrüchen\n",
        ])
    func long(part: String) {
        let short = ink(part)
        for count in [30, 300] {
            #expect(ink(String(repeating: part, count: count)) > 2 * short)
        }
    }
}
