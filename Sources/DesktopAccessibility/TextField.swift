import DictationBus

/// A text field of a program, by AT-SPI's Text and EditableText. Its positions are in ``TextUnits``.
struct TextField {
    let bus: AccessibilityBus
    let object: AccessibleObject
    let units: TextUnits
    /// How long the program may take to answer.
    let limit: Duration

    /// The caret, and how long the text is.
    struct Place: Equatable, Sendable {
        let caret: Int
        let length: Int
    }

    /// The content of the field after a text was given to it.
    enum Reading: Equatable {
        /// The text is where it was put.
        case shown
        /// As many characters more as were given, but others: a password field does not show its text.
        case grown
        /// The same as before.
        case unchanged
        /// Only this part of it is there: the field is full.
        case cut(String)
        /// Another text is there.
        case different
    }

    /// - Returns: nil if the program does not answer.
    func place() throws(BusError) -> Place? {
        place(in: try bus.ask([caretQuestion, lengthQuestion], within: limit))
    }

    /// - Returns: nil if the program does not answer.
    func text(from start: Int, to end: Int) throws(BusError) -> String? {
        try bus.ask(question("GetText", start, end), within: limit)?.string()
    }

    /// Puts text before the caret, moves the caret after it, and reads the field.
    ///
    /// - Returns: nil if the program does not answer.
    func insert(_ text: String, at place: Place) throws(BusError) -> Reading? {
        let count = units.count(of: text)
        let end = place.caret + count
        // The program carries them out one after another.
        let answers = try bus.ask(
            [
                .init(object: object, interface: .editableText, member: "InsertText") {
                    message throws(BusError) in
                    try message.integer(Int32(clamping: place.caret))
                    try message.string(text)
                    try message.integer(Int32(clamping: units.length(of: text)))
                },
                question("GetText", place.caret, end), caretQuestion, lengthQuestion,
            ], within: limit)
        guard let now = self.place(in: Array(answers[2...])) else { return nil }
        guard answers[0] != nil else { return now == place ? .unchanged : .different }
        if now.length == place.length { return .unchanged }
        guard now.length == place.length + count else {
            // A key of the user came between, or the field has added something.
            if answers[1]?.string() == text { return .shown }
            let taken = now.length - place.length
            if taken > 0, taken < count,
                let start = try self.text(from: place.caret, to: place.caret + taken), text.hasPrefix(start)
            {
                return .cut(start)
            }
            return try holds(text, put: place, now: now) == true ? .shown : .different
        }
        // A single-line field of GTK leaves the caret where it was.
        if now.caret == place.caret { try moveCaret(to: end) }
        return answers[1]?.string() == text ? .shown : .grown
    }

    /// Whether a text is there that was put before the caret at `place`.
    ///
    /// - Returns: nil if the program does not answer.
    func holds(_ text: String, put place: Place) throws(BusError) -> Bool? {
        guard let now = try self.place() else { return nil }
        let end = place.caret + units.count(of: text)
        guard let there = try self.text(from: place.caret, to: end) else { return nil }
        return there == text ? true : try holds(text, put: place, now: now)
    }

    /// The same for a text before which something else was inserted in the meantime.
    private func holds(_ text: String, put place: Place, now: Place) throws(BusError) -> Bool? {
        let count = units.count(of: text)
        let added = now.length - place.length - count
        guard added > 0 else { return false }
        let start = place.caret + added
        return try self.text(from: start, to: start + count).map { $0 == text }
    }

    /// Removes the selection, as typing does.
    func removeSelection() throws(BusError) {
        let count = try bus.ask(
            .init(object: object, interface: .text, member: "GetNSelections"), within: limit)?.integer()
        guard let count, count > 0 else { return }
        let answer = try bus.ask(
            .init(object: object, interface: .text, member: "GetSelection") { message throws(BusError) in
                try message.integer(0)
            }, within: limit)
        guard let start = answer?.integer(), let end = answer?.integer(), start != end else { return }
        try remove(from: Int(min(start, end)), to: Int(max(start, end)))
    }

    func remove(from start: Int, to end: Int) throws(BusError) {
        _ = try bus.ask(
            .init(object: object, interface: .editableText, member: "DeleteText") {
                message throws(BusError) in
                try message.integer(Int32(clamping: start))
                try message.integer(Int32(clamping: end))
            }, within: limit)
    }

    private func moveCaret(to position: Int) throws(BusError) {
        _ = try bus.ask(
            .init(object: object, interface: .text, member: "SetCaretOffset") { message throws(BusError) in
                try message.integer(Int32(clamping: position))
            }, within: limit)
    }

    private func question(_ member: String, _ start: Int, _ end: Int) -> AccessibilityBus.Question {
        .init(object: object, interface: .text, member: member) { message throws(BusError) in
            try message.integer(Int32(clamping: start))
            try message.integer(Int32(clamping: end))
        }
    }

    private var caretQuestion: AccessibilityBus.Question {
        AccessibilityBus.property("CaretOffset", of: object, .text)
    }

    private var lengthQuestion: AccessibilityBus.Question {
        AccessibilityBus.property("CharacterCount", of: object, .text)
    }

    private func place(in answers: [MessageReader?]) -> Place? {
        guard let told = answers[0]?.integerProperty(), let length = answers[1]?.integerProperty(),
            let caret = units.caret(told, length: length)
        else { return nil }
        return Place(caret: caret, length: length)
    }
}

/// In what a toolkit counts a text.
enum TextUnits: Equatable {
    /// Positions in Unicode scalars, lengths in bytes of UTF-8: GTK, and what follows AT-SPI.
    case scalars
    /// The same; a caret after the last character is reported as -1: Clutter, which draws GNOME Shell's own
    /// fields.
    case clutter
    /// Both in units of UTF-16: Qt. It pads a text with zeros to the given length.
    case utf16

    init(toolkit: String) {
        let name = toolkit.lowercased()
        self = name.hasPrefix("qt") ? .utf16 : name == "clutter" ? .clutter : .scalars
    }

    /// - Parameter told: the position that the program reports.
    /// - Returns: nil if the field has no caret.
    func caret(_ told: Int, length: Int) -> Int? {
        if told >= 0 { return told }
        return self == .clutter && told == -1 ? length : nil
    }

    /// How far positions are apart with a text between them.
    func count(of text: String) -> Int {
        switch self {
        case .scalars, .clutter: text.unicodeScalars.count
        case .utf16: text.utf16.count
        }
    }

    /// The length to be told with a text.
    func length(of text: String) -> Int {
        switch self {
        case .scalars, .clutter: text.utf8.count
        case .utf16: text.utf16.count
        }
    }
}
