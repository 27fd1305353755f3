import DictationSystem

/// Tells when a Wayland compositor goes away: a session with Wayland alone has no X server whose end would be noticed.
///
/// It holds a connection on which it says nothing, and a thread sleeps until the compositor closes it.
public final class CompositorWatch: Sendable {
    /// One element when the compositor has gone.
    public let departures: AsyncStream<Void>
    /// The absolute path of the compositor's socket.
    public let socket: String
    private let stopping: WakeUp

    /// - Parameter socket: nil for the compositor that the environment names.
    /// - Returns: nil if there is none to watch.
    public init?(socket: String? = nil) {
        guard let socket = socket ?? DisplaySession.waylandSocket(),
            let connection = DisplaySession.connection(toCompositorAt: socket),
            let stopping = try? WakeUp()
        else { return nil }
        self.socket = socket
        self.stopping = stopping
        let (departures, departure) = AsyncStream.makeStream(of: Void.self)
        self.departures = departures
        startThread(named: "compositor-watch") {
            // The compositor got no request, so only the end can come.
            let ready = try? waitUntilReadable([connection.raw, stopping.raw])
            if let ready, !ready.contains(stopping.raw) { departure.yield() }
            departure.finish()
        }
    }

    deinit { stopping.signal() }
}
