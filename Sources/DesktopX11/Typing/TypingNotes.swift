import CX11
import DictationSystem

extension TypingJournal {
    /// The notes of a typist that was killed.
    struct LeftOver: Equatable {
        /// The locks to be set again, the window typed into, and the keys to be emptied; nil if it was not typing.
        var undo: Undo?
        /// Which text was typed, and what was noted of it; nil if it typed none that is known by name.
        var text: String?
        var progress: Progress?
        /// The pastes that were under way, or had not been answered when it began.
        var pastes: [Paste] = []
        /// The text was given to an application that may have dropped it again: it is unknown whether it is
        /// there.
        var isGiven = false
        let holder: Window
        /// Whether it belonged to this journal's owner. Only the owner learns how far it got.
        let isOwn: Bool
    }

    struct Undo: Equatable {
        var locks: UInt32 = 0
        var window: Window
        /// They were on, and are off.
        var controls: KeyControls = []
        var bindings: [TypingPlan.Binding] = []
    }

    /// A paste whose owner may be killed before it has answered.
    struct Paste: Equatable {
        var window: Window
        /// When the application has certainly stopped waiting, in seconds of ``BootClock``.
        var end: UInt

        /// The X Toolkit, which xterm uses, waits for five seconds (`XtAppSetSelectionTimeout`), and so does Qt
        /// (`QXcbClipboard`).
        private static let longestWait: UInt = 6

        init(into window: Window) {
            self.init(window: window, end: UInt(BootClock.seconds) + Self.longestWait)
        }

        init(window: Window, end: UInt) { (self.window, self.end) = (window, end) }

        var isOver: Bool { BootClock.seconds >= Double(end) }
    }

    struct Progress: Equatable {
        /// Unicode scalars typed.
        var count: Int
        /// The key that is pressed next (0: none that is known yet), and the count once it was.
        var next: UInt8 = 0
        var then = 0

        func count(whenPressed keycodes: Set<UInt8>) -> Int { keycodes.contains(next) ? then : count }
    }
}

// MARK: As in a property

extension TypingJournal.Undo {
    /// Added to the keycode of a binding; no keycode has it.
    private static let shifted: UInt = 0x100

    /// - Returns: nil if it is not ours.
    init?(words: [UInt]) {
        guard words.count >= 3 else { return nil }
        locks = UInt32(truncatingIfNeeded: words[0])
        window = words[1]
        controls = KeyControls(rawValue: UInt32(truncatingIfNeeded: words[2]))
        bindings = stride(from: 3, to: words.count - 1, by: 2).compactMap { index in
            UInt8(exactly: words[index] & ~Self.shifted).map {
                .init(
                    keycode: $0, isShifted: words[index] & Self.shifted != 0,
                    keysym: UInt32(truncatingIfNeeded: words[index + 1]))
            }
        }
    }

    var words: [UInt] {
        [UInt(locks), window, UInt(controls.rawValue)]
            + bindings.flatMap { binding in
                [UInt(binding.keycode) | (binding.isShifted ? Self.shifted : 0), UInt(binding.keysym)]
            }
    }
}

extension TypingJournal.Progress {
    /// - Returns: nil if it is not ours.
    init?(words: [UInt]) {
        guard words.count == 3, let next = UInt8(exactly: words[1]) else { return nil }
        (count, self.next, then) = (Int(words[0]), next, Int(words[2]))
    }

    /// The count is negative while the space before the text is typed.
    var words: [UInt] { [UInt(max(count, 0)), UInt(next), UInt(max(then, 0))] }
}
