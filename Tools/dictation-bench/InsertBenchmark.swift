import DesktopX11
import DictationService
import DictationShared
import Foundation

/// Inserts the same texts into the same windows in several ways, one after another in each round.
struct InsertBenchmark {
    enum Method: String, CaseIterable, Encodable {
        case ours
        case xdotool
        case xdotoolDelay0
        case paste
        case wtype

        static func all(on display: VirtualDesk.Display) -> [Method] {
            switch display {
            case .x11: [.ours, .xdotool, .xdotoolDelay0, .paste]
            case .wayland: [.ours, .wtype]
            // No other method can type there.
            case .gnome: [.ours]
            }
        }
    }

    struct Sample: Encodable {
        let isExact: Bool
        /// From the start to the last change that the window saw, and to the first one; in milliseconds.
        let last: Double?
        let first: Double?
        /// From the commit to the first key, for `ours`; on Wayland to the first character in the window,
        /// because the key is not visible.
        let key: Double?
    }

    struct Row: Encodable {
        let window: String
        let text: String
        let characters: Int
        let method: Method
        let exact: Int
        let trials: Int
        /// Of the exact trials, or of all if none is: the median, in milliseconds.
        let milliseconds: Double?
        let charactersPerSecond: Double?
        let firstMilliseconds: Double?
        let bellToKeyMilliseconds: Double?
    }

    struct Report: Encodable {
        let rows: [Row]
        /// Of the texts that are typed in every window.
        let bellToKey: Figures
        /// Windows that are not installed here.
        let missing: [String]
    }

    let trials: Int
    let sinks: [InsertSink]
    let methods: [Method]
    /// The length from which ours may paste a text; 0 for never.
    let pasteFrom: Int
    let desk: InsertDesk
    let progress: (String) -> Void

    static let texts: [(name: String, text: String)] = [
        ("sentence", String(prose.prefix(99)) + "."), ("prose", String(prose.prefix(500))),
        ("accents", String(accents.prefix(300))),
    ]
    private static let prose = String(
        repeating: """
            The meeting isn't on Monday; it's at 10:30 on Tuesday, in room 4 (second floor). Please bring the \
            "blue" folder, 25 copies, and $40 for the lunch - thanks! Ask O'Brien & Sons about 50% off.  \

            """, count: 4)
    private static let accents = String(
        repeating: """
            “Größe” kostet 12,50 € – Äpfel, Öl, Übermut. ‘Voilà’, dit-elle — c’est l’été à Besançon: œuvre, naïve, \
            Noël, garçon… ¿Qué tal, señor? Łódź, żółć. Příliš žluťoučký kůň; Århus, smørrebrød.  \

            """, count: 3)

    func run() throws -> Report {
        var rows: [Row] = []
        var keys: [Double] = []
        for sink in sinks {
            try desk.open(sink)
            defer { desk.close() }
            var samples: [Turn: [Sample]] = [:]
            for turn in turns(in: sink) {
                let (name, text) = Self.texts[turn.text]
                let trial = samples[turn, default: []].count + 1
                progress("\(sink.rawValue), \(name), \(turn.method.rawValue): \(trial) of \(trials)")
                samples[turn, default: []].append(try sample(turn.method, text, sink))
            }
            for (index, (name, text)) in Self.texts.enumerated() {
                if pasteFrom == 0 || text.count < pasteFrom {
                    keys += samples[Turn(text: index, method: .ours), default: []].compactMap(\.key)
                }
                for method in methods {
                    let trials = samples[Turn(text: index, method: method)] ?? []
                    rows.append(Self.row(sink, name, text, method, trials))
                }
            }
        }
        return Report(
            rows: rows, bellToKey: Figures(nanoseconds: keys.map { Int64($0 * 1e6) }),
            missing: InsertSink.all(on: desk.display).filter { !sinks.contains($0) }.map(\.rawValue))
    }

