import Desktop

/// The plan for a text: the keys of each character, and the keyboard maps between them.
struct KeymapPlan: Equatable, Sendable {
    /// One character.
    struct Step: Equatable, Sendable {
        /// The map that its keys need; nil if it is that of the step before.
        var keymap: TypingKeymap?
        /// Empty if the character is left out.
        var strokes: [TypingKeymap.Stroke]
    }

    let steps: [Step]

    /// - Parameter current: the map in use, which stays in use for as long as it has all that is needed.
    init(_ text: String, options: TypingOptions, current: TypingKeymap) {
        let characters = text.map { Key(of: $0, options: options) }
        var keymap = current
        var steps: [Step] = []
        steps.reserveCapacity(characters.count)
        for (index, character) in characters.enumerated() {
            var change: TypingKeymap?
            let scalars = character.scalars
            if !scalars.allSatisfy({ keymap[$0] != nil }) {
                keymap = keymap.fitting(characters[index...].lazy.flatMap(\.scalars))
                change = keymap
            }
            let strokes = character.stroke.map { [$0] } ?? scalars.compactMap { keymap[$0] }
            steps.append(Step(keymap: change, strokes: strokes))
        }
        self.steps = steps
    }

    /// A character as it is typed.
    private enum Key {
        case text([Unicode.Scalar])
        case named(TypingKeymap.Stroke)

        init(of character: Character, options: TypingOptions) {
            // U+0085 is a control character that Unicode counts among the newlines.
            if character.isNewline, character != "\u{85}" {
                switch options.newline {
                case .return: self = .named(.enter)
                case .shiftReturn: self = .named(.shiftEnter)
                case .space: self = .named(.space)
                }
            } else if character == "\t" {
                self = .named(options.tab == .key ? .tab : .space)
            } else if character == "\u{1b}", options.pressesEscape {
                self = .named(.escape)
            } else {
                self = .text(character.unicodeScalars.filter { $0.properties.generalCategory != .control })
            }
        }

        var scalars: [Unicode.Scalar] {
            if case .text(let scalars) = self { scalars } else { [] }
        }

        var stroke: TypingKeymap.Stroke? {
            if case .named(let stroke) = self { stroke } else { nil }
        }
    }
}
