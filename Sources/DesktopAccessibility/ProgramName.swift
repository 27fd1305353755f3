import DictationBus
import Foundation
import Glibc

/// The name of a program, as profiles match it.
enum ProgramName {
    /// The program's file, such as `gnome-text-editor`, or else the name that it gives itself, which is for
    /// people and may be translated. For a program in an interpreter, and for a Flatpak behind its proxy,
    /// that name is the better one.
    static func of(process: Int32?, saidName: String) -> String {
        let said = saidName == "Unnamed" ? "" : saidName
        guard let process, let file = executable(of: process) else { return said }
        let isInterpreter = ["python", "perl", "ruby", "node", "gjs", "java", "xdg-dbus-proxy"].contains {
            file.hasPrefix($0)
        }
        return isInterpreter && !said.isEmpty ? said : file
    }

    private static func executable(of process: Int32) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
            .split(separator: "/").last.map(String.init)
    }
}

extension AccessibilityBus {
    /// The process behind a name on the bus; nil if the bus does not know it, for example inside a container.
    func processID(of owner: String) throws(BusError) -> Int32? {
        let pending = try bus.send(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus",
            "GetConnectionUnixProcessID"
        ) { message throws(BusError) in try message.string(owner) }
        try bus.process(until: .now + Bus.patience) { pending.result == nil }
        return (try? pending.result?.get())?.unsigned().flatMap { Int32(exactly: $0) }
    }
}
