import Desktop

/// The key strokes for a text on a given keyboard: a value, with no display near it.
///
/// A segment binds the spare keys once, to what the layout lacks; its batches are typed one after another, and the
/// focus is checked before each.
struct TypingPlan: Equatable, Sendable {
    struct Binding: Equatable, Sendable {
        let keycode: UInt8
        /// Whether Shift is held with it. Then the same key without Shift is bound too.
        var isShifted = false
        let keysym: UInt32
    }

    /// How much of the text is done.
    struct Extent: Equatable, Sendable {
        /// Whole ones, as a user counts them.
        var characters = 0
        /// Unicode scalars, including those of a character that is typed in part.
        var scalars = 0

        static func + (left: Extent, right: Extent) -> Extent {
            Extent(
                characters: left.characters + right.characters, scalars: left.scalars + right.scalars)
        }
    }

    struct Step: Equatable, Sendable {
        let stroke: KeyboardMap.KeyStroke
        /// Once this key is pressed.
        let done: Extent
    }

    struct Batch: Equatable, Sendable {
        var steps: [Step] = []
        /// When this batch has been typed.
        var done = Extent()

        var strokes: [KeyboardMap.KeyStroke] { steps.map(\.stroke) }
    }

    struct Segment: Equatable, Sendable {
        var bindings: [Binding] = []
        var batches: [Batch] = []
    }

    /// At most this many keys follow one check of the focus, and they are sent while it cannot move. A check
    /// costs three round trips and a pause, some 0.4 ms; with half as many keys, typing into xterm would take
    /// 50 % longer.
    static let batchLimit = 32

    private(set) var segments: [Segment] = []
    /// Whether there is no key to press.
    var isEmpty: Bool { segments.allSatisfy { $0.batches.allSatisfy(\.steps.isEmpty) } }
    /// Characters that no key can enter here; they are left out.
    private(set) var dropped: [Character] = []
    let characterCount: Int
    /// Whether the keyboard can not give what the text needs. Control characters are left out on purpose.
    var isLacking: Bool {
        dropped.contains { character in
            !character.unicodeScalars.allSatisfy { $0.properties.generalCategory == .control }
        }
    }

    private let map: KeyboardMap
    /// By keysym.
    private var bound: [UInt32: KeyboardMap.KeyStroke] = [:]

    init(text: String, map: KeyboardMap, options: TypingOptions) {
        self.map = map
        characterCount = text.count
        var done = Extent()
        for character in text {
            let before = done
            done.characters += 1
            done.scalars += character.unicodeScalars.count
            append(character, options: options, from: before, to: done)
        }
        if let last = segments.indices.last, let batch = segments[last].batches.indices.last {
            // Characters that are left out at the end are done too.
            segments[last].batches[batch].done = done
        }
    }

    init(presses key: EditingKey, count: Int, map: KeyboardMap) {
        self.map = map
        characterCount = count
        let found = map.entries.first { $0.level == .plain && $0.keysym == key.keysym }
        for index in 0..<max(count, 0) {
            let want = found.map { Want.stroke(.init(keycode: $0.keycode, level: key.level)) }
            append(
                [want ?? .bound(key.keysym, key.level)], from: Extent(characters: index, scalars: index),
                to: Extent(characters: index + 1, scalars: index + 1))
        }
    }

    private enum Want: Equatable {
        case stroke(KeyboardMap.KeyStroke)
        case bound(UInt32, KeyboardMap.Level)
    }

    private mutating func append(
        _ character: Character, options: TypingOptions, from before: Extent, to done: Extent
    ) {
        if let stroke = map.stroke(forPrintable: character), let segment = segments.indices.last,
            let batch = segments[segment].batches.indices.last,
            segments[segment].batches[batch].steps.count < Self.batchLimit
        {
            segments[segment].batches[batch].steps.append(Step(stroke: stroke, done: done))
            segments[segment].batches[batch].done = done
            return
        }
        // Most others (accents, quotes, dashes) need only one key too.
        if let scalar = character.soleGraphic, let want = want(scalar), !segments.isEmpty, isAtHand(want) {
            add(want, from: before, to: done)
            return
        }
        let wants = wants(for: character, options: options)
        if wants.isEmpty { dropped.append(character) }
        append(wants, from: before, to: done)
    }

    private mutating func append(_ wants: [Want], from before: Extent, to done: Extent) {
        if wants.count == 1, !segments.isEmpty, isAtHand(wants[0]) {
            add(wants[0], from: before, to: done)
            return
        }
        // A character is not split, neither by a change of the bindings nor by a check of the focus, as far as the number
        // of spare keys and the size of a batch allow.
        let new = Set(
            wants.compactMap { want in
                if case .bound(let sym, _) = want, bound[sym] == nil { sym } else { nil }
            })
        if segments.isEmpty || bound.count + new.count > map.spareStrokes.count && !bound.isEmpty {
            beginSegment(from: before)
        }
        if let batch = lastBatch, !batch.steps.isEmpty, batch.steps.count + wants.count > Self.batchLimit {
            segments[segments.count - 1].batches.append(Batch(done: before))
        }
        var torn = before
        for want in wants.dropLast() {
            let start = torn
            torn.scalars += 1
            add(want, from: start, to: torn)
        }
        if let last = wants.last {
            add(last, from: torn, to: done)
        } else {
            segments[segments.count - 1].batches[lastBatchIndex].done = done
        }
    }

