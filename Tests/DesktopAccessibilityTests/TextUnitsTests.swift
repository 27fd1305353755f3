import Testing

@testable import DesktopAccessibility

@Suite("In what a toolkit counts a text")
struct TextUnitsTests {
    @Test(
        "as it names itself",
        arguments: [
            ("gtk", TextUnits.scalars), ("GTK", .scalars), ("Qt", .utf16), ("clutter", .clutter),
            ("", .scalars),
        ])
    func named(toolkit: String, units: TextUnits) {
        #expect(TextUnits(toolkit: toolkit) == units)
    }

    @Test(
        "a caret that is reported as none is at the end in Clutter only",
        arguments: [
            (TextUnits.clutter, -1, 7), (.clutter, 0, 0), (.clutter, 3, 3), (.clutter, -2, nil),
            (.scalars, -1, nil), (.scalars, 7, 7), (.utf16, -1, nil), (.utf16, 2, 2),
        ] as [(TextUnits, Int, Int?)])
    func caret(units: TextUnits, told: Int, place: Int?) {
        #expect(units.caret(told, length: 7) == place)
    }

    @Test(
        "positions and lengths",
        arguments: [(TextUnits.scalars, 3, 9), (.clutter, 3, 9), (.utf16, 4, 4)])
    func counted(units: TextUnits, count: Int, length: Int) {
        #expect(units.count(of: "日é👍") == count)
        #expect(units.length(of: "日é👍") == length)
    }
}
