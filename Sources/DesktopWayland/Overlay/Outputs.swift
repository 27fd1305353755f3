import CWayland

/// The compositor's screens, as they come and go. For one thread.
final class Outputs {
    /// One screen.
    private final class Output {
        let output: OpaquePointer
        /// Pixels that a unit is drawn with; for a scale of 1.5 that is 2, which the compositor makes smaller.
        var scale = 1

        init(_ output: OpaquePointer) { self.output = output }
    }

    private static let interface = "wl_output"
    private static let events = CListener(
        {
            var events = wl_output_listener()
            events.geometry = { _, _, _, _, _, _, _, _, _, _ in }
            events.mode = { _, _, _, _, _, _ in }
            events.done = { _, _ in }
            events.scale = { data, _, scale in
                guard let data else { return }
                Unmanaged<Output>.fromOpaque(data).takeUnretainedValue().scale = max(1, Int(scale))
            }
            return events
        }())

    private unowned let connection: WaylandConnection
    private var outputs: [UInt32: Output] = [:]
    /// How often a screen has come.
    private(set) var arrivals = 0

    init(_ connection: WaylandConnection) {
        self.connection = connection
        update()
        connection.offersChanged = { [weak self] in self?.update() }
    }

    func contains(_ output: OpaquePointer) -> Bool { outputs.values.contains { $0.output == output } }

    /// - Parameter output: nil for one that is not known yet: then the finest one counts.
    func scale(of output: OpaquePointer?) -> Int {
        outputs.values.first { $0.output == output }?.scale ?? outputs.values.map(\.scale).max() ?? 1
    }

    private func update() {
        let offers = connection.offers(of: Self.interface)
        for (offer, gone) in outputs where !offers.contains(offer) {
            wl_output_destroy(gone.output)
            outputs[offer] = nil
        }
        for offer in offers where outputs[offer] == nil {
            guard let bound = connection.bind(offer: offer, newest: 2, cwayland_bind_output) else { continue }
            let output = Output(bound)
            wl_output_add_listener(
                bound, Self.events.pointer, Unmanaged.passUnretained(output).toOpaque())
            outputs[offer] = output
            arrivals += 1
        }
    }
}
