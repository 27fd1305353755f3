import DictationSpeech
import Foundation
import Glibc
import Synchronization

/// The files of a run, as they are begun and finished, and its output: the printed transcripts, in the
/// order of the files, and a progress bar.
final class TranscriptOutput: Sendable {
    private struct State {
        var progress: TranscriptionProgress
        /// Finished, and waiting for those before them; the inner nil: nothing to print.
        var finished: [Int: String?] = [:]
        /// The next one to print, and the next one to begin.
        var next = 0
        var untaken: Range<Int>
    }
    private let bar = TerminalBar()
    private let began = ContinuousClock.now
    private let state: Mutex<State>

    init(files: [String]) {
        let seconds = files.map { try? AudioFile(url: URL(fileURLWithPath: $0)).duration }
        state = Mutex(State(progress: TranscriptionProgress(seconds: seconds), untaken: files.indices))
    }

    /// - Returns: the number of a file that was not begun yet; nil if there is none.
    func takeFile() -> Int? { state.withLock { $0.untaken.popFirst() } }

    func progress(of file: Int, is fraction: Double) {
        state.withLock { state in
            state.progress.update(file, to: fraction)
            draw(state.progress)
        }
    }

    /// - Parameter text: nil if nothing is printed.
    func finish(_ file: Int, with text: String?) {
        state.withLock { state in
            state.progress.update(file, to: 1)
            state.finished[file] = .some(text)
            while let text = state.finished.removeValue(forKey: state.next) {
                state.next += 1
                guard let text else { continue }
                bar.clear()
                StandardOutput.write(String(text.dropLast()))
                fflush(nil)
            }
            draw(state.progress)
        }
    }

    /// Prints another message on the terminal.
    func pause(_ body: () -> Void) {
        state.withLock { state in
            bar.clear()
            body()
        }
    }

    func end() { bar.clear() }

    private func draw(_ progress: TranscriptionProgress) {
        bar.draw(progress.fraction, progress.text(elapsed: began.duration(to: .now) / .seconds(1)))
    }
}
