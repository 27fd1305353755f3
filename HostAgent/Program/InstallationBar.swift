import DictationSpeech
import Foundation
import Glibc

/// Shows an installation on stderr: on a terminal a bar that is drawn again and again, elsewhere a line for each step.
final class InstallationBar {
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var last = -1
    private var step = ""
    private static let width = 30

    func show(_ progress: ModelInstallProgress) {
        guard isTerminal else { return tellStep(progress) }
        guard Int(progress.fraction * 1000) != last || progress.text != step else { return }
        last = Int(progress.fraction * 1000)
        step = progress.text
        let full = Int(progress.fraction * Double(Self.width))
        let bar = String(repeating: "█", count: full) + String(repeating: "░", count: Self.width - full)
        write("\r\u{1B}[K\(bar) \(progress.text)")
    }

    func end() {
        guard isTerminal, last >= 0 else { return }
        last = -1
        write("\r\u{1B}[K")
    }

    private func tellStep(_ progress: ModelInstallProgress) {
        let name = "\(progress.step) \(progress.item)"
        guard name != step else { return }
        step = name
        write(progress.headline + "\n")
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
