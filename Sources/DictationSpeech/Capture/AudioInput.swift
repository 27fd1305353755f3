/// A source of sound: a microphone, or a recording.
public protocol AudioInput: Sendable {
    /// Identifies the source: level and channel estimates are kept under this name.
    var name: String { get }

    /// Begins to record at once and returns without waiting for the device.
    ///
    /// - Parameter receive: called with every block of sound from the first one on, and once when it ends: on the device's own
    ///   thread, in order, one call at a time, and never from within this one. It must return soon: a device holds a second
    ///   of sound, and later sound is lost.
    func start(_ receive: @escaping @Sendable (AudioEvent) -> Void) -> any AudioCapture

    /// The state of the microphone now, and whenever a sound device has come, gone or changed, until the
    /// reader stops reading. Nothing wakes up in between. Ends at once for an input without this information.
    func presence() -> AsyncStream<DevicePresence>
}

extension AudioInput {
    public func presence() -> AsyncStream<DevicePresence> { AsyncStream { $0.finish() } }
}

/// An event of an input.
public enum AudioEvent: Sendable {
    /// The next block, 16 kHz mono: nothing between it and the one before is missing.
    case samples([Int16])
    /// The end: it was stopped, a file is at its end, or a ``SpeechSessionError`` says why not.
    case ended((any Error)?)
}

/// A recording in progress.
public protocol AudioCapture: Sendable {
    /// Ends the recording after a further `tail`. May be called again, with a shorter tail too; the
    /// shortest one counts.
    func stop(tail: Duration)

    /// How often frames were lost because they were not read in time.
    var overruns: Int { get }

    /// The device's format, before conversion; nil until it is open, and if there is no device.
    var format: AudioInputFormat? { get }
}

extension AudioCapture {
    public var format: AudioInputFormat? { nil }
}

/// The format of a device.
public struct AudioInputFormat: Sendable, Equatable {
    /// Frames a second.
    public var rate: Int
    public var channels: Int

    public init(rate: Int, channels: Int) {
        self.rate = rate
        self.channels = channels
    }
}

/// Whether a microphone is available.
public enum DevicePresence: Sendable, Equatable {
    /// With the format that it would give; nil while another program uses it exclusively.
    case available(AudioInputFormat?)
    case missing
}
