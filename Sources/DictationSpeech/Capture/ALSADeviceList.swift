import CALSA
import Glibc

/// A microphone that can be chosen.
public struct ALSADeviceName: Equatable, Sendable {
    /// The name for ``ALSAInput/init(device:retryPolicy:)``.
    public let name: String
    /// For a person, in one line.
    public let about: String
}

extension ALSAInput {
    /// The devices that record, as `arecord -L` lists them, without rarely used ones: one for each card, with
    /// any conversion that it needs, and those of sound servers. Nothing is opened.
    public static func devices() -> [ALSADeviceName] {
        calsa_be_quiet()
        // The current configuration: a card may have been added.
        snd_config_update_free_global()
        var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        guard snd_device_name_hint(-1, "pcm", &hints) >= 0, let hints else { return [] }
        defer { snd_device_name_free_hint(hints) }
        var devices: [ALSADeviceName] = []
        var next = hints
        while let hint = next.pointee {
            next += 1
            guard let name = text("NAME", of: hint), isOfInterest(name), text("IOID", of: hint) != "Output"
            else { continue }
            let about = (text("DESC", of: hint) ?? "").split(separator: "\n").joined(separator: ", ")
            devices.append(ALSADeviceName(name: name, about: about))
        }
        return devices
    }

    private static func isOfInterest(_ name: String) -> Bool {
        let kind = name.prefix { $0 != ":" }
        let others: Set<Substring> = [
            "null", "hw", "dsnoop", "dmix", "sysdefault", "front", "rear", "center_lfe", "side", "iec958",
            "hdmi",
            "spdif", "modem", "phoneline", "usbstream", "jack", "oss", "lavrate", "samplerate", "speexrate",
            "upmix",
            "vdownmix", "speex", "default",
        ]
        return !others.contains(kind) && !kind.hasPrefix("surround")
    }

    private static func text(_ id: String, of hint: UnsafeRawPointer) -> String? {
        guard let found = snd_device_name_get_hint(hint, id) else { return nil }
        defer { free(found) }
        return String(cString: found)
    }
}
