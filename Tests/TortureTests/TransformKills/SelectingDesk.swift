import Foundation
import TestSupport

/// A desktop with one window, in which text is selected.
enum SelectingDesk: Sendable {
    case x11(VirtualDisplay, TextWindow)
    case native(WaylandDesktop, WaylandWindow, WaylandKeyboard)

    enum Kind: CustomStringConvertible, Sendable {
        case x11(TextWindow.Kind)
        case native(WaylandWindow.Kind)

        var isInstalled: Bool {
            switch self {
            case .x11(let kind): kind.isInstalled
            case .native(let kind): kind.isInstalled
            }
        }

        var isNative: Bool { if case .native = self { true } else { false } }

        var description: String {
            switch self {
            case .x11(let kind): "\(kind)"
            case .native(let kind): "\(kind), native"
            }
        }
    }

    static func open(_ kind: Kind) async throws -> SelectingDesk {
        switch kind {
        case .x11(let kind):
            let display = try await VirtualDisplay.start()
            return .x11(display, try await TextWindow.start(kind, on: display, title: "Letter"))
        case .native(let kind):
            let desktop = try await WaylandDesktop.start()
            // Before the window, which knows it then.
            let keyboard = try await WaylandKeyboard.connect(to: desktop)
            let window = try await WaylandWindow.start(kind, on: desktop, title: "Letter")
            return .native(desktop, window, keyboard)
        }
    }

    var environment: [String: String] {
        switch self {
        case .x11(let display, _): display.environment
        case .native(let desktop, _, _): desktop.environment
        }
    }

    var text: String {
        switch self {
        case .x11(_, let window): window.text
        case .native(_, let window, _): window.text
        }
    }

    func waitForText(equal text: String) async throws {
        switch self {
        case .x11(_, let window): try await window.waitForText(equal: text)
        case .native(_, let window, _): try await window.waitForText(equal: text)
        }
    }

    func selectAll() async throws {
        switch self {
        case .x11(let display, _): try await display.xdotool("key", "ctrl+a")
        case .native(_, _, let keyboard): try await keyboard.tap("a", with: "ctrl")
        }
    }

    func clear() async throws {
        try await selectAll()
        switch self {
        case .x11(let display, _): try await display.xdotool("key", "BackSpace")
        case .native(_, _, let keyboard): try await keyboard.tap("backspace")
        }
        try await waitForText(equal: "")
    }

    /// Types a mark at the end: everything else has arrived before it.
    ///
    /// - Returns: the text before it.
    func markEnd() async throws -> String {
        switch self {
        case .x11(let display, let window):
            try await display.xdotool("key", "ctrl+End", "type", "|")
            try await window.waitForText { $0.hasSuffix("|") }
        case .native(_, let window, let keyboard):
            try await keyboard.tap("end", with: "ctrl")
            try await keyboard.tap("backslash", with: "shift")
            try await window.waitForText(endingIn: "|")
        }
        return String(text.dropLast())
    }

    func close() async {
        switch self {
        case .x11(let display, let window):
            await window.end()
            await display.end()
        case .native(let desktop, let window, let keyboard):
            await window.end()
            await keyboard.end()
            await desktop.end()
        }
    }
}
