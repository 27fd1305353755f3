import DictationSystem
import Glibc
import Logging
import Synchronization

/// Shows one item in the desktop's tray (StatusNotifierItem, as freedesktop.org and KDE describe it), on a thread that
/// sleeps in between. A tray that comes later gets the item then; without one nothing is shown.
///
/// ```swift
/// let tray = StatusTray { action in … }
/// tray.show(item)
/// tray.show(nil)
/// ```
public final class StatusTray: Sendable {
    private struct State {
        var item: StatusItem?
        var isStopped = false
    }
    private let state = Mutex(State())
    /// Nil only when the process has no descriptors left: then nothing is shown.
    private let wakeUp = try? WakeUp()

    /// - Parameter chosen: called on the thread with the name of the action that the user has chosen.
    public init(
        logger: Logger = Logger(label: "tray"), chosen: @escaping @Sendable (_ action: String) -> Void
    ) {
        guard let wakeUp else { return }
        startThread(named: "tray") { [weak self] in
            var place: TrayPlace?
            // A missing bus is not an error: a session without one has no tray either.
            var hasComplained = false
            while let state = self?.state.withLock({ $0 }), !state.isStopped {
                do {
                    if let item = state.item {
                        let shown = try place ?? TrayPlace(chosen)
                        place = shown
                        try shown.show(item)
                    } else {
                        place = nil
                    }
                    // Before the sleep: messages before the answer to a call were read with it.
                    try place?.process()
                    let bus = place.map { [$0.descriptor] } ?? []
                    if try waitUntilReadable([wakeUp.raw] + bus).contains(wakeUp.raw) { wakeUp.clear() }
                } catch {
                    if !hasComplained { logger.info("no tray: \(error)") }
                    hasComplained = true
                    place = nil
                    _ = try? waitUntilReadable([wakeUp.raw])
                    wakeUp.clear()
                }
            }
        }
    }

    deinit { stop() }

    /// Shows an item in place of the last one; nil removes it.
    public func show(_ item: StatusItem?) {
        let isNew = state.withLock { state in
            defer { state.item = item }
            return state.item != item
        }
        if isNew { wakeUp?.signal() }
    }

    public func stop() {
        state.withLock { $0.isStopped = true }
        wakeUp?.signal()
    }
}

/// The item on the session bus, and the trays that are notified of it. The thread owns them.
private final class TrayPlace {
    private static let path = "/StatusNotifierItem"
    private static let interface = "org.kde.StatusNotifierItem"
    private static let watcher = "org.kde.StatusNotifierWatcher"

    private let bus: Bus
    private let name: String
    private let chosen: (String) -> Void
    private let menu: TrayMenu
    private var objects: [ServedObject] = []
    private var match: Bus.Match?
    private var pending: PendingAnswer?
    private var item: StatusItem?

    init(_ chosen: @escaping (String) -> Void) throws(BusError) {
        self.chosen = chosen
        bus = try Bus(.session)
        menu = TrayMenu(bus, chosen)
        name = "\(Self.interface)-\(getpid())-1"
    }

    var descriptor: Int32 { bus.descriptor }

    func process() throws(BusError) { try bus.process() }

    func show(_ new: StatusItem) throws(BusError) {
        let old = item
        item = new
        guard let old else { return try begin() }
        guard old != new else { return }
        try menu.show(new.menu)
        if old.icon != new.icon { try emit("NewIcon") }
        if (old.title, old.details) != (new.title, new.details) { try emit("NewToolTip") }
        if old.needsAttention != new.needsAttention {
            try emit("NewAttentionIcon")
            try bus.emit(Self.path, Self.interface, "NewStatus") { message throws(BusError) in
                try message.string(status)
            }
        }
    }

    private func emit(_ signal: String) throws(BusError) { try bus.emit(Self.path, Self.interface, signal) }

    private func begin() throws(BusError) {
        if let item { try menu.show(item.menu) }
        objects = [
            try bus.serve(Self.path) { [weak self] in self?.answer($0) },
            try bus.serve(TrayMenu.path) { [menu] in menu.answer($0) },
        ]
        try bus.request(name: name)
        // Before asking, so that a tray which comes in between is not missed.
        match = try bus.match("member='NameOwnerChanged',arg0='\(Self.watcher)'", from: .bus) { [weak self] in
            $0.skip("ss")
            if let owner = $0.string(), !owner.isEmpty { self?.register() }
        }
        register()
    }

    /// The answer is not waited for, because a tray asks for the item's properties first. Without a tray it
    /// is an error, and a tray that comes later is notified then.
    private func register() {
        pending = try? bus.send(
            Self.watcher, "/StatusNotifierWatcher", Self.watcher, "RegisterStatusNotifierItem"
        ) { message throws(BusError) in try message.string(name) }
    }

    // MARK: - Calls of a tray

    private func answer(_ message: MessageReader) -> ServedObject.Answer? {
        switch message.member {
        case "Activate":
            if let action = item?.action { chosen(action) }
            return { _ in }
        // A tray shows the menu itself.
        case "ContextMenu", "SecondaryActivate", "Scroll", "ProvideXdgActivationToken": return { _ in }
        case "Get":
            message.skip("s")
            guard let property = message.string().flatMap({ properties[$0] }) else { return nil }
            return { answer throws(BusError) in try answer.variant(property) }
        case "GetAll":
            let properties = properties
            return { answer throws(BusError) in try answer.options(properties) }
        default: return nil
        }
    }

    private var status: String { item?.needsAttention == true ? "NeedsAttention" : "Active" }

    private var properties: [String: MessageWriter.Option] {
        let icon = item?.icon ?? ""
        let (title, details) = (item?.title ?? "", item?.details ?? "")
        let noPictures = MessageWriter.Option.other(type: "a(iiay)") { message throws(BusError) in
            try message.container("a", "(iiay)") {}
        }
        return [
            "Category": .string("ApplicationStatus"), "Id": .string("voicedictation"),
            "Title": .string("VoiceDictation"),
            "Status": .string(status), "WindowId": .integer(0), "IconThemePath": .string(""),
            "IconName": .string(icon),
            "IconPixmap": noPictures, "OverlayIconName": .string(""), "OverlayIconPixmap": noPictures,
            "AttentionIconName": .string(icon), "AttentionIconPixmap": noPictures,
            "AttentionMovieName": .string(""),
            "ToolTip": .other(type: "(sa(iiay)ss)") { message throws(BusError) in
                try message.container("r", "sa(iiay)ss") { () throws(BusError) in
                    try message.string(icon)
                    try message.container("a", "(iiay)") {}
                    try message.string(title)
                    try message.string(details.markupEscaped)
                }
            },
            "ItemIsMenu": .boolean(false),
            "Menu": .other(type: "o") { message throws(BusError) in try message.object(TrayMenu.path) },
        ]
    }
}
