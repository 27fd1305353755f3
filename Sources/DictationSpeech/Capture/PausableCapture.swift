import Synchronization

/// A recording that can be interrupted: while it is paused the device is closed, and what is said is not recorded.
///
/// The times of what follows a pause go on where it began, so that they fit the file that is written.
final class PausableCapture: AudioCapture {
    let chunks: AsyncThrowingStream<AudioChunk, any Error>
    private let input: any AudioInput
    private let parts: AsyncStream<Part>.Continuation
    private let shared = Mutex(State())

    private struct Part: Sendable {
        let number: Int
        let capture: any AudioCapture
    }

    private struct State {
        /// Nil while it is paused.
        var current: Part?
        var last = 0
        var isStopped = false
        /// Of the parts before the current one.
        var overruns = 0
    }

    /// Begins to record at once.
    init(_ input: any AudioInput) {
        self.input = input
        let (parts, partsOutput) = AsyncStream<Part>.makeStream()
        self.parts = partsOutput
        let (chunks, output) = AsyncThrowingStream<AudioChunk, any Error>.makeStream()
        self.chunks = chunks
        Task { [weak self] in
            var position = 0
            do {
                for await part in parts {
                    for try await chunk in part.capture.chunks {
                        output.yield(AudioChunk(samples: chunk.samples, position: position))
                        position += chunk.samples.count
                    }
                    // A source that ends by itself, such as a file, ends the recording.
                    if self?.isCurrent(part.number) != false { break }
                }
                output.finish()
            } catch {
                output.finish(throwing: error)
            }
        }
        _ = resume()
    }

    deinit { stop(tail: .zero) }

    var overruns: Int { shared.withLock { $0.overruns + ($0.current?.capture.overruns ?? 0) } }

    var format: AudioInputFormat? { shared.withLock { $0.current?.capture.format } }

    /// Closes the device.
    ///
    /// - Returns: false if it was paused or over already.
    func pause() -> Bool {
        let paused = shared.withLock { state -> Part? in
            guard !state.isStopped, let current = state.current else { return nil }
            state.overruns += current.capture.overruns
            state.current = nil
            return current
        }
        paused?.capture.stop(tail: .zero)
        return paused != nil
    }

    /// Opens the device again.
    ///
    /// - Returns: false if it was not paused, or is over.
    func resume() -> Bool {
        shared.withLock { state in
            guard !state.isStopped, state.current == nil else { return false }
            state.last += 1
            let part = Part(number: state.last, capture: input.start())
            state.current = part
            parts.yield(part)
            return true
        }
    }

    func stop(tail: Duration) {
        let current = shared.withLock { state in
            state.isStopped = true
            return state.current
        }
        current?.capture.stop(tail: tail)
        parts.finish()
    }

    /// Whether a part is neither paused nor asked to end.
    private func isCurrent(_ number: Int) -> Bool {
        shared.withLock { !$0.isStopped && $0.current?.number == number }
    }
}
