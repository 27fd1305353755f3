import CWayland
import DictationSystem
import Glibc

/// A connection to the compositor, for one thread.
final class WaylandConnection {
    /// The absolute path of the compositor's socket.
    let socket: String
    let display: OpaquePointer
    private let registry: OpaquePointer
    /// The compositor's offers, by their numbers.
    private var globals: [UInt32: (interface: String, version: UInt32)] = [:]
    /// Called when something is offered that was not at first, such as another screen, or no longer.
    var offersChanged: (() -> Void)?

    /// How long a compositor may take to answer. It has much to do when a session begins, and an agent that starts then does
    /// without what the compositor has not offered in time, until the agent starts again.
    static let answerLimit: Duration = .seconds(5)

    /// The functions that libwayland calls live as long as the process.
    private static let registryEvents = CListener(
        wl_registry_listener(
            global: { data, _, name, interface, version in
                guard let data, let interface else { return }
                let connection = Unmanaged<WaylandConnection>.fromOpaque(data).takeUnretainedValue()
                connection.globals[name] = (String(cString: interface), version)
                connection.offersChanged?()
            },
            global_remove: { data, _, name in
                guard let data else { return }
                let connection = Unmanaged<WaylandConnection>.fromOpaque(data).takeUnretainedValue()
                connection.globals[name] = nil
                connection.offersChanged?()
            }))
    private static let syncEvents = CListener(
        wl_callback_listener(done: { data, _, _ in
            data?.assumingMemoryBound(to: Bool.self).pointee = true
        }))

    /// - Parameters:
    ///   - socket: the absolute path of the compositor's.
    ///   - limit: how long the compositor may take to say what it offers.
    /// - Throws: ``WaylandError``
    init(socket: String, within limit: Duration = answerLimit) throws {
        guard let display = wl_display_connect(socket) else { throw WaylandError.noCompositor }
        guard let registry = wl_display_get_registry(display) else {
            wl_display_disconnect(display)
            throw WaylandError.lost
        }
        self.socket = socket
        self.display = display
        self.registry = registry
        wl_registry_add_listener(
            registry, Self.registryEvents.pointer, Unmanaged.passUnretained(self).toOpaque())
        try roundTrip(within: limit)
    }

    deinit { wl_display_disconnect(display) }

    var descriptor: Int32 { wl_display_get_fd(display) }

    func offers(_ interface: String) -> Bool { globals.values.contains { $0.interface == interface } }

    /// The numbers of all offers of an interface, oldest first.
    func offers(of interface: String) -> [UInt32] {
        globals.filter { $0.value.interface == interface }.keys.sorted()
    }

    /// - Parameters:
    ///   - newest: the newest version that this program knows.
    ///   - body: given the registry, the name and the version.
    /// - Throws: ``WaylandError/missing(protocol:)``
    func bind(
        _ interface: String, newest: UInt32 = 1, _ body: (OpaquePointer, UInt32, UInt32) -> OpaquePointer?
    ) throws -> OpaquePointer {
        guard let offer = offers(of: interface).first, let bound = bind(offer: offer, newest: newest, body)
        else { throw WaylandError.missing(protocol: interface) }
        return bound
    }

    /// - Returns: nil if that is no longer offered.
    func bind(
        offer: UInt32, newest: UInt32, _ body: (OpaquePointer, UInt32, UInt32) -> OpaquePointer?
    ) -> OpaquePointer? {
        globals[offer].flatMap { body(registry, offer, min($0.version, newest)) }
    }

    /// Sends the queued requests.
    func flush() { wl_display_flush(display) }

    /// The seat, with the user's keyboard focus.
    ///
    /// - Throws: ``WaylandError/missing(protocol:)``
    func seat() throws -> OpaquePointer { try bind("wl_seat", newest: 5, cwayland_bind_seat) }

    /// Returns when the compositor has done all that was asked before, and its events up to then were handled.
    ///
    /// - Throws: ``WaylandError``
    func roundTrip(within limit: Duration = answerLimit) throws {
        guard let callback = wl_display_sync(display) else { throw WaylandError.lost }
        let isDone = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
        isDone.initialize(to: false)
        defer {
            wl_callback_destroy(callback)
            isDone.deallocate()
        }
        wl_callback_add_listener(callback, Self.syncEvents.pointer, isDone)
        guard try wait(within: limit, until: { isDone.pointee }) else { throw WaylandError.notResponding }
    }

    /// Sends the queued requests, and handles events until a condition holds.
    ///
    /// - Returns: false if the time is over first.
    /// - Throws: ``WaylandError/lost``
    func wait(within limit: Duration, until condition: () -> Bool) throws -> Bool {
        let end = ContinuousClock.now + limit
        while !condition() {
            guard .now < end else { return false }
            try handleEvents(until: end)
        }
        return true
    }

    /// Sends the queued requests, and handles events.
    ///
    /// - Parameter deadline: until when to wait for an event.
    /// - Throws: ``WaylandError/lost``
    func handleEvents(until deadline: ContinuousClock.Instant = .now) throws {
        while wl_display_prepare_read(display) != 0 {
            guard wl_display_dispatch_pending(display) >= 0 else { throw WaylandError.lost }
        }
        guard wl_display_flush(display) >= 0 || errno == EAGAIN,
            let ready = try? waitUntilReadable([descriptor], until: deadline)
        else {
            wl_display_cancel_read(display)
            throw WaylandError.lost
        }
        if ready.isEmpty {
            wl_display_cancel_read(display)
        } else {
            guard wl_display_read_events(display) >= 0 else { throw WaylandError.lost }
        }
        guard wl_display_dispatch_pending(display) >= 0 else { throw WaylandError.lost }
    }
}

/// A table of functions for libwayland, at one place in memory for as long as the process lives.
struct CListener<Table>: Sendable {
    private let address: UInt

    /// - Parameter table: newer libraries have more functions in some of them. Those are nil, and belong to versions of the
    ///   interfaces that are not asked for.
    init(_ table: Table) {
        let pointer = UnsafeMutablePointer<Table>.allocate(capacity: 1)
        pointer.initialize(to: table)
        address = UInt(bitPattern: pointer)
    }

    var pointer: UnsafePointer<Table>? { UnsafePointer(bitPattern: address) }
}
