import Desktop
import DesktopAccessibility
import DesktopWayland

/// Lets all programs of a GNOME or KDE session show their text fields: no compositor there lets a program type.
enum SetupWindows {
    private static let turnOn = "turn-on"
    private static let leave = "leave"
    private static let again = "dictstate setup windows"

    static func look(_ context: SetupWalk.Context) -> SetupFlow.Look {
        let session = DisplaySession.current()
        switch session.nativeWindows {
        case nil, .reached:
            return .outcome(.init(kind: .set, text: "not needed: dictation types into all windows here"))
        case .outOfReach where session.compositor?.protocols == nil:
            let text = "the compositor does not answer, so it is not known whether it lets programs type"
            return .outcome(.init(kind: .missing, text: text, command: again))
        case .outOfReach:
            return .outcome(
                .init(
                    kind: .missing,
                    text: "this desktop has no accessibility bus (on Debian the package at-spi2-core)",
                    command: again))
        case .accessible where session.accessibility == .all: return .outcome(done)
        case .accessible:
            // It is a setting of the desktop: it is changed only if the user has agreed or requested it.
            let isSafe = !context.isUnattended || context.isNamed
            return .question(
                .init(
                    text: """
                        This desktop does not let programs type. Text goes into windows that programs show to \
                        assistive
                        technology: GTK always shows them, Qt and browsers only if this is turned on. A browser \
                        that is
                        already open notices it when it is started again.
                        """,
                    choices: [
                        .init(
                            value: turnOn,
                            label: "turn it on, as a screen reader would (toolkit-accessibility)"),
                        .init(value: leave, label: "leave it: only windows of GTK get text"),
                    ], selected: isSafe ? 0 : 1))
        }
    }

    static func take(_ value: String) -> SetupFlow.Outcome {
        guard value == turnOn else {
            return .init(kind: .skipped, text: "only windows of GTK get text", command: again)
        }
        do {
            try AccessibilitySwitch.turnOn()
            return done
        } catch {
            return .init(kind: .missing, text: "\(error)", command: again)
        }
    }

    private static let done = SetupFlow.Outcome(
        kind: .set, text: "windows of GTK and Qt, and browsers, get text; a text for another window is held")
}
