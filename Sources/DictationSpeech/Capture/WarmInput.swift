import DictationSystem
import Foundation
import Synchronization

/// A microphone that stays open for a while after a recording, so that the next one has its first frame at once: a
/// Bluetooth headset takes two seconds to open, most others under a tenth of one.
///
/// What is heard between two recordings is thrown away as it comes, and is neither kept nor looked at. The desktop's
/// sign for an open microphone stays on meanwhile, and a device that serves one program only stays taken.
public final class WarmInput: AudioInput {
    private let input: any AudioInput
    private let keepOpen: @Sendable () -> Duration
    private let state = Mutex(State())

    fileprivate struct State {
        var device: Device?
        var lastNumber = 0
        var closing: Task<Void, Never>?
    }

    /// An open device, and who listens to it.
    fileprivate struct Device {
        let number: Int
        let name: String
        let capture: any AudioCapture
        var listener: Listener?
    }

    fileprivate struct Listener {
        let number: Int
        let output: AsyncThrowingStream<AudioChunk, any Error>.Continuation
        /// Samples that it has had.
        var position = 0
        /// Samples that it still gets; nil: all.
        var left: Int?
    }

    /// - Parameter keepOpen: for how long, asked at the end of each recording; zero: not at all.
    public init(_ input: any AudioInput, keepOpen: @escaping @Sendable () -> Duration) {
        self.input = input
        self.keepOpen = keepOpen
    }

    deinit { state.withLock { $0.device?.capture.stop(tail: .zero) } }

    public var name: String { input.name }

    public func start() -> any AudioCapture {
        // As it was before, where nothing is to be kept open.
        if keepOpen() <= .zero, state.withLock({ $0.device == nil }) { return input.start() }
        let (chunks, output) = AsyncThrowingStream<AudioChunk, any Error>.makeStream()
        let (number, capture, previous) = state.withLock { state in
            state.closing?.cancel()
            state.closing = nil
            state.lastNumber += 1
            let previous = state.device?.listener?.output
            let listener = Listener(number: state.lastNumber, output: output)
            // Another microphone may have been chosen meanwhile, or this one has gone.
            let name = input.name
            if state.device?.name != name {
                state.device?.capture.stop(tail: .zero)
                state.device = Device(number: state.lastNumber, name: name, capture: input.start())
                if let device = state.device { follow(device) }
            }
            state.device?.listener = listener
            return (state.lastNumber, state.device?.capture, previous)
        }
        previous?.finish()
        return WarmCapture(chunks: chunks, number: number, device: capture, input: self)
    }

    /// Reads a device until it is closed or fails.
    private func follow(_ device: Device) {
        let (chunks, number) = (device.capture.chunks, device.number)
        Task { [weak self] in
            do {
                for try await chunk in chunks {
                    guard let self else { return }
                    take(chunk, from: number)
                }
                self?.ended(number, nil)
            } catch {
                self?.ended(number, error)
            }
        }
    }

    private func take(_ chunk: AudioChunk, from number: Int) {
        let finished = state.withLock { state -> Listener? in
            guard state.device?.number == number, var listener = state.device?.listener else { return nil }
            var samples = chunk.samples
            if let left = listener.left {
                samples.removeLast(max(0, samples.count - left))
                listener.left = left - samples.count
            }
            if !samples.isEmpty {
                listener.output.yield(AudioChunk(samples: samples, position: listener.position))
                listener.position += samples.count
            }
            let isOver = listener.left.map { $0 <= 0 } ?? false
            state.device?.listener = isOver ? nil : listener
            return isOver ? listener : nil
        }
        guard let finished else { return }
        finished.output.finish()
        scheduleClosing()
    }

    private func ended(_ number: Int, _ error: (any Error)?) {
        let listener = state.withLock { state -> Listener? in
            guard let device = state.device, device.number == number else { return nil }
            state.device = nil
            guard let listener = device.listener, error != nil, listener.number != number,
                listener.position == 0, listener.left == nil
            else { return device.listener }
            // It was lost before anybody listened, and only now is that seen: a sound server was started again, or a
            // headset switched off and on. Who has begun to speak gets it anew; a second failure is told.
            let anew = Device(
                number: listener.number, name: input.name, capture: input.start(), listener: listener)
            state.device = anew
            follow(anew)
            return nil
        }
        listener?.output.finish(throwing: error)
    }

    /// A recording is to end once `tail` more was heard.
    fileprivate func stop(_ number: Int, tail: Duration) {
        let finished = state.withLock { state -> Listener? in
            guard var listener = state.device?.listener, listener.number == number else { return nil }
            let left = SpeechAudio.samples(in: tail)
            listener.left = min(listener.left ?? left, left)
            let isOver = listener.left == 0
            state.device?.listener = isOver ? nil : listener
            return isOver ? listener : nil
        }
        guard let finished else { return }
        finished.output.finish()
        scheduleClosing()
    }

    private func scheduleClosing() {
        let limit = keepOpen()
        state.withLock { state in
            guard let device = state.device, device.listener == nil else { return }
            state.closing?.cancel()
            guard limit > .zero else {
                state.device = nil
                return device.capture.stop(tail: .zero)
            }
            state.closing = Task { [weak self] in
                // The time itself is what is waited for.
                guard (try? await pause(for: limit)) != nil else { return }
                self?.close(device.number)
            }
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

extension WarmInput: AnnouncesDevice {
    public func presence() -> AsyncStream<DevicePresence> {
        (input as? any AnnouncesDevice)?.presence() ?? AsyncStream { $0.finish() }
    }
}

private final class WarmCapture: AudioCapture {
    let chunks: AsyncThrowingStream<AudioChunk, any Error>
    private let number: Int
    private let device: (any AudioCapture)?
    private let overrunsBefore: Int
    private let input: WarmInput

    init(
        chunks: AsyncThrowingStream<AudioChunk, any Error>, number: Int, device: (any AudioCapture)?,
        input: WarmInput
    ) {
        self.chunks = chunks
        self.number = number
        self.device = device
        self.input = input
        overrunsBefore = device?.overruns ?? 0
    }

    deinit { stop(tail: .zero) }

    var format: AudioInputFormat? { device?.format }

    var overruns: Int { (device?.overruns ?? 0) - overrunsBefore }

    func stop(tail: Duration) { input.stop(number, tail: tail) }
}
