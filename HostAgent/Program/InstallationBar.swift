import DictationSpeech
import DictationSystem
import Foundation
import Synchronization

/// Shows an installation on stderr: on a terminal a bar, elsewhere a line for each step.
final class InstallationBar: Sendable {
    private let bar = TerminalBar()
    private let step = Mutex("")

    func show(_ progress: ModelInstallProgress) {
        if bar.isTerminal { return bar.draw(progress.fraction, progress.text) }
        let new = "\(progress.step) \(progress.item)"
        let isNew = step.withLock { step in
            defer { step = new }
            return step != new
        }
        if isNew { StandardStreams.complain(progress.headline.displaySafe + "\n") }
    }

    func end() { bar.clear() }
}
