import Desktop
import DictationSystem
import Testing

@testable import DesktopAccessibility

@Suite("The part of a window that has the focus")
struct FocusedPartTests {
    private static let frame = AccessibleObject(owner: ":1.1", path: "/window")
    private static let field = AccessibleObject(owner: ":1.1", path: "/field")

    private func part(
        _ states: AccessibleStates, _ interfaces: [AccessibleInterface] = [],
        role: AccessibleRole? = nil, toolkit: String = "gtk",
        windowClass: String = "program", isWholeWindow: Bool = false
    ) -> FocusedPart {
        FocusedPart(
            window: WindowInfo(id: WindowInfo.firstNativeID, windowClass: windowClass, title: ""),
            frame: Self.frame, part: Self.field, states: states, interfaces: Set(interfaces.map(\.name)),
            role: role,
            toolkit: toolkit, isWholeWindow: isWholeWindow)
    }

    @Test("a text field that accepts text from programs needs no input method")
    func field() {
        let field = part([.focused, .editable], [.text, .editableText])
        #expect(field.takesText && field.commits == nil)
        let locked = part([.focused], [.text, .editableText])
        #expect(!locked.takesText && locked.commits == nil)
    }

    @Test("a text field of Firefox, and one that can only be read, get text by an input method")
    func readable() {
        let firefox = part([.focused, .editable], [.text, .editableText], toolkit: "Gecko")
        #expect(!firefox.takesText && firefox.showsText && firefox.commits == .notNeeded)
        #expect(part([.focused, .editable], [.text]).commits == .notNeeded)
        #expect(part([.focused], [.text], toolkit: "Gecko").commits == nil)
    }

    @Test("a terminal gets text by an input method, as one by its role or by its class, and no newline")
    func terminal() {
        let gtk3 = part([.focused, .multiLine], [.text], role: .terminal)
        let gtk4 = part([.focused], windowClass: "kgx")
        #expect(gtk3.commits == .notNeeded && !gtk3.takesLines)
        #expect(gtk4.commits == .notNeeded && !gtk4.takesLines)
        #expect(part([.focused]).commits == nil)
    }

    @Test("a window that does not show which part has the focus must confirm what it gets")
    func wholeWindow() {
        let chromium = part([.active], toolkit: "Chromium", isWholeWindow: true)
        #expect(!chromium.takesText && chromium.commits == .needed && chromium.takesLines)
    }

    @Test("a newline is text in a field of several lines")
    func lines() {
        #expect(part([.focused, .editable, .multiLine], [.text]).takesLines)
        #expect(!part([.focused, .editable], [.text]).takesLines)
    }
}
