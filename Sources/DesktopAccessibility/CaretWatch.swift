import Desktop
import DictationBus

/// A caret in a text field, and how much text there was.
struct CaretMark: Sendable {
    let object: AccessibleObject
    let units: TextUnits
    let place: TextField.Place
}

/// Looks whether the caret and the text's length are what they were. Nobody tells of keys and clicks.
struct CaretWatch: TouchWatching {
    let seesKeys = false
    private let mark: CaretMark
    private let session: Bus.Kind

    /// How long the program may take to answer.
    private static let limit: Duration = .seconds(3)

    init(_ mark: CaretMark, session: Bus.Kind) {
        self.mark = mark
        self.session = session
    }

    func isTouched() -> Bool {
        guard let bus = try? AccessibilityBus(session: session) else { return true }
        let field = TextField(bus: bus, object: mark.object, units: mark.units, limit: Self.limit)
        return (try? field.place()) != mark.place
    }
}
