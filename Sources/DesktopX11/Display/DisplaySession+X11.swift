import CX11
import Desktop

extension DisplaySession {
    /// How the X server answers that `DISPLAY` names.
    public static func x11(_ environment: [String: String]) -> X11 {
        guard let name = environment["DISPLAY"], !name.isEmpty,
            let connection = try? DisplayConnection(name: name)
        else { return .missing }
        var numbers: (opcode: Int32, event: Int32, error: Int32) = (0, 0, 0)
        // Since XWayland 23.1; earlier ones are recognized by the compositor next to them.
        let isXWayland = XQueryExtension(
            connection.display, "XWAYLAND", &numbers.opcode, &numbers.event, &numbers.error)
        return isXWayland == 0 ? .reached : .reachedXWayland
    }
}
