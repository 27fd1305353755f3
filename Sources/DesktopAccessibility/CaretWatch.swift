import Desktop
import DictationBus
import DictationSystem

/// A caret in a text field, and how much text there was.
struct CaretMark: Sendable {
    let object: AccessibleObject
    let units: TextUnits
    let place: TextField.Place
}

extension CaretMark {
    /// The caret as it is now; nil if the window shows none.
    init?(in window: WindowInfo, session: Bus.Kind) {
        guard let bus = try? AccessibilityBus(session: session), let focus = try? FocusSearch(bus: bus).run(),
            focus.window.id == window.id, focus.showsText
        else { return nil }
        let field = TextField(
            bus: bus, object: focus.part, units: TextUnits(toolkit: focus.toolkit), limit: CaretWatch.limit)
        guard let place = try? field.place() else { return nil }
        self.init(object: focus.part, units: field.units, place: place)
    }
}

/// Checks whether the caret or the text's length has changed. Nothing reports keys and clicks.
struct CaretWatch: TouchWatching {
    let seesKeys = false
    private let mark: CaretMark
    private let session: Bus.Kind

    /// How long the program may take to answer.
    static let limit: Duration = .seconds(3)

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
