import Desktop
import DictationSystem
import Foundation
import Glibc
import Logging
import Synchronization

/// Whether the user's session allows dictation: not locked, in the foreground, not about to sleep.
///
/// logind reports it (org.freedesktop.login1, on the system bus); a thread sleeps until then. Without logind,
/// the session always does.
public final class SessionWatch: SessionPresence {
    /// Each time the user goes away; for one reader.
    public let departures: AsyncStream<SessionAbsence>
    private let absences = Mutex<Set<SessionAbsence>>([])
    /// Nil only when the process has no descriptors left: then nothing is followed.
    private let stopping = try? WakeUp()

    public init(logger: Logger = Logger(label: "session")) {
        let (departures, departure) = AsyncStream.makeStream(
            of: SessionAbsence.self, bufferingPolicy: .bufferingNewest(1))
        self.departures = departures
        guard let stopping else { return }
        startThread(named: "session") { [weak self] in
            do {
                let follower = try SessionFollower {
                    logger.notice("a lock of the session was asked for")
                    departure.yield(.locked)
                } changed: { absence, isSo in
                    let isNew = self?.absences.withLock { all in
                        isSo ? all.insert(absence).inserted : all.remove(absence) != nil
                    }
                    guard isNew == true else { return }
                    logger.notice("\(isSo ? absence.explanation : absence.end)")
                    if isSo { departure.yield(absence) }
                }
                // Before the first sleep: messages before the answer to a call were read with it.
                repeat {
                    try follower.process()
                } while try !waitUntilReadable([stopping.raw, follower.descriptor]).contains(stopping.raw)
            } catch {
                logger.info("locks and sleep are not followed: \(error)")
                self?.absences.withLock { $0 = [] }
            }
        }
    }

    deinit { stop() }

    /// Nil while the user is there.
    public var absence: SessionAbsence? {
        absences.withLock { all in SessionAbsence.allCases.first(where: all.contains) }
    }

    public func stop() { stopping?.signal() }
}

extension SessionAbsence {
    /// For a person: that it is over.
    fileprivate var end: String {
        switch self {
        case .sleeping: "the machine does not sleep any more"
        case .inactive: "the session is in the foreground again"
        case .locked: "the session is not locked any more"
        }
    }
}

/// Follows one session by logind. The thread owns it.
private final class SessionFollower {
    private let bus: Bus
    private let manager: LoginManager
    private var matches: [Bus.Match] = []
    private let lockRequested: () -> Void
    private let changed: (SessionAbsence, Bool) -> Void

    init(
        lockRequested: @escaping () -> Void, changed: @escaping (SessionAbsence, Bool) -> Void
    ) throws(BusError) {
        self.lockRequested = lockRequested
        self.changed = changed
        bus = try Bus(.system)
        manager = LoginManager(bus: bus)
        let service = LoginManager.service
        let session = LoginSession.followed(
            of: try manager.sessions(), own: ProcessInfo.processInfo.environment["XDG_SESSION_ID"],
            display: manager.display())?.path
        matches.append(
            try bus.match("interface='\(service).Manager',member='PrepareForSleep'", from: .owner(service)) {
                [weak self] in
                if let isSo = $0.boolean() { self?.changed(.sleeping, isSo) }
            })
        guard let session else { return }
        matches.append(
            try bus.match("path='\(session)',interface='\(LoginManager.session)'", from: .owner(service)) {
                [weak self] in
                switch $0.member {
                case "Lock": self?.askForLock(of: session)
                case "Unlock": self?.changed(.locked, false)
                default: break
                }
            })
        let properties = "org.freedesktop.DBus.Properties"
        matches.append(
            try bus.match(
                "path='\(session)',interface='\(properties)',member='PropertiesChanged'",
                from: .owner(service)
            ) { [weak self] in self?.take($0) })
        // After the matches, so that nothing is missed in between.
        changed(.locked, try manager.flag("LockedHint", of: session) ?? false)
        changed(.inactive, try !(manager.flag("Active", of: session) ?? true))
    }

    var descriptor: Int32 { bus.descriptor }

    func process() throws(BusError) { try bus.process() }

    /// The session is asked to lock. Not every locker reports that it has locked or unlocked: the current
    /// recording ends, but only the hint keeps texts from being typed. (A locker that is there has the
    /// keyboard.)
    private func askForLock(of session: String) {
        lockRequested()
        changed(.locked, (try? manager.flag("LockedHint", of: session)) ?? false)
    }

    /// (interface, {name: value}, [names])
    private func take(_ signal: MessageReader) {
        signal.skip("s")
        _ = signal.container("a", "{sv}") {
            while signal.container("e", "sv", { self.takeProperty(signal) }) != nil {}
        }
    }

    private func takeProperty(_ signal: MessageReader) {
        let name = signal.string()
        guard let value = signal.container("v", "b", { signal.boolean() }) ?? nil else { return }
        switch name {
        case "LockedHint": changed(.locked, value)
        case "Active": changed(.inactive, !value)
        default: break
        }
    }
}
