import DictationSystem
import Foundation
import Glibc

/// The terminal of the guided setup: keys without echo, and a few lines at its bottom that are drawn again and again.
/// ``close()`` restores everything.
final class SetupTerminal {
    private let before: termios
    private var drawn = 0
    private let stopping: WakeUp

    /// Whether there is a terminal for keys and lines.
    static var isThere: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// - Parameter pressed: called on a separate thread with each key; nil when the terminal is gone, or for
    ///   Ctrl-C.
    /// - Throws: `SystemError` if standard input is no terminal.
    init(pressed: @escaping @Sendable (SetupFlow.Key?) -> Void) throws {
        var attributes = termios()
        try retryingInterrupted("ask for the terminal's attributes") { tcgetattr(STDIN_FILENO, &attributes) }
        before = attributes
        stopping = try WakeUp()
        // Ctrl-C is a key as well: a signal would end the process without restoring the terminal.
        attributes.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        tcsetattr(STDIN_FILENO, TCSANOW, &attributes)
        print("\u{1B}[?25l", terminator: "")
        fflush(nil)
        startThread(named: "keys") { [stopping] in
            var bytes = [UInt8](repeating: 0, count: 64)
            while let ready = try? waitUntilReadable([STDIN_FILENO, stopping.raw]),
                !ready.contains(stopping.raw)
            {
                let count = read(STDIN_FILENO, &bytes, bytes.count)
                guard count > 0 else { return pressed(nil) }
                if bytes[..<count].contains(3) { return pressed(nil) }
                for key in SetupFlow.Key.all(in: bytes[..<count]) { pressed(key) }
            }
        }
    }

    func close() {
        stopping.signal()
        print("\u{1B}[?25h", terminator: "")
        fflush(nil)
        var attributes = before
        tcsetattr(STDIN_FILENO, TCSADRAIN, &attributes)
    }

    /// How many lines and columns it has.
    var size: (lines: Int, columns: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
            return (24, 80)
        }
        return (Int(size.ws_row), Int(size.ws_col))
    }

    /// Draws over the lines that were drawn last.
    func draw(_ lines: [String]) {
        let width = max(2, size.columns - 1)
        let cut = lines.map(\.displaySafe).map { $0.count > width ? String($0.prefix(width - 1)) + "…" : $0 }
        print(erasure + cut.map { $0 + "\n" }.joined(), terminator: "")
        fflush(nil)
        drawn = lines.count
    }

    /// Writes lines that stay, in place of those that were drawn last.
    func say(_ text: String) {
        print(erasure + text.displaySafe)
        fflush(nil)
        drawn = 0
    }

    private var erasure: String { drawn > 0 ? "\u{1B}[\(drawn)A\r\u{1B}[J" : "" }
}

extension SetupFlow.Key {
    /// The keys in what a terminal has sent; keys without a meaning here are left out, including whole
    /// sequences.
    static func all(in bytes: some Sequence<UInt8>) -> [SetupFlow.Key] {
        var keys: [SetupFlow.Key] = []
        var rest = Array(bytes)[...]
        while let first = rest.popFirst() {
            switch first {
            case 0x0A, 0x0D: keys.append(.enter)
            case UInt8(ascii: "s"), UInt8(ascii: "S"): keys.append(.skip)
            case UInt8(ascii: "b"), UInt8(ascii: "B"): keys.append(.back)
            case UInt8(ascii: "q"), UInt8(ascii: "Q"): keys.append(.quit)
            case UInt8(ascii: "k"): keys.append(.up)
            case UInt8(ascii: "j"): keys.append(.down)
            case 0x1B where rest.first == UInt8(ascii: "[") || rest.first == UInt8(ascii: "O"):
                rest.removeFirst()
                // Parameters, and one letter or ~ at the end.
                while let next = rest.popFirst() {
                    guard (0x40...0x7E).contains(next) else { continue }
                    if next == UInt8(ascii: "A") { keys.append(.up) }
                    if next == UInt8(ascii: "B") { keys.append(.down) }
                    break
                }
            default: break
            }
        }
        return keys
    }
}
