import Foundation
import TestSupport
import Testing

@testable import DesktopIBus

@Suite("Where IBus listens")
struct IBusAddressTests {
    @Test(
        "the daemon writes its address into a file that is named after the machine and the display",
        arguments: [
            (["HOME": "/h", "DISPLAY": ":0"], ["/h/.config/ibus/bus/m-unix-0"]),
            (["HOME": "/h", "DISPLAY": ":10.1"], ["/h/.config/ibus/bus/m-unix-10"]),
            (["HOME": "/h", "DISPLAY": "far:1"], ["/h/.config/ibus/bus/m-far-1"]),
            (["XDG_CONFIG_HOME": "/c", "HOME": "/h", "DISPLAY": ":2"], ["/c/ibus/bus/m-unix-2"]),
            (
                ["HOME": "/h", "DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-1"],
                ["/h/.config/ibus/bus/m-unix-wayland-1", "/h/.config/ibus/bus/m-unix-0"]
            ),
            (["HOME": "/h", "DISPLAY": "", "WAYLAND_DISPLAY": ""], []),
            (["DISPLAY": ":0"], []),
            (["IBUS_ADDRESS_FILE": "/f", "HOME": "/h", "DISPLAY": ":0"], ["/f"]),
        ])
    func files(environment: [String: String], expected: [String]) {
        #expect(IBusAddress.files(environment, machine: "m") == expected)
    }

    @Test("the address is read from the first file that has one")
    func address() throws {
        let folder = try TemporaryFolder("ibus-address")
        try FileManager.default.createDirectory(
            atPath: folder.file("ibus/bus"), withIntermediateDirectories: true)
        var environment = ["XDG_CONFIG_HOME": folder.path, "DISPLAY": ":3", "WAYLAND_DISPLAY": "wayland-9"]
        #expect(IBusAddress.current(environment, machine: "m") == nil)
        try folder.write(
            "# A comment.\nIBUS_ADDRESS=unix:abstract=/x,guid=1\nIBUS_DAEMON_PID=2\n", to: "ibus/bus/m-unix-3"
        )
        try folder.write("IBUS_ADDRESS=\n", to: "ibus/bus/m-unix-wayland-9")
        #expect(IBusAddress.current(environment, machine: "m") == "unix:abstract=/x,guid=1")
        environment["IBUS_ADDRESS"] = "unix:path=/y"
        #expect(IBusAddress.current(environment, machine: "m") == "unix:path=/y")
    }
}
