import DictationBus
import DictationSystem

/// A connection to the desktop's portal (org.freedesktop.portal.Desktop). Belongs to one thread.
///
/// A portal answers a call at once with the path of a request, and later with the request's signal, because
/// it may first ask the user. The path is known in advance, so the wait for the signal begins before the
/// call.
final class PortalConnection {
    static let service = "org.freedesktop.portal.Desktop"
    static let path = "/org/freedesktop/portal/desktop"
    private static let properties = "org.freedesktop.DBus.Properties"
    private static let registry = "org.freedesktop.host.portal.Registry"
    /// The name of the desktop file by which the desktop knows this program. GNOME takes only names with a dot.
    static let application = "voicedictation.VoiceDictation"

    let bus: Bus
    private var requestCount = 0
    private var ownerMatch: Bus.Match?
    /// Whether the portal has gone since ``register()``: then its sessions and requests have gone too.
    private(set) var isPortalGone = false

    /// - Throws: ``PortalError/missing(_:)`` if there is no session bus.
    init(for interface: PortalInterface) throws(PortalError) {
        do {
            bus = try Bus(.session)
            let rule = "member='NameOwnerChanged',arg0='\(Self.service)'"
            ownerMatch = try bus.match(rule, from: .bus) { [weak self] signal in
                // Its name, the former owner, the new one.
                guard signal.string() != nil, let former = signal.string() else { return }
                if !former.isEmpty { self?.isPortalGone = true }
            }
        } catch {
            throw .missing(interface)
        }
    }

    /// Tells the portal which program this is; call it before any other method. Versions before 1.19 do not
    /// support this: they ask systemd, and know no name of a program that the desktop has not started.
    func register() {
        isPortalGone = false
        _ = try? bus.call(Self.service, Self.path, Self.registry, "Register", within: Bus.startLimit) {
            message throws(BusError) in
            try message.string(Self.application)
            try message.options([:])
        }
    }

    /// - Throws: ``PortalError/missing(_:)``, ``PortalError/notResponding(_:)``
    func version(of interface: PortalInterface) throws(PortalError) -> UInt32 {
        do {
            let answer = try bus.call(Self.service, Self.path, Self.properties, "Get", within: Bus.startLimit)
            {
                message throws(BusError) in
                try message.string(interface.rawValue)
                try message.string("version")
            }
            guard let version = answer.container("v", "u", { answer.unsigned() }) ?? nil else {
                throw PortalError.missing(interface)
            }
            return version
        } catch let error as BusError {
            // A portal without the interface names the error as it likes.
            if error.name.hasSuffix("InvalidArgs") { throw .missing(interface) }
            throw PortalError(error, interface)
        } catch let error as PortalError {
            throw error
        } catch {
            throw .failed(interface, reason: "\(error)")
        }
    }

    // MARK: - Waiting

    /// Handles messages that have come, and sleeps until more comes or `stop` is signaled.
    ///
    /// - Parameter isOver: checked after each message.
    /// - Throws: ``PortalError/stopped``, ``PortalError/notResponding(_:)`` when the time is over; if the bus is gone,
    ///   ``PortalError/failed(_:reason:)``
    func wait(
        _ interface: PortalInterface, within limit: Duration? = nil, stop: WakeUp, until isOver: () -> Bool
    ) throws(PortalError) {
        let deadline = limit.map { ContinuousClock.now + $0 }
        do {
            while true {
                try bus.process()
                if isOver() { return }
                if let deadline, deadline <= .now { throw PortalError.notResponding(interface) }
                let ready = try waitUntilReadable([bus.descriptor, stop.raw], until: deadline)
                if ready.contains(stop.raw) {
                    stop.clear()
                    if isOver() { return }
                    throw PortalError.stopped
                }
            }
        } catch let error as PortalError {
            throw error
        } catch {
            throw .failed(interface, reason: "\(error)")
        }
    }

    /// A signal of the portal.
    ///
    /// - Parameter path: of the object that sends it.
    func match(
        _ interface: String, _ member: String, path: String, _ handler: @escaping (MessageReader) -> Void
    ) throws(BusError) -> Bus.Match {
        try bus.match(
            "interface='\(interface)',member='\(member)',path='\(path)'", from: .owner(Self.service), handler)
    }

    // MARK: - Requests

