import CALSA

/// Whether a microphone is switched off or turned down to nothing in the mixer: ALSA's own, or that of the sound server
/// behind the device.
///
/// A level that is only low is not reported: ranges and their meaning differ between devices.
public enum CaptureSwitch: Sendable, Equatable {
    case on
    /// Every capture switch is off.
    case muted
    /// Every capture volume is at zero, and zero means silence.
    case turnedDown

    /// Reads the mixer of a device.
    ///
    /// - Parameter device: the name of the device, such as "default" or "plughw:1,0".
    /// - Returns: nil if the device has no mixer, or none with a capture switch or volume.
    public static func of(_ device: String) -> CaptureSwitch? {
        calsa_be_quiet()
        var opened: OpaquePointer?
        guard snd_mixer_open(&opened, 0) >= 0, let mixer = opened else { return nil }
        defer { snd_mixer_close(mixer) }
        guard snd_mixer_attach(mixer, mixerName(of: device)) >= 0,
            snd_mixer_selem_register(mixer, nil, nil) >= 0, snd_mixer_load(mixer) >= 0
        else { return nil }
        var switches: [Bool] = []
        var volumes: [Bool] = []
        var next = snd_mixer_first_elem(mixer)
        while let element = next {
            next = snd_mixer_elem_next(element)
            guard snd_mixer_selem_is_active(element) != 0 else { continue }
            let hasSwitch = snd_mixer_selem_has_capture_switch(element) != 0
            if hasSwitch { switches.append(isOn(element)) }
            // A boost has no switch, and zero is its normal value.
            if hasSwitch, snd_mixer_selem_has_capture_volume(element) != 0 {
                volumes.append(isAudible(element))
            }
        }
        guard !switches.isEmpty else { return nil }
        if !switches.contains(true) { return .muted }
        return volumes.isEmpty || volumes.contains(true) ? .on : .turnedDown
    }

    /// The mixer belongs to the card, independent of the path of its sound: "plughw:CARD=PCH,DEV=0" and
    /// "front:1" have that of "hw:PCH" and "hw:1".
    static func mixerName(of device: String) -> String {
        let pieces = device.split(separator: ":", maxSplits: 1)
        let ways: Set<Substring> = ["hw", "plughw", "dsnoop", "sysdefault", "front"]
        guard pieces.count == 2, ways.contains(pieces[0]), let card = pieces[1].split(separator: ",").first
        else {
            return device
        }
        return "hw:" + (card.hasPrefix("CARD=") ? card.dropFirst("CARD=".count) : card)
    }

    private static func channels(of element: OpaquePointer) -> [snd_mixer_selem_channel_id_t] {
        (SND_MIXER_SCHN_FRONT_LEFT.rawValue...SND_MIXER_SCHN_LAST.rawValue)
            .map { snd_mixer_selem_channel_id_t($0) }
            .filter { snd_mixer_selem_has_capture_channel(element, $0) != 0 }
    }

    private static func isOn(_ element: OpaquePointer) -> Bool {
        channels(of: element).contains { channel in
            var value: Int32 = 1
            return snd_mixer_selem_get_capture_switch(element, channel, &value) < 0 || value != 0
        }
    }

    /// ALSA's dB value of what lets no sound through (SND_CTL_TLV_DB_GAIN_MUTE).
    private static let silence = -9_999_999

    private static func isAudible(_ element: OpaquePointer) -> Bool {
        var (lowest, highest) = (0, 0)
        snd_mixer_selem_get_capture_volume_range(element, &lowest, &highest)
        return channels(of: element).contains { channel in
            var value = 0
            guard snd_mixer_selem_get_capture_volume(element, channel, &value) >= 0 else { return true }
            if value > lowest { return true }
            var decibels = 0
            // The lowest step of a sound card is often clearly audible; if the driver does not report it, it is
            // assumed to be zero.
            return snd_mixer_selem_get_capture_dB(element, channel, &decibels) >= 0 && decibels > silence
        }
    }
}
