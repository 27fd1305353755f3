import DictationBus

/// Why the desktop's portal did not do something.
public enum PortalError: Error, Equatable, Sendable, CustomStringConvertible {
    /// There is no session bus, no portal on it, or it does not have this interface.
    case missing(PortalInterface)
    /// The user has said no.
    case cancelled(PortalInterface)
    /// The portal, or its implementation by the desktop, failed.
    case failed(PortalInterface, reason: String)
    case notResponding(PortalInterface)
    /// The caller did not want to wait any longer.
    case stopped

    public var description: String {
        switch self {
        case .missing(let interface): "this desktop has no portal for \(interface.purpose)"
        case .cancelled(let interface):
            "the desktop's question about \(interface.purpose) was answered with no"
        case .failed(let interface, let reason):
            "the desktop's portal for \(interface.purpose) failed: \(reason)"
        case .notResponding(let interface): "the desktop's portal for \(interface.purpose) does not respond"
        case .stopped: "waiting for the portal was stopped"
        }
    }

    init(_ error: BusError, _ interface: PortalInterface) {
        let name = error.name.split(separator: ".").last
        switch name {
        case "ServiceUnknown", "NameHasNoOwner", "UnknownInterface", "UnknownMethod", "UnknownObject":
            self = .missing(interface)
        case "NoReply", "Timeout", "TimedOut": self = .notResponding(interface)
        default: self = .failed(interface, reason: error.reason)
        }
    }
}

/// A part of org.freedesktop.portal.Desktop that this program uses.
public enum PortalInterface: String, Sendable {
    case globalShortcuts = "org.freedesktop.portal.GlobalShortcuts"

    /// For a person.
    var purpose: String {
        switch self {
        case .globalShortcuts: "shortcuts"
        }
    }
}
