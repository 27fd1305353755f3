import CALSA
import DictationSystem
import Glibc

/// One open ALSA capture device: owns the handle, and turns codes into ``ALSADevice/Failure``.
///
/// Not for two threads at once: it belongs to the thread that records.
final class ALSADevice {
    /// An ALSA call that failed.
    struct Failure: Error, Equatable, CustomStringConvertible {
        let operation: String
        /// The errno value, positive.
        let code: Int32
        var description: String {
            "\(operation): \(snd_strerror(-code).map { String(cString: $0) } ?? "error \(code)")"
        }
    }

    /// The ``Failure/operation`` of a device that could not be opened at all.
    static let opening = "open"

    /// The result of a read.
    enum Reading {
        /// Interleaved samples, ±1.
        case samples([Float])
        /// Nothing yet.
        case nothing
        /// Frames were lost; recording continues.
        case overrun
    }

    let rate: Int
    let channels: Int
    private let handle: OpaquePointer
    private let format: SampleFormat

    /// 10 ms per wake-up: a recording begins with its first sound, and the user waits for that. 100 wake-ups
    /// per second cost little compared to the recognizer.
    private static let period: UInt32 = 10_000
    /// One second of room, so that a busy machine loses no frame.
    static let buffer = Duration.seconds(1)

    /// Opens the device and begins to record, in the format nearest to 16 kHz mono 16 bit that it offers.
    init(name: String) throws {
        calsa_be_quiet()
        var opened: OpaquePointer?
        let code = snd_pcm_open(&opened, name, SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK))
        guard code >= 0, let opened else { throw Failure(operation: Self.opening, code: -code) }
        do {
            let settings = try Self.configure(opened)
            (rate, channels, format) = (settings.rate, settings.channels, settings.format)
            try Self.check("start", snd_pcm_start(opened))
        } catch {
            snd_pcm_close(opened)
            throw error
        }
        handle = opened
    }

    deinit { snd_pcm_close(handle) }

    /// Whether a device could be opened now; nothing is recorded.
    static func presence(of name: String) -> DevicePresence {
        calsa_be_quiet()
        var opened: OpaquePointer?
        let code = snd_pcm_open(&opened, name, SND_PCM_STREAM_CAPTURE, Int32(SND_PCM_NONBLOCK))
        guard code >= 0, let opened else { return code == -EBUSY ? .available(nil) : .missing }
        defer { snd_pcm_close(opened) }
        let settings = try? withParameters { params in try negotiate(opened, params) }
        return settings.map { .available(AudioInputFormat(rate: $0.rate, channels: $0.channels)) } ?? .missing
    }

    /// Sleeps until there is something to read, `wakeUp` rings, or `timeout` milliseconds have passed.
    func wait(wakeUp: WakeUp, timeout: Int32) throws {
        let count = max(0, snd_pcm_poll_descriptors_count(handle))
        var entries = Array(repeating: pollfd(), count: Int(count))
        snd_pcm_poll_descriptors(handle, &entries, UInt32(count))
        entries.append(pollfd(fd: wakeUp.raw, events: Int16(POLLIN), revents: 0))
        let ready = try retryingInterrupted("poll") { poll(&entries, nfds_t(entries.count), timeout) }
        guard ready > 0 else { return }
        // Plug-ins clear their timers and read their sockets here. Their answer is ignored: the read says
        // more.
        var events: UInt16 = 0
        snd_pcm_poll_descriptors_revents(handle, &entries, UInt32(count), &events)
    }

    /// Reads the available frames, without waiting.
    func read() throws -> Reading {
        let available = snd_pcm_avail_update(handle)
        guard available != 0 else { return .nothing }
        guard available > 0 else { return try recover(Int32(available)) }
        var result: snd_pcm_sframes_t = 0
        let frameSize = format.bytes * channels
        let raw = [UInt8](unsafeUninitializedCapacity: Int(available) * frameSize) { buffer, count in
            result = snd_pcm_readi(handle, buffer.baseAddress, snd_pcm_uframes_t(available))
            count = max(0, Int(result)) * frameSize
        }
        if result == -Int(EAGAIN) { return .nothing }
        guard result >= 0 else { return try recover(Int32(result)) }
        return .samples(format.decode(raw))
    }

    private func recover(_ code: Int32) throws -> Reading {
        if code == -EAGAIN { return .nothing }
        guard code == -EPIPE || code == -ESTRPIPE else { throw Failure(operation: "read", code: -code) }
        try Self.check("read", snd_pcm_recover(handle, code, 1))
        if snd_pcm_state(handle) == SND_PCM_STATE_PREPARED {
            try Self.check("restart", snd_pcm_start(handle))
        }
        return .overrun
    }

    // MARK: Setting up

    private typealias Settings = (rate: Int, channels: Int, format: SampleFormat)

    private static func withParameters(_ body: (OpaquePointer) throws -> Settings) throws -> Settings {
        var allocated: OpaquePointer?
        try check("allocate", snd_pcm_hw_params_malloc(&allocated))
        guard let params = allocated else { throw Failure(operation: "allocate", code: ENOMEM) }
        defer { snd_pcm_hw_params_free(params) }
        return try body(params)
    }

    private static func configure(_ pcm: OpaquePointer) throws -> Settings {
        try withParameters { params in
            let settings = try negotiate(pcm, params)
            try check("set up", snd_pcm_hw_params(pcm, params))
            return settings
        }
    }

    /// Finds out its format, without configuring it.
    private static func negotiate(_ pcm: OpaquePointer, _ params: OpaquePointer) throws -> Settings {
        try check("read the capabilities", snd_pcm_hw_params_any(pcm, params))
        // The device's own rate: ALSA's built-in conversion is a linear interpolation, ours is not.
        _ = snd_pcm_hw_params_set_rate_resample(pcm, params, 0)
        try check("access", snd_pcm_hw_params_set_access(pcm, params, SND_PCM_ACCESS_RW_INTERLEAVED))
        guard
            let format = SampleFormat.allCases.first(where: {
                snd_pcm_hw_params_set_format(pcm, params, $0.alsa) >= 0
            })
        else { throw Failure(operation: "choose a sample format", code: EINVAL) }
        // Two, if available: a sound server would mix them into one itself, which may be silence (see Downmix).
        var channels: UInt32 = 2
        try check("channels", snd_pcm_hw_params_set_channels_near(pcm, params, &channels))
        var rate = UInt32(SpeechAudio.sampleRate)
        try check("rate", snd_pcm_hw_params_set_rate_near(pcm, params, &rate, nil))
        var (buffer, period) = (UInt32(buffer / .microseconds(1)), period)
        try check("buffer", snd_pcm_hw_params_set_buffer_time_near(pcm, params, &buffer, nil))
        try check("period", snd_pcm_hw_params_set_period_time_near(pcm, params, &period, nil))
        return (Int(rate), Int(channels), format)
    }

    private static func check(_ operation: String, _ code: Int32) throws {
        if code < 0 { throw Failure(operation: operation, code: -code) }
    }
}

