import DictationSystem
import Foundation
import Glibc
import Synchronization

/// A bar on stderr that is drawn again and again. Elsewhere than on a terminal nothing is drawn.
final class TerminalBar: Sendable {
    private struct State: Equatable {
        /// In thousandths; nil while nothing is shown.
        var part: Int?
        var text = ""
    }
    let isTerminal = isatty(STDERR_FILENO) == 1
    private let state = Mutex(State())
    private static let width = 30

    /// - Parameter fraction: 0…1.
    func draw(_ fraction: Double, _ text: String) {
        guard isTerminal else { return }
        let new = State(part: Int(fraction * 1000), text: text)
        state.withLock { state in
            guard state != new else { return }
            state = new
            let full = Int(fraction * Double(Self.width))
            let bar = String(repeating: "█", count: full) + String(repeating: "░", count: Self.width - full)
            write("\r\u{1B}[K\(bar) \(text.displaySafe)")
        }
    }

    func clear() {
        state.withLock { state in
            if state.part != nil { write("\r\u{1B}[K") }
            state = State()
        }
    }

    private func write(_ text: String) { StandardStreams.complain(text) }
}
