import Desktop
import DictationSettings
import DictationSystem

/// How a text is inserted into one window: the settings, with what its profile says.
struct InsertionStyle: Equatable, Sendable {
    var method: InsertMethod
    var pasteKey: PasteKeys
    /// Whether the window is known to paste with that key, so that a long text goes that way.
    var isKnownToPaste: Bool
    /// The changes that the window is known to make to typed keys.
    var alteration: Alteration
    /// Whether the user wants what keys bring there.
    var wantsKeys: Bool
    var isTerminal: Bool
    var newline: NewlineKey
    /// Whether "press enter", said at the end, presses it.
    var pressesEnter: Bool
    var pace: Duration
    var trailingSpace: Bool
    var finalStop: Bool
    var verbatim: Bool
    /// Whether text that was typed while the user spoke may be mended with BackSpaces.
    var mayRevise: Bool

    /// - Parameter name: of the profile that is used for any window.
    init(
        for window: WindowInfo, insert: InsertSettings, profiles: [ProfileSettings],
        profile name: String? = nil
    ) {
        let profile =
            ProfileSettings.first(
                in: profiles, named: name, windowClass: window.windowClass, title: window.title)
            ?? ProfileSettings()
        isTerminal = window.isTerminal
        method = profile.method.value ?? insert.method
        pasteKey = profile.pasteKey.value ?? .shiftInsert
        let known = window.knownAlteration
        isKnownToPaste = profile.pasteKey.value != nil || known != nil
        alteration = known ?? .none
        wantsKeys = profile.method.value == .type
        // A Return may run a command in a terminal.
        newline = profile.newline.value ?? (isTerminal && !profile.pressEnter ? .space : .return)
        pressesEnter = profile.pressEnter
        pace = .milliseconds(profile.pace)
        trailingSpace = profile.trailingSpace
        finalStop = profile.finalStop
        verbatim = profile.verbatim
        mayRevise = insert.revisesLiveText(in: window, profile)
    }

    var options: TypingOptions { TypingOptions(newline: newline) }

    /// Splits off a final Return that must be pressed as a separate key, because it means more than a new
    /// line. If it were pasted, it would neither send a message nor run a command; with another key for new
    /// lines, that key would be pressed instead.
    ///
    /// - Parameter method: the way in which the text is inserted.
    func splitEnter(off text: String, for method: InsertMethod) -> (text: String, isPressed: Bool) {
        let isApart =
            switch method {
            case .type: pressesEnter && newline != .return
            case .paste, .ibus, .xdotool: pressesEnter || newline == .return
            case .copy, .none: false
            }
        // A line separator is a new line that is never Enter.
        let endsInEnter = text.last?.isNewline == true && text.last != "\u{2028}"
        return isApart && endsInEnter ? (String(text.dropLast()), true) : (text, false)
    }

    /// Whether a text has a newline that is Enter there: a command that runs, a message that is sent.
    func isEnter(in text: String) -> Bool {
        (isTerminal && newline == .return || pressesEnter)
            && text.contains { $0.isNewline && $0 != "\u{2028}" }
    }

    /// Whether a text needs no keys in the middle, so that it can be pasted.
    func canPaste(_ text: String) -> Bool {
        options.plain(splitEnter(off: text, for: .paste).text) != nil
    }

    /// What is typed behind a text that is complete: a space, if the profile wants one.
    func end(behind text: String) -> String {
        trailingSpace && text.last?.isWhitespace == false ? " " : ""
    }

    /// The words for this window.
    func words(raw: String, cleaned: String) -> String {
        let words = verbatim && !raw.isEmpty ? raw : cleaned
        guard !finalStop else { return words }
        // Enter, if it was said, is pressed after the text.
        let enter = words.hasSuffix("\n") ? "\n" : ""
        let text = words.dropLast(enter.count)
        // An ellipsis stays whole.
        return text.hasSuffix(".") && !text.hasSuffix("..") ? text.dropLast() + enter : words
    }
}

/// A text with the characters that are put around it in its window.
struct FramedText: Equatable, Sendable {
    /// A space, if the text before ended without one.
    var before = ""
    let body: String
    var after = ""

    var whole: String { before + body + after }

    /// How much of the body is there when `typed` characters of the whole are.
    func bodyCount(of typed: Int) -> Int { min(max(typed - before.count, 0), body.count) }

    init(exactly body: String) { self.body = body }

    /// - Parameters:
    ///   - previous: the text before it, if that is known.
    ///   - isEnd: whether the text ends here.
    init(_ body: String, after previous: String?, style: InsertionStyle, isEnd: Bool = true) {
        self.body = body
        if let last = previous?.last, let first = body.first, !last.isWhitespace, !first.isWhitespace,
            !Self.closing.contains(first), !Self.opening.contains(last), !last.isWrittenWithoutSpaces,
            !first.isWrittenWithoutSpaces
        {
            before = " "
        }
        if isEnd { after = style.end(behind: body) }
    }

    /// The characters that follow the word before them directly.
    private static let closing: Set<Character> = [
        ".", ",", ";", ":", "!", "?", ")", "]", "}", "”", "’", "»", "…", "%",
    ]
    /// The characters right before the word after it.
    private static let opening: Set<Character> = ["(", "[", "{", "“", "‘", "«", "/", "-", "@", "#"]
}
