import DictationSystem
import Synchronization

/// A microphone that stays open for a while after a recording, so that the next one has its first frame at once: a
/// Bluetooth headset takes two seconds to open, most others under a tenth of one.
///
/// Sound between two recordings is discarded as it arrives, and is neither kept nor analyzed. The desktop's
/// sign for an open microphone stays on during that time, and a device that serves only one program stays
/// occupied.
public final class WarmInput: AudioInput {
    private let input: any AudioInput
    private let keepOpen: @Sendable () -> Duration
    private let state = Mutex(State())

    private struct State {
        var device: Device?
        var lastNumber = 0
        var closing: Task<Void, Never>?
    }

    /// An open device, and who listens to it.
    private struct Device {
        let number: Int
        let name: String
        let capture: any AudioCapture
        var listener: WarmCapture?
    }

    /// - Parameters:
    ///   - input: the input to keep open.
    ///   - keepOpen: for how long, asked at the end of each recording; zero: not at all.
    public init(_ input: any AudioInput, keepOpen: @escaping @Sendable () -> Duration) {
        self.input = input
        self.keepOpen = keepOpen
    }

    deinit { state.withLock { $0.device?.capture.stop(tail: .zero) } }

    public var name: String { input.name }

    public func presence() -> AsyncStream<DevicePresence> { input.presence() }

    public func start(_ receive: @escaping @Sendable (AudioEvent) -> Void) -> any AudioCapture {
        // The former state, if nothing is kept open.
        if keepOpen() <= .zero, state.withLock({ $0.device == nil }) { return input.start(receive) }
        let (listener, previous) = state.withLock { state in
            state.closing?.cancel()
            state.closing = nil
            // Another microphone may have been chosen since, or this one has gone.
            if let device = state.device, device.name == input.name {
                let listener = WarmCapture(receive, device.capture, self, isFirst: false)
                state.device?.listener = listener
                return (listener, device.listener)
            }
            state.device?.capture.stop(tail: .zero)
            let previous = state.device?.listener
            let capture = open(&state)
            let listener = WarmCapture(receive, capture, self, isFirst: true)
            state.device?.listener = listener
            return (listener, previous)
        }
        previous?.stop(tail: .zero)
        return listener
    }

    private func open(_ state: inout State) -> any AudioCapture {
        state.lastNumber += 1
        let number = state.lastNumber
        let capture = input.start { [weak self] in self?.take($0, from: number) }
        state.device = Device(number: number, name: input.name, capture: capture)
        return capture
    }

    /// Passes on the events of a device, on its own thread and outside of the lock, because a listener may
    /// stop.
    private func take(_ event: AudioEvent, from number: Int) {
        switch event {
        case .samples(let samples):
            let device = state.withLock { $0.device }
            if device?.number == number { device?.listener?.take(samples) }
        case .ended(let error):
            let listener = state.withLock { state -> WarmCapture? in
                guard let device = state.device, device.number == number else { return nil }
                state.device = nil
                guard error != nil, let listener = device.listener, listener.mayHaveBeenLostBefore else {
                    return device.listener
                }
                // It was lost before the recording, and this is noticed only now, perhaps after earlier
                // sound: a sound server was started again, or a headset switched off and on. A user who has
                // begun to speak gets it again; a second failure is reported.
                listener.listen(to: open(&state))
                state.device?.listener = listener
                return nil
            }
            listener?.end(error)
        }
    }

    /// A device without a recording stays open only as the current settings say: which one, and for how long.
    public func settingsChanged() {
        let (limit, name) = (keepOpen(), input.name)
        state.withLock { state in
            guard let device = state.device, device.listener == nil else { return }
            keep(device, for: device.name == name ? limit : .zero, &state)
        }
    }

    /// A recording is over: the device is closed when it was not used for long enough.
    fileprivate func ended(_ listener: WarmCapture) {
        let limit = keepOpen()
        state.withLock { state in
            guard let device = state.device, device.listener === listener else { return }
            state.device?.listener = nil
            keep(device, for: limit, &state)
        }
    }

