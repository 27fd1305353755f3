import DictationBus
import DictationSystem

/// A session of org.freedesktop.portal.GlobalShortcuts: binds the keys, and brings their signals.
final class ShortcutSession {
    /// A key as the desktop describes it to the user, such as "Press F9"; empty if it has none.
    typealias Triggers = [PortalShortcut: String]

    let session: PortalSession
    private let portal: PortalConnection
    private var matches: [Bus.Match] = []
    private var signals: [ShortcutPresses.Signal] = []
    /// The keys that the desktop has given; nil as long as the user is asked.
    private(set) var triggers: Triggers?

    private static let interface = PortalInterface.globalShortcuts

    /// Creates the session, and names the keys. KDE before 6.2 grants them at once; others wait for
    /// ``bind(_:stop:asked:)``.
    ///
    /// - Throws: ``PortalError``
    init(_ portal: PortalConnection, for shortcuts: PortalShortcuts, stop: WakeUp) throws(PortalError) {
        self.portal = portal
        let given = Given()
        session = try portal.makeSession(
            Self.interface, stop: stop,
            options: [
                "shortcuts": .other(type: "a(sa{sv})") { message throws(BusError) in
                    try Self.write(shortcuts, to: message)
                }
            ]
        ) { results, name in
            if name == "shortcuts" { given.triggers = Self.triggers(inVariantOf: results) }
        }
        // KDE before 6.2 would show its settings each time that it is asked again.
        if given.triggers?.isEmpty == false { triggers = given.triggers }
        do {
            for member in ["Activated", "Deactivated", "ShortcutsChanged"] {
                matches.append(
                    try portal.match(Self.interface.rawValue, member, path: PortalConnection.path) {
                        [weak self] in self?.take($0)
                    })
            }
        } catch {
            throw PortalError(error, Self.interface)
        }
    }

    private final class Given {
        var triggers: Triggers?
    }

    /// Asks the desktop for keys, and the desktop may ask the user. Does nothing if it has granted them
    /// already.
    ///
    /// - Parameter asked: called when the desktop has accepted the request.
    /// - Throws: ``PortalError``
    func bind(_ shortcuts: PortalShortcuts, stop: WakeUp, asked: () -> Void) throws(PortalError) {
        if triggers != nil { return asked() }
        triggers = try portal.request(
            Self.interface, "BindShortcuts", within: nil, stop: stop,
            arguments: { message throws(BusError) in
                try message.object(session.handle)
                try Self.write(shortcuts, to: message)
                // No window of this program is there to ask for it.
                try message.string("")
            }, asked: asked, read: Self.boundTriggers)
    }

    /// Writes `a(sa{sv})`.
    private static func write(_ shortcuts: PortalShortcuts, to message: MessageWriter) throws(BusError) {
        try message.container("a", "(sa{sv})") { () throws(BusError) in
            for wanted in shortcuts.wanted {
                try message.container("r", "sa{sv}") { () throws(BusError) in
                    try message.string(wanted.shortcut.name)
                    var options = ["description": MessageWriter.Option.string(wanted.description)]
                    options["preferred_trigger"] = wanted.trigger.map { .string($0) }
                    try message.options(options)
                }
            }
        }
    }

    /// The signals since the last call.
    func takeSignals() -> [ShortcutPresses.Signal] {
        defer { signals = [] }
        return signals
    }

    var hasSignals: Bool { !signals.isEmpty }

    private func take(_ signal: MessageReader) {
        guard signal.string() == session.handle else { return }
        if signal.member == "ShortcutsChanged" {
            triggers = Self.triggers(signal)
            return
        }
        guard let shortcut = signal.string().flatMap(PortalShortcut.init(name:)),
            let time = signal.unsigned64()
        else { return }
        signals.append(
            signal.member == "Activated" ? .activated(shortcut, at: time) : .deactivated(shortcut, at: time))
    }

    private static func boundTriggers(_ results: MessageReader) -> Triggers {
        var triggers: Triggers = [:]
        results.options { name in
            if name == "shortcuts" { triggers = Self.triggers(inVariantOf: results) ?? [:] }
        }
        return triggers
    }

    private static func triggers(inVariantOf results: MessageReader) -> Triggers? {
        results.container("v", "a(sa{sv})") { triggers(results) }
    }

    /// Reads `a(sa{sv})`.
    private static func triggers(_ message: MessageReader) -> Triggers {
        var triggers: Triggers = [:]
        func readOne() {
            let shortcut = message.string().flatMap(PortalShortcut.init(name:))
            var trigger = ""
            message.options { name in
                guard name == "trigger_description" else { return }
                trigger = (message.container("v", "s") { message.string() ?? "" }) ?? ""
            }
            if let shortcut { triggers[shortcut] = trigger }
        }
        _ = message.container("a", "(sa{sv})") {
            while message.container("r", "sa{sv}", readOne) != nil {}
        }
        return triggers
    }
}
