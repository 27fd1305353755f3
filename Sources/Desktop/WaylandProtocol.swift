/// A protocol of a Wayland compositor that dictation can use, by the name of the interface that offers it.
public enum WaylandProtocol: String, CaseIterable, Comparable, Sendable {
    case virtualKeyboard = "zwp_virtual_keyboard_manager_v1"
    case foreignToplevel = "zwlr_foreign_toplevel_manager_v1"
    case inputMethod = "zwp_input_method_manager_v2"
    case dataControl = "zwlr_data_control_manager_v1"
    case standardDataControl = "ext_data_control_manager_v1"
    case layerShell = "zwlr_layer_shell_v1"

    /// Its use, for a person.
    public var purpose: String {
        switch self {
        case .virtualKeyboard: "virtual keyboard"
        case .foreignToplevel: "focused window"
        case .inputMethod: "input method"
        case .dataControl, .standardDataControl: "clipboard"
        case .layerShell: "overlay"
        }
    }

    public static func < (left: WaylandProtocol, right: WaylandProtocol) -> Bool {
        let all = Self.allCases
        return (all.firstIndex(of: left) ?? 0) < (all.firstIndex(of: right) ?? 0)
    }
}
