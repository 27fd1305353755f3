import DictationSystem
import Logging
import Synchronization

/// A notice of the desktop (org.freedesktop.Notifications), which the user may answer.
public struct DesktopNotice: Equatable, Sendable {
    public struct Action: Equatable, Sendable {
        public let name: String
        public let label: String

        public init(_ name: String, label: String) {
            self.name = name
            self.label = label
        }
    }

    public let summary: String
    /// Plain text.
    public let body: String
    public let actions: [Action]
    /// One that stays until it is answered.
    public let isUrgent: Bool
    /// One that nobody needs to find again.
    public let isTransient: Bool

    public init(
        summary: String, body: String, actions: [Action] = [], isUrgent: Bool = false,
        isTransient: Bool = false
    ) {
        self.summary = summary
        self.body = body
        self.actions = actions
        self.isUrgent = isUrgent
        self.isTransient = isTransient
    }
}

/// Shows notices, and tells how they are answered, on a thread that sleeps in between. Where no notification service
/// runs, nothing is shown, and that is logged once.
///
/// ```swift
/// let notices = DesktopNotices { key, action in … }
/// notices.show(DesktopNotice(summary: "Held", body: "…"), as: id)
/// notices.close(id)
/// ```
public final class DesktopNotices: Sendable {
    private struct State {
        var orders: [(key: String, notice: DesktopNotice?)] = []
        var isStopped = false
    }
    private let state = Mutex(State())
    /// Nil only when the process has no descriptors left: then nothing is shown.
    private let wakeUp = try? WakeUp()

    /// - Parameter answered: called on the thread with the notice's key and the action's name.
    public init(
        logger: Logger = Logger(label: "notices"),
        answered: @escaping @Sendable (_ key: String, _ action: String) -> Void
    ) {
        guard let wakeUp else { return }
        startThread(named: "notices") { [weak self] in
            let board = NoticeBoard(answered: answered)
            var hasComplained = false
            let complain = { (error: any Error) in
                if !hasComplained { logger.notice("no desktop notifications: \(error)") }
                hasComplained = true
            }
            while let orders = self?.takeOrders() {
                for (key, notice) in orders {
                    // One that fails costs the others nothing: neither those behind it nor the answers to those shown.
                    do { try board.carryOut(key, notice) } catch { complain(error) }
                }
                do {
                    try board.wait(wakeUp)
                } catch {
                    complain(error)
                    board.disconnect()
                }
            }
        }
    }

    deinit { stop() }

    /// Shows a notice, in place of the one that has the same key.
    public func show(_ notice: DesktopNotice, as key: String) { order(key, notice) }

    /// Takes a notice away, if it is still there.
    public func close(_ key: String) { order(key, nil) }

    public func stop() {
        state.withLock { $0.isStopped = true }
        wakeUp?.signal()
    }

    private func order(_ key: String, _ notice: DesktopNotice?) {
        state.withLock { state in
            // A service that is slow is not told what is outdated by then.
            state.orders.removeAll { $0.key == key }
            state.orders.append((key, notice))
        }
        wakeUp?.signal()
    }

    private func takeOrders() -> [(key: String, notice: DesktopNotice?)]? {
        state.withLock { state in
            defer { state.orders = [] }
            return state.isStopped ? nil : state.orders
        }
    }
}

/// The notices that are shown. The thread owns them.
private final class NoticeBoard {
    private static let service = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"

    private let answered: (String, String) -> Void
    private var bus: Bus?
    /// Only while something is shown: signals for others would wake this process as well.
    private var matches: [Bus.Match] = []
    private var shown: [String: Shown] = [:]

    private struct Shown: Equatable {
        let number: UInt32
        /// The unique name of the service that shows it: no other program answers for the user.
        let service: String
    }

    init(answered: @escaping (String, String) -> Void) { self.answered = answered }

    func disconnect() {
        (matches, bus, shown) = ([], nil, [:])
    }

    func wait(_ wakeUp: WakeUp) throws {
        // Before the sleep: what came before the answer to a call was read with it, and the descriptor tells nothing of it.
        try bus?.process()
        // A connection that is kept for nothing is a way to be woken.
        if shown.isEmpty { disconnect() }
        let ready = try waitUntilReadable([wakeUp.raw] + (bus.map { [$0.descriptor] } ?? []))
        if ready.contains(wakeUp.raw) { wakeUp.clear() }
    }

    func carryOut(_ key: String, _ notice: DesktopNotice?) throws(BusError) {
        // First: what the user or the service has closed meanwhile is not to be closed or replaced again.
        do { try bus?.process() } catch { disconnect() }
        if let notice {
            try show(notice, key)
        } else if let number = shown.removeValue(forKey: key)?.number {
            // The answer is of no use: it is an error where the notice has just gone.
            _ = try bus?.send(Self.service, Self.path, Self.service, "CloseNotification") {
                message throws(BusError) in try message.unsigned(number)
            }
        }
    }

    private func show(_ notice: DesktopNotice, _ key: String) throws(BusError) {
        let bus = try connected()
        let replaced = shown[key]?.number ?? 0
        let answer = try bus.call(
            Self.service, Self.path, Self.service, "Notify", within: Bus.startLimit
        ) { message throws(BusError) in
            try message.string("VoiceDictation")
            try message.unsigned(replaced)
            try message.string("voicedictation")
            try message.string(notice.summary)
            try message.string(notice.body.markupEscaped)
            try message.container("a", "s") { () throws(BusError) in
                for action in notice.actions {
                    try message.string(action.name)
                    try message.string(action.label)
                }
            }
            try message.options([
                "urgency": .byte(notice.isUrgent ? 2 : 1), "desktop-entry": .string("voicedictation"),
                "transient": .boolean(notice.isTransient),
            ])
            // The service's own idea of how long.
            try message.integer(-1)
        }
        if let number = answer.unsigned(), let service = answer.sender {
            shown[key] = Shown(number: number, service: service)
        }
    }

    private func connected() throws(BusError) -> Bus {
        if let bus { return bus }
        let bus = try Bus(.session)
        matches = [
            try bus.match("interface='\(Self.service)',path='\(Self.path)'", from: .anyone) { [weak self] in
                self?.take($0)
            },
            try bus.match("member='NameOwnerChanged',arg0='\(Self.service)'", from: .bus) { [weak self] in
                $0.skip("s")
                // The notices have gone with their service, and the next one gives their numbers to others.
                if $0.string()?.isEmpty == false { self?.shown = [:] }
            },
        ]
        self.bus = bus
        return bus
    }

    private func take(_ signal: MessageReader) {
        guard let number = signal.unsigned(), let service = signal.sender else { return }
        let answer = Shown(number: number, service: service)
        guard let key = shown.first(where: { $0.value == answer })?.key else { return }
        switch signal.member {
        case "ActionInvoked":
            if let action = signal.string() { answered(key, action) }
        case "NotificationClosed": shown[key] = nil
        default: break
        }
    }
}
