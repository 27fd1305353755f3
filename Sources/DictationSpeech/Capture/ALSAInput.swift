import DictationSystem
import Foundation
import Synchronization

/// A microphone, by its ALSA name.
///
/// "default" is the device that the user's desktop has chosen (by way of PipeWire or PulseAudio); `arecord
/// -L` lists the others.
public struct ALSAInput: AudioInput {
    public let device: String
    let retryPolicy: RetryPolicy
    /// The folder in which the kernel has a file for each device.
    let deviceFolder: URL

    public init(device: String = "default", retryPolicy: RetryPolicy = .openingDevice) {
        self.init(device: device, retryPolicy: retryPolicy, deviceFolder: URL(filePath: "/dev/snd"))
    }

    init(device: String, retryPolicy: RetryPolicy = .openingDevice, deviceFolder: URL) {
        self.device = device
        self.retryPolicy = retryPolicy
        self.deviceFolder = deviceFolder
    }

    public var name: String { "alsa:\(device)" }

    public func start(_ receive: @escaping @Sendable (AudioEvent) -> Void) -> any AudioCapture {
        ALSACapture(device: device, retryPolicy: retryPolicy, receive)
    }
}

/// A recording from ALSA: a separate thread opens the device at once and delivers every block.
final class ALSACapture: AudioCapture {
    private let shared = Shared()

    init(device: String, retryPolicy: RetryPolicy, _ receive: @escaping @Sendable (AudioEvent) -> Void) {
        let recorder = Recorder(
            device: device, retryPolicy: retryPolicy, shared: shared, receive: receive)
        startThread(named: "microphone") { recorder.run() }
        recorder.watch()
    }

    deinit { stop(tail: .zero) }

    var overruns: Int { shared.state.withLock { $0.overruns } }
    var format: AudioInputFormat? { shared.state.withLock { $0.format } }

    func stop(tail: Duration) {
        let deadline = ContinuousClock.now + max(.zero, tail)
        shared.state.withLock { $0.deadline = min($0.deadline ?? deadline, deadline) }
        shared.wakeUp?.signal()
    }

    /// The state that the recording thread and its owner share.
    final class Shared: Sendable {
        struct State {
            /// When to stop; nil: not yet asked to.
            var deadline: ContinuousClock.Instant?
            var overruns = 0
            /// Nil until the device is open.
            var format: AudioInputFormat?
            /// How often the thread has looked for sound; 0 until the device is open.
            var turns = 0
            var delivered = 0
            /// Whether a block is being delivered at this moment.
            var isDelivering = false
            /// Whether the end was delivered: nothing follows it.
            var isOver = false
            /// The state of the device of a stuck thread, once it is known.
            var loss: String?
        }
        let state = Mutex(State())
        /// Nil only when the process has no descriptors left; then opening the device fails too, and says so.
        let wakeUp = try? WakeUp()
        /// Signaled when the end was delivered.
        let over = try? WakeUp()

        /// Whether the time to stop has come, and if not, how many milliseconds are left of the tail (nil: no end
        /// is set).
        func remaining() -> Int32? {
            guard let deadline = state.withLock({ $0.deadline }) else { return nil }
            let left = ContinuousClock.now.duration(to: deadline).components
            guard left.seconds >= 0, left.attoseconds >= 0 else { return 0 }
            return Int32(clamping: left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000)
        }
    }
}

/// The loop on the recording thread.
private struct Recorder: Sendable {
    let device: String
    let retryPolicy: RetryPolicy
    let shared: ALSACapture.Shared
    let receive: @Sendable (AudioEvent) -> Void

    /// A microphone that gives nothing for this long hangs: healthy ones deliver every 10 or 20 ms, and a sound server
    /// under load was never seen to pause for a second. In milliseconds.
    private static let silenceLimit: Int32 = 2000
    /// A sound server that does not answer within this time will not: healthy ones open in under 0.3 s. Bluetooth headsets
    /// change their profile in about 2 s: with some servers while the device is opened, with others when it is open. So the
    /// first sound may take as long. In milliseconds.
    private static let openingLimit: Int32 = 5000
    /// A device that is opened again, to find out its state, answers within this time, or its sound server
    /// hangs. In milliseconds.
    private static let probingLimit = 2000

