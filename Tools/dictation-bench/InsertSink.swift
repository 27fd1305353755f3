/// The windows that a text is inserted into: small programs that keep what arrives, and when.
///
/// Each obeys its standard input, or a named pipe where that is a terminal: `clear` empties it, `get` has it write one
/// line of JSON with the text and the times (CLOCK_MONOTONIC, in ns) of the first and the last change.
enum InsertSink: String, CaseIterable, Sendable {
    case xterm
    case gtk
    case qt
    case chromium

    /// What must be there for it; nil if all is.
    func missing() -> String? {
        switch self {
        case .xterm: Tool.path("xterm") == nil ? "xterm" : nil
        case .gtk:
            Tool.runs("/usr/bin/python3", ["-c", "import gi; gi.require_version('Gtk','3.0')"])
                ? nil : "gir1.2-gtk-3.0"
        case .qt: Tool.runs("/usr/bin/python3", ["-c", "import PyQt5.QtWidgets"]) ? nil : "python3-pyqt5"
        case .chromium: Tool.path("chromium") == nil ? "chromium" : nil
        }
    }

    /// The selection that Shift+Insert pastes there.
    var selection: String { self == .xterm ? "primary" : "clipboard" }

    /// - Parameters: the script's path, the pipes for orders and answers, a folder of its own.
    func command(script: String, orders: String, answers: String, folder: String) -> [String] {
        let program = ["/usr/bin/python3", "-u", script, rawValue, orders, answers, folder]
        return self == .xterm ? ["xterm", "-u8", "-T", title, "-e"] + program : program
    }

    var title: String { "dictation-bench \(rawValue)" }

    /// `insert-sink.py`.
    static var script: [UInt8] { PackageResources.insert_sink_py }
}
