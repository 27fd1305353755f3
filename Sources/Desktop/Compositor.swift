import Foundation

/// The program that shows a graphical session, and that hears its keys before all others.
public enum Compositor: Equatable, Hashable, Sendable {
    case sway, hyprland, river, labwc, gnome, kde
    /// By its name in `XDG_CURRENT_DESKTOP`.
    case other(String)

    /// The compositor that the environment names; nil if it names none.
    ///
    /// `XDG_CURRENT_DESKTOP` first, because it is set for each session. A variable of the compositor's own may be left over
    /// in a service manager from the session before.
    public init?(_ environment: [String: String] = ProcessInfo.processInfo.environment) {
        let set = { (name: String) in environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let desktops = ["XDG_CURRENT_DESKTOP", "XDG_SESSION_DESKTOP"].compactMap(set)
            .flatMap { $0.split(separator: ":").map(String.init) }
        if let known = desktops.lazy.compactMap({ Self.known[$0.lowercased()] }).first {
            self = known
        } else if set("SWAYSOCK") != nil {
            self = .sway
        } else if set("HYPRLAND_INSTANCE_SIGNATURE") != nil {
            self = .hyprland
        } else if set("LABWC_PID") != nil {
            self = .labwc
        } else if let name = desktops.first {
            self = .other(name)
        } else {
            return nil
        }
    }

    private static let known: [String: Compositor] = [
        "sway": .sway, "hyprland": .hyprland, "river": .river, "labwc": .labwc, "gnome": .gnome, "kde": .kde,
    ]

    /// For a person.
    public var name: String {
        switch self {
        case .sway: "sway"
        case .hyprland: "Hyprland"
        case .river: "River"
        case .labwc: "labwc"
        case .gnome: "GNOME"
        case .kde: "KDE"
        case .other(let name): name
        }
    }
}