    func run() {
        // It is closed after the reader has got the end, or the error: closing a device whose server hangs
        // takes half a minute.
        var opened: ALSADevice?
        defer { withExtendedLifetime(opened) {} }
        do {
            guard let wakeUp = shared.wakeUp else { throw SystemError("create an eventfd", code: EMFILE) }
            guard let pcm = try open(wakeUp: wakeUp) else { return end(nil) }
            opened = pcm
            let isTooLate = shared.state.withLock { state in
                state.format = AudioInputFormat(rate: pcm.rate, channels: pcm.channels)
                return state.isOver
            }
            if isTooLate { return }
            try record(from: pcm, wakeUp: wakeUp)
            end(nil)
        } catch let error as SpeechSessionError {
            end(error)
        } catch {
            end(.noMicrophone(device: device, reason: "\(error)"))
        }
    }

    private func end(_ error: SpeechSessionError?) {
        let isFirst = shared.state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        shared.over?.signal()
        if isFirst { receive(.ended(error)) }
    }

    /// Ends the recording in the place of its thread, if that gives no sign for too long: it may be stuck in a sound server's
    /// library, which has no way to be interrupted. PulseAudio's waits for itself forever if the server dies while a part of a
    /// piece of sound is still to be read.
    func watch() {
        guard let over = shared.over else { return }
        startThread(named: "microphone-watch") {
            var turns = 0
            while (try? waitUntilReadable([over.raw], timeout: Self.openingLimit))?.isEmpty == true {
                let (now, isStuck) = shared.state.withLock { state in
                    let isStuck = state.turns == turns && !state.isDelivering && !state.isOver
                    if isStuck { state.isOver = true }
                    return (state, isStuck)
                }
                if isStuck { return receive(.ended(whyStuck(after: turns))) }
                if now.isOver { return }
                turns = now.turns
            }
        }
    }

    /// - Parameter turns: those of the thread.
    private func whyStuck(after turns: Int) -> SpeechSessionError {
        let limit = Int(Self.openingLimit / 1000)
        if turns == 0 {
            return .noMicrophone(device: device, reason: "the sound server did not answer within \(limit) s")
        }
        return findLoss().map { .microphoneLost(device: device, reason: $0, seconds: secondsDelivered) }
            ?? .microphoneSilent(device: device, seconds: Double(limit))
    }

    /// Opens the device of a stuck thread again: a sound server that has died, or was started again, answers
    /// at once.
    ///
    /// - Returns: what happened to the device; nil if it does not answer, or the stuck thread still has it.
    private func findLoss() -> String? {
        let isFound = DispatchSemaphore(value: 0)
        startThread(named: "microphone-probe") {
            let loss: String?
            do {
                _ = try ALSADevice(name: device)
                loss = "it stopped answering, and can be opened again"
            } catch let failure as ALSADevice.Failure {
                loss = failure.code == EBUSY ? nil : reason(for: failure)
            } catch {
                loss = "\(error)"
            }
            shared.state.withLock { $0.loss = loss }
            isFound.signal()
        }
        _ = isFound.wait(timeout: .now() + .milliseconds(Self.probingLimit))
        return shared.state.withLock { $0.loss }
    }

    /// Opens the device, again after transient failures; nil if stopped in the meantime.
    private func open(wakeUp: WakeUp) throws -> ALSADevice? {
        do {
            return try retryPolicy.run(
                isTransient: {
                    ($0 as? ALSADevice.Failure).map { RetryPolicy.isTransient($0.code) } ?? false
                },
                wait: { delay in
                    _ = try waitUntilReadable([wakeUp.raw], until: .now + delay)
                    return shared.remaining() == nil
                }, { try ALSADevice(name: device) })
        } catch let failure as ALSADevice.Failure {
            throw explained(failure)
        }
    }

