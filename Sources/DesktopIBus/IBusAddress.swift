import Foundation

/// Where the IBus daemon of a session listens: IBus has its own message bus.
enum IBusAddress {
    /// By the rules of libibus (ibus_get_address): `IBUS_ADDRESS`, or else the file that the daemon has written for the
    /// display.
    ///
    /// - Returns: nil if no daemon has been started.
    static func current(
        _ environment: [String: String], machine: String? = machineID()
    ) -> String? {
        if let address = environment["IBUS_ADDRESS"], !address.isEmpty { return address }
        return files(environment, machine: machine).lazy
            .compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }
            .compactMap(address(in:)).first
    }

    /// The files that a daemon may have written, the likeliest first: one of a Wayland session is named after the
    /// compositor, and one that was started before it after the X display.
    static func files(_ environment: [String: String], machine: String?) -> [String] {
        if let file = environment["IBUS_ADDRESS_FILE"], !file.isEmpty { return [file] }
        let configuration =
            environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? environment["HOME"].map { "\($0)/.config" }
        guard let configuration else { return [] }
        let displays = [
            environment["WAYLAND_DISPLAY"].flatMap { $0.isEmpty ? nil : "unix-\($0)" },
            environment["DISPLAY"].flatMap(fileName(ofDisplay:)),
        ]
        // The name that libibus uses for a machine without a number.
        let machine = machine ?? "machine-id"
        return displays.compactMap { $0 }.map { "\(configuration)/ibus/bus/\(machine)-\($0)" }
    }

    /// - Parameter display: an X display name such as `:10.0` or `host:1`.
    private static func fileName(ofDisplay display: String) -> String? {
        guard let colon = display.lastIndex(of: ":") else { return nil }
        let host = display[..<colon]
        let number = display[colon...].dropFirst().prefix { $0 != "." }
        return number.isEmpty ? nil : "\(host.isEmpty ? "unix" : host)-\(number)"
    }

    static func address(in file: String) -> String? {
        file.split(whereSeparator: \.isNewline).lazy.filter { $0.hasPrefix("IBUS_ADDRESS=") }
            .map { String($0.dropFirst("IBUS_ADDRESS=".count)) }.first { !$0.isEmpty }
    }

    /// In libibus's order (ibus_get_local_machine_id): the two may differ, as in a copied system.
    static func machineID() -> String? {
        ["/var/lib/dbus/machine-id", "/etc/machine-id"].lazy
            .compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }
            .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }.first { !$0.isEmpty }
    }
}
