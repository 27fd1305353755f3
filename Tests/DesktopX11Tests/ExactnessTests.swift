import Desktop
import DictationSystem
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DesktopX11

/// Every kind of text, on every layout, under every disturbance, in every application: the final text is the
/// given text, scalar for scalar, and the keyboard is unchanged.
@Suite("Exactness", .serialized, .timeLimit(.minutes(10)))
struct ExactnessTests {
    /// A paragraph each: a text area lays out a paragraph again with each of its characters.
    static let texts = [
        "Plain: “It's 10:30,” she said - 50% of $40 & <b>, {x}[y] ~^`\\|#@!?\n",
        "Größe, façade, naïve, ÉTÉ, ‘quotes’ – dash — em… 12,50 € £ ¥\n",
        "Привет, мир! Ελλάδα, ώρα. 日本語テスト 中文 한국어\n",
        "👩‍👩‍👧‍👦 🇩🇪 👍🏽 ❤️ 🏳️‍🌈 e\u{301} done\n",
    ]

    /// The layout of the keyboard when the text comes.
    enum Layout: String, CaseIterable {
        case us, de, fr, dvorak, latin, russian

        var arguments: [String] {
            switch self {
            case .us, .de, .fr: ["-layout", rawValue]
            case .dvorak: ["-layout", "us", "-variant", "dvorak"]
            case .latin, .russian: ["-layout", "us,ru"]
            }
        }
        var group: UInt32 { self == .russian ? 1 : 0 }
    }

    /// The action of the user during the text.
    enum Disturbance: Equatable {
        case none
        case lock(String, mask: UInt8)
        /// Held from before the text until after it.
        case held(UInt32)
        /// Pressed and released in the middle of it.
        case pressed(UInt32)
        /// Another layout is chosen in the middle.
        case switched

        static let modifiers: [UInt32] = [50, 37, 64, 133]  // Shift, Control, Alt, Super, all on the left
        static let all: [Disturbance] =
            [.none, .lock("Caps_Lock", mask: 2), .lock("Num_Lock", mask: 16)]
            + modifiers.map(Disturbance.held) + modifiers.map(Disturbance.pressed) + [.switched]
    }

    /// Each application with each layout; with `EXACTNESS=turns` the applications take turns: each layout comes once.
    private static let desks = Layout.allCases.enumerated().flatMap { number, layout in
        let kinds = Sink.Kind.installed
        let isInTurns = ProcessInfo.processInfo.environment["EXACTNESS"] == "turns"
        return (isInTurns ? [kinds[number % kinds.count]] : kinds).map { ($0, layout) }
    }

    @Test("each text on each layout under each disturbance", arguments: desks)
    func exact(kind: Sink.Kind, layout: Layout) async throws {
        let desk = try Desk(kind)
        try desk.display.setLayout(layout.arguments)
        try desk.display.lockGroup(layout.group)
        let map = try desk.display.keys()
        for disturbance in Disturbance.all {
            let name = "\(kind), \(layout), \(disturbance)"
            if case .lock(let key, _) = disturbance { try desk.display.tapPhysical(key) }
            for text in Self.texts { try await type(text, on: layout, disturbance, desk) }
            if case .lock(let key, let mask) = disturbance {
                #expect(try desk.display.lockedModifiers() == mask, "\(name)")
                try desk.display.tapPhysical(key)
            }
            #expect(try desk.display.pressedKeycodes() == [], "\(name)")
            #expect(try desk.display.keys() == map, "\(name)")
        }
    }

    private func type(
        _ text: String, on layout: Layout, _ disturbance: Disturbance, _ desk: Desk
    ) async throws {
        let display = desk.display
        let name = "\(desk.sink.kind), \(layout), \(disturbance): \(text)"
        if case .held(let keycode) = disturbance {
            try display.sendPhysical(keycode: keycode, isDown: true)
        }
        let seen = Mutex<Int?>(nil)
        let outcome = try await desk.typist.type(text) { progress in
            let count = progress.sent
            // In the middle, that is after the first batch.
            guard seen.withLock({ $0 }) == nil, count < text.count else { return }
            seen.withLock { $0 = 0 }
            switch disturbance {
            case .pressed(let keycode):
                try display.sendPhysical(keycode: keycode, isDown: true)
                try display.sendPhysical(keycode: keycode, isDown: false)
            case .switched where layout.arguments.contains("us,ru"):
                try display.lockGroup(1 - layout.group)
            case .switched:
                // Applications translate a key when they read it: unread keys are lost.
                try desk.expect(String(text.prefix(count)), name)
                seen.withLock { $0 = count }
                try display.setLayout((layout == .de ? Layout.dvorak : .de).arguments)
            default: break
            }
        }
        #expect(outcome == .typed(text.count), "\(name)")
        if case .held(let keycode) = disturbance {
            #expect(try display.pressedKeycodes() == [UInt8(keycode)], "\(name)")
            try display.sendPhysical(keycode: keycode, isDown: false)
        }
        try desk.expect(String(text.dropFirst(seen.withLock { $0 } ?? 0)), name)
        // The next text begins where this one did.
        guard disturbance == .switched else { return }
        try display.setLayout(layout.arguments)
        try display.lockGroup(layout.group)
    }

    /// A display, a window on it, and a typist.
    private final class Desk: Sendable {
        let display: TestDisplay
        let sink: Sink
        let typist: Typist
        /// The text that a window has got so far. A terminal reports each text separately, a text area has
        /// all of them.
        private let received = Mutex("")

        init(_ kind: Sink.Kind) throws {
            display = try TestDisplay()
            sink = try Sink(kind, on: display, title: "target")
            typist = try Typist(display: display.name)
        }

        func expect(_ text: String, _ name: String) throws {
            try received.withLock { all in
                let expected = sink.kind == .xterm ? text : all + text
                all = try sink.waitFor(expected)
                // Two strings are equal as soon as they look the same.
                try #require(Array(all.unicodeScalars) == Array(expected.unicodeScalars), "\(name)")
            }
        }
    }

    @Test("10,000 characters in one go", arguments: [Sink.Kind.xterm, .gtk, .qt])
    func long(kind: Sink.Kind) async throws {
        let display = try TestDisplay()
        let sink = try Sink(kind, on: display, title: "target")
        let typist = try Typist(display: display.name)
        let text = String(
            String(repeating: "It’s “so”, she said — the café’s naïve résumé cost 5 €.\n", count: 200).prefix(
                10_000))
        // Read at the same time: a window whose output is not read would hang.
        async let received = sink.waitFor(text)
        #expect(try await typist.type(text) == .typed(10_000))
        #expect(try await received == text)
    }
}
