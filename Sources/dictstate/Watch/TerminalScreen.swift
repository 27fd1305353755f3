import DictationSystem
import Foundation
import Glibc

/// The terminal as a full screen: the alternate screen buffer, no cursor, no echo. Everything is restored
/// afterward.
final class TerminalScreen {
    private let before: termios
    private let signals: SignalEvents

    /// A wish of the person, or a change of the terminal.
    enum Event { case quit, redraw }

    /// The signals that it needs, to be caught before the process has other threads.
    static func catchSignals() throws -> SignalEvents {
        try SignalEvents([SIGWINCH, SIGINT, SIGTERM, SIGHUP])
    }

    /// - Throws: ``SystemError`` if standard input is no terminal.
    init(signals: SignalEvents) throws {
        var attributes = termios()
        try retryingInterrupted("ask for the terminal's attributes") { tcgetattr(STDIN_FILENO, &attributes) }
        before = attributes
        self.signals = signals
        // Ctrl-C still is a signal. A program that is stopped would leave the alternate screen on.
        attributes.c_lflag &= ~tcflag_t(ICANON | ECHO)
        withUnsafeMutableBytes(of: &attributes.c_cc) { $0[Int(VSUSP)] = 0 }
        tcsetattr(STDIN_FILENO, TCSANOW, &attributes)
        setlocale(LC_CTYPE, "")
        write("\u{1B}[?1049h\u{1B}[?25l")
    }

    func close() {
        write("\u{1B}[?25h\u{1B}[?1049l")
        var attributes = before
        tcsetattr(STDIN_FILENO, TCSANOW, &attributes)
    }

    /// For ``waitUntilReadable(_:timeout:)``.
    var raw: [Int32] { [STDIN_FILENO, signals.raw] }

    /// The events so far, without waiting.
    func take() throws -> [Event] {
        var events: [Event] = signals.take().map { $0 == SIGWINCH ? .redraw : .quit }
        guard try !waitUntilReadable([STDIN_FILENO], timeout: 0).isEmpty else { return events }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        // A terminal that is gone is at its end.
        if count <= 0 { return [.quit] }
        if bytes[..<count].contains(where: { [UInt8(ascii: "q"), UInt8(ascii: "Q")].contains($0) }) {
            events.append(.quit)
        }
        return events
    }

    /// In columns and lines.
    static var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Draws over the old content, so that nothing flickers.
    func draw(_ lines: [WatchView.Line]) {
        var text = "\u{1B}[H"
        for (index, line) in lines.enumerated() {
            text += (index > 0 ? "\r\n" : "") + line.style.escape + line.text + "\u{1B}[0m\u{1B}[K"
        }
        write(text + "\u{1B}[J")
    }

    /// A terminal that is gone is reported by its signal.
    private func write(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
}

extension WatchView.Style {
    /// Of the terminal's own palette, so that it fits any theme.
    fileprivate var escape: String {
        switch self {
        // https://no-color.org
        case .alarm where Self.isColorless: "\u{1B}[1m"
        case .good where Self.isColorless, .notice where Self.isColorless: ""
        case .plain: ""
        case .strong: "\u{1B}[1m"
        case .faint: "\u{1B}[2m"
        case .alarm: "\u{1B}[31m"
        case .good: "\u{1B}[32m"
        case .notice: "\u{1B}[33m"
        }
    }

    private static let isColorless = ProcessInfo.processInfo.environment["NO_COLOR"]?.isEmpty == false
}
