import CX11
import Desktop
import Foundation
import TestSupport
import Testing

@testable import DesktopX11

/// Keyboard maps as other programs may load them. With any map the typist continues, and reports the text that
/// it cannot type.
@Suite("Odd keyboard maps", .serialized, .timeLimit(.minutes(15)))
struct OddKeyboardsTests {
    /// The map that `wtype -k F9` loads.
    private static let oneKey = OddMap(
        keys: OddMap.keycodes.map { [$0 == 9 ? XK_F9 : XK_VoidSymbol] }, modifiers: [])

    @Test(
        "one key and no modifiers: a typist starts, says that it can not type, and types when there are keys again"
    )
    func oneKey() async throws {
        let display = try TestDisplay()
        let sink = try Sink(.xterm, on: display, title: "target")
        let before = try Typist(display: display.name)
        try Self.oneKey.load(on: display)
        let after = try Typist(display: display.name)
        for typist in [before, after] {
            try await typist.getReady()
            #expect(try await typist.type("text") == .stopped(0, reason: .noKeys))
        }
        let survey = try KeyboardSurvey(display: display.name)
        #expect(survey == KeyboardSurvey(characters: 0, spareKeys: 0))
        try display.run("setxkbmap", "us")
        for typist in [before, after] {
            try await typist.getReady()
            #expect(try await typist.type("text é") == .typed(6))
            #expect(try sink.waitFor("text é") == "text é")
        }
    }

    /// Several displays at once: a terminal does not report when it has read a new map, so most of the time
    /// is waiting.
    @Test("200 random maps")
    func many() async throws {
        let seed = TestSeed.next()
        let counts = try await withThrowingTaskGroup { group in
            for display in 0..<5 {
                group.addTask { try await Self.use(maps: 40, seed: seed + UInt64(display)) }
            }
            return try await group.reduce(into: (typed: 0, refused: 0)) {
                $0 = ($0.typed + $1.typed, $0.refused + $1.refused)
            }
        }
        #expect(counts.typed > 20 && counts.refused > 20, "\(counts)")
    }

    private static func use(maps: Int, seed: UInt64) async throws -> (typed: Int, refused: Int) {
        var random = SeededGenerator(seed: seed)
        let display = try TestDisplay()
        let sink = try Sink(.xterm, on: display, title: "target")
        let typist = try Typist(display: display.name)
        var (typed, refused) = (0, 0)
        for index in 1...maps {
            try OddMap(&random).load(on: display)
            // One that was there before, and sometimes one that starts now.
            let used = index.isMultiple(of: 10) ? try Typist(display: display.name) : typist
            try await used.getReady()
            switch try await used.type("aé") {
            case .typed(2): typed += 1
            case .stopped(0, .noKeys): refused += 1
            case let other: Issue.record("\(other): seed \(seed), map \(index)")
            }
            _ = try KeyboardSurvey(display: display.name)
            guard index.isMultiple(of: 10) else { continue }
            #expect(throws: Never.self, "seed \(seed), map \(index)") { try listen(display) }
        }
        try display.run("setxkbmap", "us")
        try await typist.getReady()
        _ = try sink.whatIsThere()
        #expect(try await typist.type("the end é") == .typed(9))
        #expect(try sink.waitForEnd("the end é").hasSuffix("the end é"))
        return (typed, refused)
    }

    /// A hotkey may be on no key, but asking for it ends nothing.
    private static func listen(_ display: TestDisplay) throws {
        do {
            try HotkeyListener(hotkeys: [Hotkey(parsing: "F9")], display: display.name).stop()
        } catch DesktopError.hotkeyNotOnKeyboard {}
    }

