import Synchronization

/// The sound of one utterance, which can be paused: then the device is closed, and speech is not recorded.
///
/// ```
/// open ── pause ──► closing ── ended ──► paused ── resume ──► open
///                      └─ resume ──► reopening ── ended ──► open
/// ```
///
/// This is the only place that numbers samples. The count continues after a pause, so that its times match
/// the file that is written.
final class PausableCapture: AudioCapture {
    private let input: any AudioInput
    private let onChunk: @Sendable (AudioChunk) -> Void
    private let onEnd: @Sendable ((any Error)?) -> Void
    private let state = Mutex(State())

    private enum Phase { case open, closing, reopening, paused, over }

    private struct State {
        var phase = Phase.paused
        /// Nil while it is paused, and when it is over.
        var capture: (any AudioCapture)?
        var isStopped = false
        /// Samples so far.
        var position = 0
        /// The number of the captures before the current one.
        var overruns = 0
    }

    /// Begins to record at once.
    ///
    /// - Parameters:
    ///   - onChunk: called as an ``AudioInput`` calls.
    ///   - onEnd: called once, after the last chunk.
    init(
        _ input: any AudioInput, onChunk: @escaping @Sendable (AudioChunk) -> Void,
        onEnd: @escaping @Sendable ((any Error)?) -> Void
    ) {
        self.input = input
        self.onChunk = onChunk
        self.onEnd = onEnd
        _ = resume()
    }

    var overruns: Int { state.withLock { $0.overruns + ($0.capture?.overruns ?? 0) } }

    var format: AudioInputFormat? { state.withLock { $0.phase == .open ? $0.capture?.format : nil } }

    /// Closes the device.
    ///
    /// - Returns: false if it was paused or over already.
    func pause() -> Bool {
        let capture = state.withLock { state -> (any AudioCapture)? in
            guard !state.isStopped, state.phase == .open || state.phase == .reopening else { return nil }
            state.phase = .closing
            return state.capture
        }
        capture?.stop(tail: .zero)
        return capture != nil
    }

    /// Opens the device again, as soon as it is closed.
    ///
    /// - Returns: false if it was not paused, or is over.
    func resume() -> Bool {
        state.withLock { state in
            guard !state.isStopped else { return false }
            switch state.phase {
            case .paused: open(&state)
            case .closing: state.phase = .reopening
            case .open, .reopening, .over: return false
            }
            return true
        }
    }

    func stop(tail: Duration) {
        let (capture, endsNow) = state.withLock { state in
            state.isStopped = true
            let endsNow = state.phase == .paused
            if endsNow { state.phase = .over }
            return (state.capture, endsNow)
        }
        capture?.stop(tail: tail)
        if endsNow { onEnd(nil) }
    }

    private func open(_ state: inout State) {
        state.phase = .open
        state.capture = input.start { [self] in receive($0) }
    }

    private func receive(_ event: AudioEvent) {
        switch event {
        case .samples(let samples):
            let position = state.withLock { state in
                defer { state.position += samples.count }
                return state.position
            }
            onChunk(AudioChunk(samples: samples, position: position))
        case .ended(let error):
            let isOver = state.withLock { state in
                state.overruns += state.capture?.overruns ?? 0
                state.capture = nil
                switch state.phase {
                case .closing where error == nil && !state.isStopped: state.phase = .paused
                case .reopening where error == nil && !state.isStopped: open(&state)
                // A source that ends by itself, such as a file, ends the recording.
                default: state.phase = .over
                }
                return state.phase == .over
            }
            if isOver { onEnd(error) }
        }
    }
}