    private func keep(_ device: Device, for limit: Duration, _ state: inout State) {
        state.closing?.cancel()
        guard limit > .zero else {
            state.device = nil
            return device.capture.stop(tail: .zero)
        }
        state.closing = Task { [weak self] in
            // This waits for the time itself.
            guard (try? await pause(for: limit)) != nil else { return }
            self?.close(device.number)
        }
    }

    private func close(_ number: Int) {
        state.withLock { state in
            guard let device = state.device, device.number == number, device.listener == nil else { return }
            state.device = nil
            device.capture.stop(tail: .zero)
        }
    }
}

/// The listener of a device that stays open, and how much longer it listens.
private final class WarmCapture: AudioCapture {
    private let receive: @Sendable (AudioEvent) -> Void
    private let input: WarmInput
    private let state: Mutex<State>

    private struct State {
        var device: any AudioCapture
        var overrunsBefore: Int
        /// The next samples that may have been in the buffer of a device that was open before. A loss up to there may be
        /// older than this recording.
        var buffered: Int
        /// Samples that it has got.
        var taken = 0
        /// Samples that it still gets; nil: all.
        var left: Int?
        /// A stop during this time is left to the thread that delivers a block: no sample follows the end.
        var isTaking = false
        var isOver = false
    }

    init(
        _ receive: @escaping @Sendable (AudioEvent) -> Void, _ device: any AudioCapture, _ input: WarmInput,
        isFirst: Bool
    ) {
        self.receive = receive
        self.input = input
        let buffered = isFirst ? 0 : SpeechAudio.samples(in: ALSADevice.buffer)
        state = Mutex(State(device: device, overrunsBefore: device.overruns, buffered: buffered))
    }

    var format: AudioInputFormat? { state.withLock { $0.device.format } }

    var overruns: Int { state.withLock { $0.device.overruns - $0.overrunsBefore } }

    /// Whether a device that was open before has given no more than its buffer yet, and the reader still
    /// wants it.
    var mayHaveBeenLostBefore: Bool { state.withLock { $0.buffered > 0 && $0.left == nil && !$0.isOver } }

    func listen(to device: any AudioCapture) {
        state.withLock { ($0.device, $0.overrunsBefore, $0.buffered) = (device, 0, 0) }
    }

    func take(_ samples: [Int16]) {
        let wanted = state.withLock { state -> [Int16] in
            guard !state.isOver else { return [] }
            let wanted = samples.prefix(state.left ?? samples.count)
            if let left = state.left { state.left = left - wanted.count }
            state.buffered = max(0, state.buffered - samples.count)
            state.taken += wanted.count
            state.isTaking = true
            return Array(wanted)
        }
        if !wanted.isEmpty { receive(.samples(wanted)) }
        endIfDue { $0.isTaking = false }
    }

    func stop(tail: Duration) {
        let left = SpeechAudio.samples(in: tail)
        endIfDue { $0.left = min($0.left ?? left, left) }
    }

    private func endIfDue(after change: (inout State) -> Void) {
        let isDue = state.withLock { state in
            change(&state)
            return state.left == 0 && !state.isTaking
        }
        if isDue { end(nil) }
    }

    func end(_ error: (any Error)?) {
        let (isFirst, taken) = state.withLock { state in
            defer { state.isOver = true }
            return (!state.isOver, state.taken)
        }
        guard isFirst else { return }
        var error = error
        if case SpeechSessionError.microphoneLost(let device, let reason, _)? = error {
            // The device counts from when it was opened.
            let seconds = Double(taken) / Double(SpeechAudio.sampleRate)
            error = SpeechSessionError.microphoneLost(device: device, reason: reason, seconds: seconds)
        }
        receive(.ended(error))
        input.ended(self)
    }
}