    /// Calls a method that answers by a request, and waits for the answer.
    ///
    /// - Parameters:
    ///   - limit: how long the answer may take; nil if the desktop may ask the user.
    ///   - options: of the method's last argument; the request's token is added.
    ///   - arguments: writes the arguments before it.
    ///   - asked: called when the portal has accepted the call.
    ///   - read: reads the results, a dictionary of names and variants.
    /// - Throws: ``PortalError``
    func request<Results>(
        _ interface: PortalInterface, _ member: String, within limit: Duration?, stop: WakeUp,
        options: [String: MessageWriter.Option] = [:],
        arguments: (MessageWriter) throws(BusError) -> Void = { _ in }, asked: () -> Void = {},
        read: @escaping (MessageReader) -> Results
    ) throws(PortalError) -> Results {
        requestCount += 1
        let token = "voicedictation\(requestCount)"
        let answer = Answer<Results>(read)
        let requestInterface = "org.freedesktop.portal.Request"
        var matches: [Bus.Match] = []
        var handle = "\(Self.path)/request/\(sender)/\(token)"
        do {
            matches.append(try match(requestInterface, "Response", path: handle, answer.take))
            let reply = try bus.call(Self.service, Self.path, interface.rawValue, member) {
                message throws(BusError) in
                try arguments(message)
                try message.options(options.merging(["handle_token": .string(token)]) { $1 })
            }
            // Portals before 0.9 choose another path.
            if let path = reply.string(), path != handle {
                handle = path
                matches.append(try match(requestInterface, "Response", path: handle, answer.take))
            }
        } catch {
            throw PortalError(error, interface)
        }
        asked()
        do {
            try wait(interface, within: limit, stop: stop) { answer.code != nil || isPortalGone }
        } catch {
            _ = try? bus.call(Self.service, handle, requestInterface, "Close")
            throw error
        }
        withExtendedLifetime(matches) {}
        switch (answer.code, answer.results) {
        case (0, let results?): return results
        case (1, _): throw .cancelled(interface)
        case (nil, _): throw .failed(interface, reason: "it ended")
        default: throw .failed(interface, reason: "it gave no reason for refusing \(member)")
        }
    }

    private final class Answer<Results> {
        private(set) var code: UInt32?
        private(set) var results: Results?
        private let read: (MessageReader) -> Results

        init(_ read: @escaping (MessageReader) -> Results) { self.read = read }

        func take(_ signal: MessageReader) {
            guard code == nil else { return }
            code = signal.unsigned()
            results = read(signal)
        }
    }

    /// The name of this connection as a part of paths: ":1.42" is "1_42".
    private var sender: String { String(bus.uniqueName.dropFirst().replacing(".", with: "_")) }

    // MARK: - Sessions

    /// Makes a session, which the user may close at any time.
    ///
    /// - Parameters:
    ///   - options: further ones of CreateSession.
    ///   - read: reads one of the results, with the given name.
    /// - Throws: ``PortalError``
    func makeSession(
        _ interface: PortalInterface, stop: WakeUp, options: [String: MessageWriter.Option] = [:],
        read: @escaping (MessageReader, _ name: String) -> Void
    ) throws(PortalError) -> PortalSession {
        // The same one each time: if the desktop does not know which program this is, it keeps the user's
        // choices under this name.
        let token = "voicedictation"
        let expected = "\(Self.path)/session/\(sender)/\(token)"
        let session = PortalSession(handle: expected, bus: bus)
        do {
            try session.follow(with: self)
        } catch {
            throw PortalError(error, interface)
        }
        let handle = try request(
            interface, "CreateSession", within: Bus.patience, stop: stop,
            options: options.merging(["session_handle_token": .string(token)]) { $1 }
        ) { results -> String? in
            var handle: String?
            results.options { name in
                guard name == "session_handle" else { return read(results, name) }
                // Specified as a string; some desktops write a path.
                handle =
                    (results.container("v", "s") { results.string() }
                        ?? results.container("v", "o") { results.string() }) ?? nil
            }
            return handle
        }
        guard handle == expected else {
            throw .failed(interface, reason: "its session has another name than it must have")
        }
        return session
    }
}

/// A session of a portal; closed when it is released.
final class PortalSession {
    private static let interface = "org.freedesktop.portal.Session"

    let handle: String
    /// Whether the desktop has closed it.
    private(set) var isClosed = false
    private let bus: Bus
    private var match: Bus.Match?

    fileprivate init(handle: String, bus: Bus) {
        self.handle = handle
        self.bus = bus
    }

    /// Call this if the portal itself has gone: a further call would start it again.
    func abandon() { isClosed = true }

    deinit {
        if !isClosed { _ = try? bus.call(PortalConnection.service, handle, Self.interface, "Close") }
    }

    fileprivate func follow(with portal: PortalConnection) throws(BusError) {
        match = try portal.match(Self.interface, "Closed", path: handle) { [weak self] _ in
            self?.isClosed = true
        }
    }
}