    @Test("maps that change while it types")
    func changing() async throws {
        let seed = TestSeed.next()
        let display = try TestDisplay()
        let sink = try Sink(.xterm, on: display, title: "target")
        let typist = try Typist(display: display.name)
        // A change for each batch of keys, while the next one is typed: a busy machine changes no faster than it types.
        let (batches, batch) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let changes = Task.detached {
            var random = SeededGenerator(seed: seed)
            var count = 0
            for await _ in batches {
                count += 1
                if count.isMultiple(of: 6) {
                    try display.run("setxkbmap", "us")
                } else {
                    try OddMap(&random).load(on: display)
                }
            }
        }
        let text = String(repeating: "some more text, é ", count: 20)
        for _ in 1...20 {
            batch.yield()
            switch try await typist.type(text, progress: { _ in batch.yield() }) {
            case .typed(text.count), .stopped(_, .noKeys), .stopped(_, .escapePressed): break
            case let other: Issue.record("\(other): seed \(seed)")
            }
        }
        batch.finish()
        try await changes.value
        try display.run("setxkbmap", "us")
        #expect(try await typist.type("the end é") == .typed(9))
        #expect(try sink.waitForEnd("the end é").hasSuffix("the end é"))
    }
}

/// A keyboard map as any client can set it.
private struct OddMap {
    static let keycodes = UInt8(8)...UInt8(255)

    /// The symbols of each key: with and without Shift, and the same in further groups; none for a free key.
    let keys: [[Int32]]
    /// For Shift, Lock, Control, and Mod1 to Mod5.
    let modifiers: [UInt8]

    init(keys: [[Int32]], modifiers: [UInt8]) { (self.keys, self.modifiers) = (keys, modifiers) }

    init(_ random: inout SeededGenerator) {
        let count = [0, 1, 2, 5, 30, 248].randomElement(using: &random) ?? 0
        let codes = Array(Self.keycodes.shuffled(using: &random).prefix(count))
        // Keys besides those are free, or used by symbols that are not characters.
        let others = Bool.random(using: &random) ? [] : [XK_VoidSymbol]
        let symbols = [
            XK_a, XK_A, XK_F9, XK_Return, XK_Shift_L, XK_ISO_Level3_Shift, XK_Num_Lock, XK_eacute,
            XK_dead_acute, XK_space, noSymbol, 0x0101_f600, 0x1fff_ffff,
        ]
        keys = Self.keycodes.map { keycode in
            guard codes.contains(keycode) else { return others }
            return (0..<Int.random(in: 0...8, using: &random)).map { _ in
                symbols.randomElement(using: &random) ?? noSymbol
            }
        }
        modifiers =
            Bool.random(using: &random) || codes.isEmpty
            ? [] : (0..<8).map { _ in codes.randomElement(using: &random) ?? 0 }
    }

    func load(on display: TestDisplay) throws {
        let connection = try DisplayConnection(name: display.name)
        // Without modifiers first: they may be keys that go.
        set(modifiers: [], on: connection)
        let width = max(1, keys.map(\.count).max() ?? 1)
        var keysyms = keys.flatMap { key in
            (0..<width).map { KeySym(UInt32(bitPattern: $0 < key.count ? key[$0] : noSymbol)) }
        }
        XChangeKeyboardMapping(
            connection.display, Int32(Self.keycodes.lowerBound), Int32(width), &keysyms, Int32(keys.count))
        connection.sync()
        set(modifiers: modifiers, on: connection)
        connection.sync()
    }

    private func set(modifiers: [UInt8], on connection: DisplayConnection) {
        guard let map = XNewModifiermap(modifiers.isEmpty ? 0 : 1) else { return }
        for (index, keycode) in modifiers.enumerated() { map.pointee.modifiermap[index] = keycode }
        XSetModifierMapping(connection.display, map)
        XFreeModifiermap(map)
    }
}

private let noSymbol: Int32 = 0

extension Sink {
    /// Reads until the text has this end; returns it.
    fileprivate func waitForEnd(_ text: String) throws -> String {
        var all = ""
        while !all.hasSuffix(text) { all += try waitFor("?") }
        return all
    }
}