    private func explained(_ failure: ALSADevice.Failure) -> SpeechSessionError {
        failure.code == EINVAL && failure.operation != ALSADevice.opening
            ? .unusableMicrophone(device: device, reason: reason(for: failure))
            : .noMicrophone(device: device, reason: reason(for: failure))
    }

    private func reason(for failure: ALSADevice.Failure) -> String {
        switch failure.code {
        case ENOENT, ENXIO: "there is no such device"
        // ALSA's answer to the name of a card that is not there.
        case EINVAL where failure.operation == ALSADevice.opening: "there is no such device"
        case ENODEV: "no microphone is plugged in"
        case EBUSY: "another program uses it"
        case EACCES, EPERM: "no permission (is the user in the group “audio”?)"
        case ECONNREFUSED: "the sound server does not run"
        default: "\(failure)"
        }
    }

    private func record(from pcm: ALSADevice, wakeUp: WakeUp) throws {
        let resampler = try Resampler(from: pcm.rate)
        var downmix = Downmix(channels: pcm.channels)
        func deliver(_ interleaved: [Float], isLast: Bool = false) throws {
            let mono = downmix.mix(interleaved)
            let samples = SampleConversion.quantized(try resampler.convert(mono, isLast: isLast))
            let isWanted = shared.state.withLock { state in
                state.isDelivering = !samples.isEmpty && !state.isOver
                return state.isDelivering
            }
            guard isWanted else { return }
            receive(.samples(samples))
            shared.state.withLock {
                $0.isDelivering = false
                $0.delivered += samples.count
                $0.turns += 1
            }
        }

        var lastData = ContinuousClock.now
        var limit = Self.openingLimit
        let suspended = SuspendedTime.now
        var failure: SpeechSessionError?
        while failure == nil {
            let remaining = shared.remaining()
            let isGivenUp = shared.state.withLock { state in
                state.turns += 1
                return state.isOver
            }
            if isGivenUp { return }
            do {
                let sound = try pcm.read()
                // If logind reports the sleep, the recording has ended before. Without logind many devices
                // continue after the machine has resumed, and would record what is not dictated.
                if SuspendedTime.now.hasGrown(since: suspended) {
                    failure = .microphoneLost(
                        device: device, reason: "the machine was suspended", seconds: secondsDelivered)
                    break
                }
                switch sound {
                case .samples(let samples):
                    (lastData, limit) = (.now, Self.silenceLimit)
                    try deliver(samples)
                case .overrun:
                    (lastData, limit) = (.now, Self.silenceLimit)
                    shared.state.withLock { $0.overruns += 1 }
                case .nothing:
                    if lastData.duration(to: .now) > .milliseconds(Int64(limit)) {
                        failure = .microphoneSilent(device: device, seconds: Double(limit) / 1000)
                    }
                }
                // Asked after the read, so that what was recorded until the stop is in.
                if remaining == 0 { break }
                // Until nothing is left: PulseAudio's library is stuck for good if its server dies while it holds a part of a
                // piece of sound.
                if case .samples = sound { continue }
                // Half of the limit, so that the watchdog sees in time that this thread lives.
                try pcm.wait(wakeUp: wakeUp, timeout: min(remaining ?? limit, limit / 2))
                if remaining == nil { wakeUp.clear() }
            } catch let error as ALSADevice.Failure {
                let reason = error.code == ENODEV ? "it was unplugged" : "\(error)"
                failure = .microphoneLost(device: device, reason: reason, seconds: secondsDelivered)
            }
        }
        try deliver([], isLast: true)
        if let failure { throw failure }
    }

    private var secondsDelivered: Double {
        Double(shared.state.withLock { $0.delivered }) / Double(SpeechAudio.sampleRate)
    }
}