    private func isAtHand(_ want: Want) -> Bool {
        switch want {
        case .stroke: true
        case .bound(let keysym, _): bound[keysym] != nil || bound.count < map.spareStrokes.count
        }
    }

    private mutating func add(_ want: Want, from before: Extent, to done: Extent) {
        let stroke: KeyboardMap.KeyStroke
        switch want {
        case .stroke(let key): stroke = key
        case .bound(let keysym, let level):
            let known = bound[keysym]
            if known == nil && bound.count == map.spareStrokes.count { beginSegment(from: before) }
            let key = known ?? map.spareStrokes[bound.count]
            if known == nil {
                bound[keysym] = key
                segments[segments.count - 1].bindings.append(
                    Binding(keycode: key.keycode, isShifted: key.level == .shift, keysym: keysym))
            }
            stroke = .init(keycode: key.keycode, level: key.level.union(level))
        }
        if lastBatch?.steps.count == Self.batchLimit {
            segments[segments.count - 1].batches.append(Batch(done: before))
        }
        segments[segments.count - 1].batches[lastBatchIndex].steps.append(Step(stroke: stroke, done: done))
        segments[segments.count - 1].batches[lastBatchIndex].done = done
    }

    private mutating func beginSegment(from before: Extent) {
        // A segment that a long character fills by itself leaves no empty one after it.
        bound = [:]
        segments.append(Segment(batches: [Batch(done: before)]))
    }

    private var lastBatchIndex: Int { segments[segments.count - 1].batches.count - 1 }
    private var lastBatch: Batch? { segments.last?.batches.last }

    /// The keys of one character; empty when it cannot or must not be typed.
    private func wants(for character: Character, options: TypingOptions) -> [Want] {
        if character.isNewline, character.unicodeScalars.first != "\u{85}" {
            switch options.newline {
            case .return: return want("\n").map { [$0] } ?? []
            case .space: return want(" ").map { [$0] } ?? []
            case .shiftReturn:
                switch want("\n") {
                case .stroke(let key)?:
                    return [.stroke(.init(keycode: key.keycode, level: key.level.union(.shift)))]
                case .bound(let keysym, let level)?: return [.bound(keysym, level.union(.shift))]
                case nil: return []
                }
            }
        }
        if character == "\t" {
            return want(options.tab == .key ? "\t" : " ").map { [$0] } ?? []
        }
        // In a text it is a control character like any other.
        if character == "\u{1b}", !options.pressesEscape { return [] }
        let wants = character.unicodeScalars.compactMap(want)
        // All or nothing: half a character would be another one.
        return wants.count == character.unicodeScalars.count ? wants : []
    }

    private func want(_ scalar: Unicode.Scalar) -> Want? {
        if let stroke = map.strokes[scalar] { return .stroke(stroke) }
        guard !map.spareKeycodes.isEmpty, let keysym = Keysym.entering(scalar) else { return nil }
        return .bound(keysym, .plain)
    }
}

/// The keys to type, independent of the keyboard.
enum TypingWork: Equatable, Sendable {
    case text(String, TypingOptions)
    /// Presses a key this many times.
    case presses(EditingKey, Int)

    /// In characters.
    var count: Int {
        switch self {
        case .text(let text, _): text.count
        case .presses(_, let count): count
        }
    }

    func plan(on map: KeyboardMap) -> TypingPlan {
        switch self {
        case .text(let text, let options): TypingPlan(text: text, map: map, options: options)
        case .presses(let key, let count): TypingPlan(presses: key, count: count, map: map)
        }
    }

    /// The rest, after this many characters.
    func dropping(_ done: Int) -> TypingWork {
        switch self {
        case .text(let text, let options): .text(String(text.dropFirst(done)), options)
        case .presses(let key, let count): .presses(key, count - done)
        }
    }
}

/// A key that edits the text before the caret.
enum EditingKey: Equatable, Sendable {
    /// Removes the character before it.
    case backspace
    /// Shift and Left: selects it.
    case selectLeft

    var keysym: UInt32 {
        switch self {
        case .backspace: Keysym.backspace
        case .selectLeft: Keysym.left
        }
    }

    var level: KeyboardMap.Level { self == .selectLeft ? .shift : .plain }
}

extension Character {
    /// Its only scalar, if that is neither ASCII nor a control character, a line's or a paragraph's end.
    fileprivate var soleGraphic: Unicode.Scalar? {
        let scalars = unicodeScalars
        guard let first = scalars.first, first.value > 0x9f, first != "\u{2028}", first != "\u{2029}",
            scalars.index(after: scalars.startIndex) == scalars.endIndex
        else { return nil }
        return first
    }
}
