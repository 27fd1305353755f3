import CWayland
import Desktop
import DictationSystem

/// The windows of applications, as the compositor reports them (wlr-foreign-toplevel-management). For one thread.
final class Toplevels {
    /// One window.
    fileprivate final class Toplevel {
        let id: UInt64
        let handle: OpaquePointer
        var appID = ""
        var title = ""
        /// Whether it has the keyboard focus. It has not while the session is locked, or a launcher has the keyboard.
        private(set) var isActivated = false
        /// The screens that it is on.
        var outputs: [OpaquePointer] = []
        private weak var owner: Toplevels?

        init(id: UInt64, handle: OpaquePointer, owner: Toplevels) {
            self.id = id
            self.handle = handle
            self.owner = owner
        }

        var info: WindowInfo { WindowInfo(id: id, windowClass: appID, title: title) }

        func setActivated(_ isActivated: Bool) {
            guard isActivated != self.isActivated else { return }
            self.isActivated = isActivated
            owner?.focusChanges.add()
        }

        func close() {
            setActivated(false)
            owner?.toplevels[id] = nil
            zwlr_foreign_toplevel_handle_v1_destroy(handle)
        }
    }

    static let interface = "zwlr_foreign_toplevel_manager_v1"

    private let manager: OpaquePointer
    private var toplevels: [UInt64: Toplevel] = [:]
    /// They hold for this connection only.
    private var nextID = WindowInfo.firstNativeID
    /// How often the focus has changed.
    let focusChanges: FocusChanges

    private static let managerEvents = CListener(
        zwlr_foreign_toplevel_manager_v1_listener(
            toplevel: { data, _, handle in
                guard let data, let handle else { return }
                Unmanaged<Toplevels>.fromOpaque(data).takeUnretainedValue().add(handle)
            },
            finished: { data, manager in
                guard let data else { return }
                zwlr_foreign_toplevel_manager_v1_destroy(manager)
                Unmanaged<Toplevels>.fromOpaque(data).takeUnretainedValue().untilFinished = nil
            }))
    private static let handleEvents = CListener(
        zwlr_foreign_toplevel_handle_v1_listener(
            title: { data, _, text in
                if let text { Toplevels.toplevel(data)?.title = String(cString: text) }
            },
            app_id: { data, _, text in
                if let text { Toplevels.toplevel(data)?.appID = String(cString: text) }
            },
            output_enter: { data, _, output in
                if let output { Toplevels.toplevel(data)?.outputs.append(output) }
            },
            output_leave: { data, _, output in
                Toplevels.toplevel(data)?.outputs.removeAll { $0 == output }
            },
            state: { data, _, states in
                guard let states = states?.pointee else { return }
                let values = UnsafeRawBufferPointer(start: states.data, count: states.size)
                    .bindMemory(to: UInt32.self)
                Toplevels.toplevel(data)?.setActivated(
                    values.contains(ZWLR_FOREIGN_TOPLEVEL_HANDLE_V1_STATE_ACTIVATED.rawValue))
            },
            done: { _, _ in }, closed: { data, _ in Toplevels.toplevel(data)?.close() },
            parent: { _, _, _ in }))

    /// Itself, from ``stop()`` until nothing more comes.
    private var untilFinished: Toplevels?

    /// Knows the windows when this returns.
    ///
    /// - Throws: ``WaylandError``
    convenience init(
        _ connection: WaylandConnection, focusChanges: FocusChanges, within limit: Duration
    ) throws {
        try self.init(connection, focusChanges: focusChanges)
        // The first answer names the windows, the second describes them.
        for _ in 0..<2 { try connection.roundTrip(within: limit) }
    }

    /// The list of windows arrives later.
    ///
    /// - Throws: ``WaylandError``
    init(_ connection: WaylandConnection, focusChanges: FocusChanges) throws {
        self.focusChanges = focusChanges
        manager = try connection.bind(
            Self.interface, newest: 3, cwayland_bind_toplevels)
        zwlr_foreign_toplevel_manager_v1_add_listener(
            manager, Self.managerEvents.pointer, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Stops the reports about windows. Windows that the compositor still names before it has read this are
    /// destroyed at once. If the manager were destroyed earlier, we would miss their numbers, and the next
    /// number would end the connection.
    func stop() {
        guard untilFinished == nil else { return }
        untilFinished = self
        for toplevel in toplevels.values { zwlr_foreign_toplevel_handle_v1_destroy(toplevel.handle) }
        toplevels = [:]
        zwlr_foreign_toplevel_manager_v1_stop(manager)
    }

    /// The window with the keyboard focus, as of the last events that were handled.
    var focused: WindowInfo? { toplevels.values.first(where: \.isActivated)?.info }

    /// The screens that this window is on.
    var focusedOutputs: [OpaquePointer] { toplevels.values.first(where: \.isActivated)?.outputs ?? [] }

    var all: Set<UInt64> { Set(toplevels.keys) }

    func contains(_ id: UInt64) -> Bool { toplevels[id] != nil }

    /// Asks for a window to get the focus. The compositor may refuse.
    func activate(_ id: UInt64, seat: OpaquePointer) {
        guard let toplevel = toplevels[id] else { return }
        zwlr_foreign_toplevel_handle_v1_activate(toplevel.handle, seat)
    }

    private func add(_ handle: OpaquePointer) {
        guard untilFinished == nil else { return zwlr_foreign_toplevel_handle_v1_destroy(handle) }
        let toplevel = Toplevel(id: nextID, handle: handle, owner: self)
        toplevels[nextID] = toplevel
        nextID += 1
        zwlr_foreign_toplevel_handle_v1_add_listener(
            handle, Self.handleEvents.pointer, Unmanaged.passUnretained(toplevel).toOpaque())
    }

    private static func toplevel(_ data: UnsafeMutableRawPointer?) -> Toplevel? {
        data.map { Unmanaged<Toplevel>.fromOpaque($0).takeUnretainedValue() }
    }
}
