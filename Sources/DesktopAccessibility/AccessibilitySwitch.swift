import Desktop
import DictationBus

extension DisplaySession.Accessibility {
    /// Which programs of this session show their windows; nil if it has no accessibility bus.
    public static func current() -> Self? {
        // Agents check once: without an answer they do not use this bus until they are restarted.
        guard (try? AccessibilityBus(within: Bus.startLimit)) != nil else { return nil }
        return AccessibilitySwitch.isOn() ? .all : .some
    }
}

/// The session's switch for assistive technology. Qt reads it while it runs, browsers when they start; GTK
/// does not need it.
public enum AccessibilitySwitch {
    private static let interface = "org.a11y.Status"
    private static let property = "IsEnabled"

    static func isOn() -> Bool {
        guard let session = try? Bus(.session) else { return false }
        let answer = try? session.call(
            AccessibilityBus.service, AccessibilityBus.path, AccessibleInterface.properties.name, "Get"
        ) { message throws(BusError) in
            try message.string(interface)
            try message.string(property)
        }
        return (answer?.container("v", "b") { answer?.boolean() } ?? nil) ?? false
    }

    /// Turns it on, and the desktop remembers it (`toolkit-accessibility` of its settings).
    ///
    /// - Throws: ``BusError``
    public static func turnOn() throws {
        _ = try Bus(.session).call(
            AccessibilityBus.service, AccessibilityBus.path, AccessibleInterface.properties.name, "Set"
        ) { message throws(BusError) in
            try message.string(interface)
            try message.string(property)
            try message.container("v", "b") { () throws(BusError) in try message.boolean(true) }
        }
    }
}
