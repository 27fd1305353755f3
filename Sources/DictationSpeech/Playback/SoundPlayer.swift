import DictationSystem
import Logging
import Synchronization

/// Plays short sounds on a separate thread, which sleeps in between. A sound that cannot be played is
/// skipped, which is logged once.
///
/// ```swift
/// let player = SoundPlayer()
/// player.play(samples, on: "default")  // returns at once
/// ```
public final class SoundPlayer: Sendable {
    private struct State {
        /// The newest sound: older ones, which had to wait for a device that hangs, are dropped.
        var order: (samples: [Int16], device: String)?
        var isStopped = false
    }
    private let state = Mutex(State())
    /// Nil only when the process has no descriptors left: then nothing is played.
    private let wakeUp = try? WakeUp()

    public init(logger: Logger = Logger(label: "sounds")) {
        guard let wakeUp else { return }
        startThread(named: "sounds") { [weak self] in
            var hasComplained = false
            while let ready = try? waitUntilReadable([wakeUp.raw]), !ready.isEmpty {
                wakeUp.clear()
                guard let order = self?.takeOrder() else { return }
                guard let order else { continue }
                do {
                    try ALSAOutput.play(order.samples, on: order.device)
                } catch {
                    if !hasComplained {
                        logger.notice("no sounds: the device “\(order.device)” cannot play them: \(error)")
                    }
                    hasComplained = true
                }
            }
        }
    }

    deinit { stop() }

    /// - Parameters:
    ///   - samples: 16 kHz mono.
    ///   - device: ALSA's name of it.
    public func play(_ samples: [Int16], on device: String) {
        state.withLock { $0.order = (samples, device) }
        wakeUp?.signal()
    }

    /// Plays no more sounds; one that is being played is played to its end.
    public func stop() {
        state.withLock { $0.isStopped = true }
        wakeUp?.signal()
    }

    /// - Returns: nil when it is stopped.
    private func takeOrder() -> (samples: [Int16], device: String)?? {
        state.withLock { state in
            defer { state.order = nil }
            if let order = state.order { return .some(order) }
            return state.isStopped ? nil : .some(nil)
        }
    }
}
