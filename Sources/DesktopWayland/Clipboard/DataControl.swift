import CWayland
import Foundation

/// The two clipboards of a session.
enum Selection: String, Codable, CaseIterable, Sendable {
    case clipboard
    /// The last selection, which the middle mouse button pastes.
    case primary
}

/// The clipboards of a compositor, without having the focus (ext-data-control-v1, or wlr-data-control). For one thread.
final class DataControl {
    /// A content that another client has on a clipboard.
    final class Offer {
        let handle: OpaquePointer
        fileprivate(set) var types: [String] = []

        fileprivate init(handle: OpaquePointer) { self.handle = handle }

        deinit { zwlr_data_control_offer_v1_destroy(handle) }

        /// Asks for a format, which its owner writes into a pipe and closes it.
        func receive(_ type: String, into pipe: Int32) {
            zwlr_data_control_offer_v1_receive(handle, type, pipe)
        }
    }

    /// A content that this process has on a clipboard.
    private final class Source {
        let handle: OpaquePointer
        let selection: Selection
        let holding: any Holding
        weak var owner: DataControl?

        init(_ handle: OpaquePointer, _ selection: Selection, _ holding: any Holding, owner: DataControl) {
            self.handle = handle
            self.selection = selection
            self.holding = holding
            self.owner = owner
        }

        deinit { zwlr_data_control_source_v1_destroy(handle) }

        func cancel() {
            owner?.replaced[handle] = nil
            // Otherwise this process has replaced it.
            guard owner?.sources[selection] === self else { return }
            owner?.sources[selection] = nil
            holding.replaced(on: selection)
        }
    }

    /// Content of a clipboard, and how to answer a client that wants it.
    protocol Holding: AnyObject {
        var content: ClipboardContent { get }
        /// - Parameter pipe: to be written to and closed.
        func wanted(_ type: String, into pipe: Int32)
        /// Another program has copied something.
        func replaced(on selection: Selection)
    }

    /// The newer protocol, and the one that it was made from.
    private static let interface = "ext_data_control_manager_v1"
    private static let formerInterface = "zwlr_data_control_manager_v1"

    static func isOffered(by connection: WaylandConnection) -> Bool {
        [interface, formerInterface].contains(where: connection.offers)
    }

    private let connection: WaylandConnection
    private let manager: OpaquePointer
    private let device: OpaquePointer
    /// The clipboards that this compositor gives access to.
    let selections: [Selection]
    /// Announced, and not yet on a clipboard.
    private var announced: [OpaquePointer: Offer] = [:]
    private var offers: [Selection: Offer] = [:]
    private var sources: [Selection: Source] = [:]
    /// Ours, until the compositor has reported their end.
    private var replaced: [OpaquePointer: Source] = [:]

    private static let deviceEvents = CListener(
        zwlr_data_control_device_v1_listener(
            data_offer: { data, _, handle in
                guard let handle else { return }
                let offer = Offer(handle: handle)
                DataControl.of(data)?.announced[handle] = offer
                zwlr_data_control_offer_v1_add_listener(
                    handle, offerEvents.pointer, Unmanaged.passUnretained(offer).toOpaque())
            },
            selection: { data, _, handle in DataControl.of(data)?.take(handle, as: .clipboard) },
            finished: { _, _ in },
            primary_selection: { data, _, handle in DataControl.of(data)?.take(handle, as: .primary) }))
    private static let offerEvents = CListener(
        zwlr_data_control_offer_v1_listener(
            offer: { data, _, type in
                guard let data, let type else { return }
                Unmanaged<Offer>.fromOpaque(data).takeUnretainedValue().types.append(String(cString: type))
            }))
    private static let sourceEvents = CListener(
        zwlr_data_control_source_v1_listener(
            send: { data, _, type, pipe in
                guard let data, let type else { return }
                Unmanaged<Source>.fromOpaque(data).takeUnretainedValue()
                    .holding.wanted(String(cString: type), into: pipe)
            },
            cancelled: { data, _ in
                guard let data else { return }
                Unmanaged<Source>.fromOpaque(data).takeUnretainedValue().cancel()
            }))

    private static func of(_ data: UnsafeMutableRawPointer?) -> DataControl? {
        data.map { Unmanaged<DataControl>.fromOpaque($0).takeUnretainedValue() }
    }

    /// - Throws: ``WaylandError``
    init(_ connection: WaylandConnection, within limit: Duration = WaylandConnection.answerLimit) throws {
        let isNew = connection.offers(Self.interface)
        let manager =
            isNew
            ? try connection.bind(Self.interface, cwayland_bind_ext_data_control)
            : try connection.bind(Self.formerInterface, newest: 2, cwayland_bind_data_control)
        let seat = try connection.bind("wl_seat", newest: 5, cwayland_bind_seat)
        guard let device = zwlr_data_control_manager_v1_get_data_device(manager, seat) else {
            throw WaylandError.lost
        }
        self.connection = connection
        self.manager = manager
        self.device = device
        // The former protocol's first version knows the clipboard only.
        let knowsPrimary = isNew || zwlr_data_control_manager_v1_get_version(manager) >= 2
        selections = knowsPrimary ? Selection.allCases : [.clipboard]
        zwlr_data_control_device_v1_add_listener(
            device, Self.deviceEvents.pointer, Unmanaged.passUnretained(self).toOpaque())
        try connection.roundTrip(within: limit)
    }

    /// Proxies must be destroyed before their connection.
    deinit {
        announced = [:]
        offers = [:]
        sources = [:]
        replaced = [:]
        zwlr_data_control_device_v1_destroy(device)
        zwlr_data_control_manager_v1_destroy(manager)
    }

    /// The content of another client; nil if there is none, or this process owns it.
    func offer(_ selection: Selection) -> Offer? { sources[selection] == nil ? offers[selection] : nil }

    /// The content of this process.
    func holding(_ selection: Selection) -> (any Holding)? { sources[selection]?.holding }

    /// Puts something on a clipboard; nil empties it.
    func set(_ holding: (any Holding)?, as selection: Selection) {
        if let former = sources.removeValue(forKey: selection) { replaced[former.handle] = former }
        var handle: OpaquePointer?
        if let holding, let new = zwlr_data_control_manager_v1_create_data_source(manager) {
            let source = Source(new, selection, holding, owner: self)
            zwlr_data_control_source_v1_add_listener(
                new, Self.sourceEvents.pointer, Unmanaged.passUnretained(source).toOpaque())
            for format in holding.content.formats { zwlr_data_control_source_v1_offer(new, format.type) }
            sources[selection] = source
            handle = new
        }
        switch selection {
        case .clipboard: zwlr_data_control_device_v1_set_selection(device, handle)
        case .primary: zwlr_data_control_device_v1_set_primary_selection(device, handle)
        }
    }

    private func take(_ handle: OpaquePointer?, as selection: Selection) {
        offers[selection] = handle.flatMap { announced.removeValue(forKey: $0) }
    }
}
