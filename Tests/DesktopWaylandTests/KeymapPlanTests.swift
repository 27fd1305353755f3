import Desktop
import Testing

@testable import DesktopWayland

@Suite("The keyboard maps and keys of a text")
struct KeymapPlanTests {
    private func plan(
        _ text: String, _ options: TypingOptions = TypingOptions(), current: TypingKeymap = TypingKeymap()
    ) -> KeymapPlan { KeymapPlan(text, options: options, current: current) }

    /// Reads a plan's keys as an application does.
    private func read(_ plan: KeymapPlan, current: TypingKeymap = TypingKeymap()) -> String {
        var keymap = current
        var text = String.UnicodeScalarView()
        for step in plan.steps {
            if let change = step.keymap { keymap = change }
            for stroke in step.strokes {
                let all = (32..<127).compactMap { Unicode.Scalar($0) } + keymap.extras
                text.append(all.first { keymap[$0] == stroke } ?? "\n")
            }
        }
        return String(text)
    }

    @Test("ASCII needs no map of its own, and has a keyboard's usual keys")
    func ascii() {
        let text = String((32..<127).compactMap { Unicode.Scalar($0) }.map(Character.init))
        let plan = plan(text)
        #expect(plan.steps.allSatisfy { $0.keymap == nil && $0.strokes.count == 1 })
        #expect(read(plan) == text)
        #expect(
            plan.steps[Int(UInt8(ascii: "A")) - 32].strokes == [TypingKeymap.Stroke(key: 30, modifiers: 1)])
    }

    @Test("Escape is a key if it is requested, and left out of a text")
    func escape() {
        #expect(plan("\u{1b}", .init(pressesEscape: true)).steps.map(\.strokes) == [[.escape]])
        #expect(plan("\u{1b}").steps.map(\.strokes) == [[]])
        #expect(NativeChoice.needsKeys("\u{1b}", options: .init(pressesEscape: true)))
        #expect(!NativeChoice.needsKeys("\u{1b}", options: .init()))
    }

    @Test("other characters share one map as long as there is room")
    func extras() {
        let plan = plan("naïve – 日本語 👩‍💻")
        #expect(plan.steps.compactMap(\.keymap).count == 1)
        #expect(read(plan) == "naïve – 日本語 👩‍💻")
    }

    @Test("a text with more characters than fit gets several maps, each where the last one ends")
    func several() {
        let scalars = (0..<(TypingKeymap.capacity * 2 + 10)).compactMap { Unicode.Scalar(0x4E00 + $0) }
        let text = String(String.UnicodeScalarView(scalars))
        let plan = plan(text)
        let changes = plan.steps.indices.filter { plan.steps[$0].keymap != nil }
        #expect(changes == [0, TypingKeymap.capacity, TypingKeymap.capacity * 2])
        #expect(read(plan) == text)
    }

    @Test("the next text uses the map that is there")
    func kept() throws {
        let first = try #require(plan("é").steps[0].keymap)
        #expect(plan("éa é", current: first).steps.allSatisfy { $0.keymap == nil })
        // Characters that were there stay if there is room.
        let second = try #require(plan("ü", current: first).steps[0].keymap)
        #expect(second.extras == ["ü", "é"])
    }

    @Test(
        "newlines and tabs are keys, and other control characters are left out",
        arguments: [
            (TypingOptions(newline: .return), [TypingKeymap.Stroke.enter]),
            (TypingOptions(newline: .shiftReturn), [.shiftEnter]), (TypingOptions(newline: .space), [.space]),
        ])
    func named(options: TypingOptions, strokes: [TypingKeymap.Stroke]) {
        #expect(plan("\n", options).steps.map(\.strokes) == [strokes])
        #expect(plan("\r\n", options).steps.map(\.strokes) == [strokes])
        #expect(plan("\u{1B}", options).steps.map(\.strokes) == [[]])
        #expect(plan("\t", options).steps.map(\.strokes) == [[.space]])
        #expect(plan("\t", TypingOptions(tab: .key)).steps.map(\.strokes) == [[.tab]])
    }
}