    /// A text and the way that it goes.
    private struct Turn: Hashable {
        /// Its place among the texts.
        let text: Int
        let method: Method
    }

    /// All trials in a window, in their order. The ways take turns, except in Chromium on Wayland: wtype gives characters to
    /// keys such as F1 and F7, by which Chromium opens other windows, and no way finds its text field any more.
    private func turns(in sink: InsertSink) -> [Turn] {
        let texts = Self.texts.indices
        guard sink == .chromium, desk.display == .wayland else {
            return texts.flatMap { text in
                (0..<trials).flatMap { _ in methods.map { Turn(text: text, method: $0) } }
            }
        }
        return methods.sorted { $0 == .ours && $1 != .ours }.flatMap { method in
            texts.flatMap { Array(repeating: Turn(text: $0, method: method), count: trials) }
        }
    }

    private func sample(_ method: Method, _ text: String, _ sink: InsertSink) throws -> Sample {
        try desk.clear()
        // As on a desktop: nothing has just happened.
        MonotonicTime.pause(nanoseconds: 200_000_000)
        let held = method == .ours ? try desk.hold(text) : nil
        var start = MonotonicTime.now()
        var key: Int64?
        var bell: Int64?
        switch method {
        case .ours:
            guard let held else { break }
            let revision = try desk.store.revision()
            start = MonotonicTime.now()
            // This commit does not wait for the disk, and so returns when the bell has rung.
            try desk.store.apply(.requeued, to: held)
            let rung = MonotonicTime.now()
            bell = rung
            if try desk.keys?.wait(atMost: .seconds(10)) == true { key = MonotonicTime.now() - rung }
            try desk.awaitDelivery(of: held, since: revision)
        case .xdotool: try desk.run("xdotool", ["type", "--file", "-"], input: text)
        case .xdotoolDelay0: try desk.run("xdotool", ["type", "--delay", "0", "--file", "-"], input: text)
        case .wtype: try desk.run("wtype", ["-"], input: text)
        case .paste:
            try desk.run("xclip", ["-selection", sink.selection], input: text)
            try desk.run("xdotool", ["key", "shift+Insert"])
        }
        // The window's own stamps are what counts, so it does not matter how often it is asked.
        let limit = start + 30_000_000_000
        var content = try desk.content()
        var lastNews = MonotonicTime.now()
        var seen = content.last
        while content.text.count < text.count || MonotonicTime.now() - lastNews < 300_000_000 {
            if content.last != seen {
                seen = content.last
                lastNews = MonotonicTime.now()
            }
            // Some lose characters for good.
            if content.last != nil && MonotonicTime.now() - lastNews > 1_500_000_000 { break }
            if MonotonicTime.now() > limit { break }
            MonotonicTime.pause(nanoseconds: 20_000_000)
            content = try desk.content()
        }
        if desk.keys == nil, let bell, let first = content.first { key = first - bell }
        func milliseconds(_ time: Int64?) -> Double? { time.map { Double($0 - start) / 1e6 } }
        return Sample(
            isExact: content.text == text, last: milliseconds(content.last),
            first: milliseconds(content.first), key: key.map { Double($0) / 1e6 })
    }

    private static func row(
        _ sink: InsertSink, _ name: String, _ text: String, _ method: Method, _ samples: [Sample]
    ) -> Row {
        let exact = samples.filter(\.isExact)
        let times = exact.isEmpty ? samples : exact
        let last = times.compactMap(\.last).nearest(toRank: 0.5)
        return Row(
            window: sink.rawValue, text: name, characters: text.count, method: method, exact: exact.count,
            trials: samples.count, milliseconds: last,
            charactersPerSecond: last.map { Double(text.count) / $0 * 1_000 },
            firstMilliseconds: times.compactMap(\.first).nearest(toRank: 0.5),
            bellToKeyMilliseconds: times.compactMap(\.key).nearest(toRank: 0.5))
    }
}
