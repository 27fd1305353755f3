import CALSA
import DictationSystem

/// Plays samples on an ALSA device, and blocks until they are heard.
enum ALSAOutput {
    /// Microseconds of sound that the device holds: the shorter, the sooner it is heard.
    private static let latency: UInt32 = 50_000

    /// - Parameter samples: 16 kHz mono.
    /// - Throws: ``ALSADevice/Failure``.
    static func play(_ samples: [Int16], on device: String) throws {
        calsa_be_quiet()
        var opened: OpaquePointer?
        try check("open", snd_pcm_open(&opened, device, SND_PCM_STREAM_PLAYBACK, 0))
        guard let pcm = opened else { return }
        defer { snd_pcm_close(pcm) }
        try check(
            "set up",
            snd_pcm_set_params(
                pcm, SND_PCM_FORMAT_S16_LE, SND_PCM_ACCESS_RW_INTERLEAVED, 1,
                UInt32(SpeechAudio.sampleRate), 1, latency))
        var rest = samples[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes {
                snd_pcm_writei(pcm, $0.baseAddress, snd_pcm_uframes_t(rest.count))
            }
            guard written < 0 else {
                rest = rest.dropFirst(max(1, written))
                continue
            }
            try check("play", snd_pcm_recover(pcm, Int32(written), 1))
        }
        // A sound that is shorter than the buffer begins only here.
        try check("play", snd_pcm_drain(pcm))
    }

    private static func check(_ operation: String, _ code: Int32) throws {
        if code < 0 { throw ALSADevice.Failure(operation: operation, code: -code) }
    }
}
