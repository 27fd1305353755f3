import DictationSystem

/// The windows that a text is inserted into: small programs that keep what arrives, and when.
///
/// Each obeys its standard input, or a named pipe if that is a terminal: `clear` empties it, `get` has it
/// write one line of JSON with the text and the times (CLOCK_MONOTONIC, in ns) of the first and the last
/// change.
enum InsertSink: String, CaseIterable, Sendable {
    case xterm
    case foot
    case gtk
    case gtk4
    case qt
    case chromium

    /// Those that are tried on a display. Chromium may crash if it starts with the keyboard map of wtype, so
    /// there it is the first.
    static func all(on display: VirtualDesk.Display) -> [InsertSink] {
        switch display {
        case .x11: [.xterm, .gtk, .qt, .chromium]
        case .wayland: [.chromium, .foot, .gtk, .gtk4, .qt, .xterm]
        // Those that show their text fields to assistive technology.
        case .gnome: [.gtk, .gtk4, .qt]
        }
    }

    /// The missing requirement; nil if all is there.
    func missing() -> String? {
        switch self {
        case .xterm, .foot, .chromium: Executable.find(rawValue) == nil ? rawValue : nil
        case .gtk: Self.has("import gi; gi.require_version('Gtk','3.0')") ? nil : "gir1.2-gtk-3.0"
        case .gtk4: Self.has("import gi; gi.require_version('Gtk','4.0')") ? nil : "gir1.2-gtk-4.0"
        case .qt: Self.has("import PyQt5.QtWidgets") ? nil : "python3-pyqt5"
        }
    }

    private static func has(_ script: String) -> Bool { Tool.runs("/usr/bin/python3", ["-c", script]) }

    /// The selection that Shift+Insert pastes there.
    var selection: String { self == .xterm ? "primary" : "clipboard" }

    /// - Parameters: the script's path, the pipes for orders and answers, a folder of its own.
    func command(script: String, orders: String, answers: String, folder: String) -> [String] {
        let program = ["/usr/bin/python3", "-u", script, rawValue, orders, answers, folder]
        return switch self {
        case .xterm: ["xterm", "-u8", "-T", title, "-xrm", "*allowTitleOps: false", "-e"] + program
        case .foot: ["foot", "--title", title, "--override", "locked-title=yes"] + program
        case .gtk, .gtk4, .qt, .chromium: program
        }
    }

    var title: String { "dictation-bench \(rawValue)" }

    /// `insert-sink.py`.
    static var script: [UInt8] { PackageResources.insert_sink_py }
}
