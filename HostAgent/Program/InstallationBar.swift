import DictationSpeech
import Foundation
import Glibc
import Synchronization

/// Shows an installation on stderr: on a terminal a bar that is drawn again and again, elsewhere a line for each step.
final class InstallationBar: Sendable {
    private struct State {
        /// In thousandths.
        var last = -1
        var text = ""
    }
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private let state = Mutex(State())
    private static let width = 30

    func show(_ progress: ModelInstallProgress) {
        let text = isTerminal ? progress.text : "\(progress.step) \(progress.item)"
        let part = isTerminal ? Int(progress.fraction * 1000) : 0
        let isNew = state.withLock { state in
            defer { state = State(last: part, text: text) }
            return state.last != part || state.text != text
        }
        guard isNew else { return }
        guard isTerminal else { return write(progress.headline + "\n") }
        let full = Int(progress.fraction * Double(Self.width))
        let bar = String(repeating: "█", count: full) + String(repeating: "░", count: Self.width - full)
        write("\r\u{1B}[K\(bar) \(progress.text)")
    }

    func end() {
        let isShown = state.withLock { state in
            defer { state = State() }
            return state.last >= 0
        }
        if isTerminal, isShown { write("\r\u{1B}[K") }
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