/// The sample formats that are understood, the preferred one first.
enum SampleFormat: CaseIterable {
    case int16, int32, float32, int24in3, int24in4, unsigned8

    var alsa: snd_pcm_format_t {
        switch self {
        case .int16: SND_PCM_FORMAT_S16_LE
        case .int32: SND_PCM_FORMAT_S32_LE
        case .float32: SND_PCM_FORMAT_FLOAT_LE
        case .int24in3: SND_PCM_FORMAT_S24_3LE
        case .int24in4: SND_PCM_FORMAT_S24_LE
        case .unsigned8: SND_PCM_FORMAT_U8
        }
    }

    /// Bytes a sample.
    var bytes: Int {
        switch self {
        case .int16: 2
        case .int24in3: 3
        case .int32, .float32, .int24in4: 4
        case .unsigned8: 1
        }
    }

    /// Little-endian samples as ±1.
    func decode(_ raw: [UInt8]) -> [Float] {
        raw.withUnsafeBytes { data in
            (0..<data.count / bytes).map { index in
                let offset = index * bytes
                func word(_ count: Int) -> UInt32 {
                    (0..<count).reduce(0) { $0 | UInt32(data[offset + $1]) << (8 * UInt32($1)) }
                }
                switch self {
                case .int16: return Float(Int16(truncatingIfNeeded: word(2))) / 32768
                // The three low bytes count, moved to the top, so that the sign comes along.
                case .int24in3, .int24in4: return Float(Int32(bitPattern: word(3) << 8)) / 2_147_483_648
                case .int32: return Float(Int32(bitPattern: word(4))) / 2_147_483_648
                case .float32: return Float(bitPattern: word(4))
                case .unsigned8: return (Float(word(1)) - 128) / 128
                }
            }
        }
    }
}
