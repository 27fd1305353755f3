import DictationShared
import DictationSystem
import Logging

/// The host's hotkey.
public struct HostSettings: SettingsSection {
    public static let name = "host"
    public static let about = "host-agent: what starts a dictation."
    public static let keys = [
        SettingKey(
            \Self.hotkey, "hotkey",
            help: """
                The key to hold while speaking, or to tap to start and tap again to stop: modifiers (ctrl, alt, shift, \
                super) and a key by its X11 name, joined by +, such as "F9", "ctrl+alt+d" or "super+space". "none" \
                grabs no key: use dictstate start, stop and toggle.
                """,
            expectation: "the name of a key, or \"none\"", allowed: { !$0.isEmpty })
    ]

    /// In ``noHotkey``'s place: as the desktop library reads it, which says whether there is such a key.
    public var hotkey = "F9"

    public static let noHotkey = "none"

    /// Whether this process grabs keys at all, those of every `[[hotkey]]` included. Only its command line says no.
    public var grabsKeys = true

    public init() {}
}

/// The microphone, and what becomes of its sound.
public struct AudioSettings: SettingsSection {
    public static let name = "audio"
    public static let about = "The microphone and its recordings."
    public static let keys = [
        SettingKey(
            \Self.device, "device",
            help: """
                The ALSA device to record from; arecord -L lists them. "default" is PipeWire or PulseAudio if they \
                run.
                """,
            expectation: "the name of an ALSA device", allowed: { !$0.isEmpty }),
        SettingKey(
            \Self.keep, "keep",
            help: """
                Which recordings to keep after their text is delivered: "never" deletes each at once, "7 days" keeps \
                those of the last seven days, "20 recordings" the newest 20. The recording of an undelivered text is \
                always kept. Forgetting a dictation deletes its recording.
                """),
        SettingKey(
            \Self.tail, "tail",
            help: """
                How many milliseconds to record after the last sound when the key is released, so that the last \
                syllable is not cut off. Silence before the release shortens this time.
                """,
            expectation: "milliseconds, 0 to 2000", allowed: { (0...2000).contains($0) }),
        SettingKey(
            \Self.stopAfterSilence, "stop-after-silence",
            help: "A recording ends by itself after this many seconds of silence after speech; 0 for never.",
            expectation: "seconds, 0 to 60", allowed: { (0...60).contains($0) }),
        SettingKey(
            \Self.voiceDetection, "voice-detection",
            help: """
                How to tell a voice from other sounds: "automatic" uses the voice activity detector if "host-agent \
                install-engines" has installed it, and recognizes nothing if it hears no voice; "loudness" accepts any \
                sound that is loud enough, for people who whisper.
                """),
        SettingKey(
            \Self.keepOpen, "keep-open", in: 0...3600,
            help: """
                How many seconds the microphone stays open after a recording, for microphones that open \
                slowly, such as Bluetooth headsets; 0 closes it at once. The sound of this time is \
                discarded.
                """),
        SettingKey(
            \Self.pausesPlayers, "pause-players",
            help: """
                Pause playing media players during a recording (those that support MPRIS over D-Bus: browsers, music \
                and video players), and resume exactly those afterward.
                """),
        SettingKey(
            \Self.othersVolume, "others-volume", in: 0...100,
            help: """
                Ducking: the volume of other programs during a recording, in percent of their volume (PulseAudio and \
                PipeWire); 100 changes nothing.
                """),
    ]

    public var device = "default"
    /// Which recordings stay when their text has been delivered.
    public var keep = AudioRetention.never
    /// Milliseconds.
    public var tail = RecordingDefaults.tail
    /// Seconds; 0: never.
    public var stopAfterSilence = 0.0
    public var voiceDetection = VoiceDetection.automatic
    /// Seconds; 0: not at all.
    public var keepOpen = 0
    public var pausesPlayers = false
    /// Percent of the old volume.
    public var othersVolume = 100

    public init() {}
}

extension VoiceDetection: SettingValue {}

extension AudioRetention: SettingValue {
    public static var expectation: String { "\"never\", a number of \"… days\" or of \"… recordings\"" }

    public init?(toml: TOMLValue) {
        guard case .string(let text) = toml else { return nil }
        let words = text.split(separator: " ").map { $0.lowercased() }
        if words == ["never"] {
            self = .never
            return
        }
        guard words.count == 2, let number = Int(words[0]), (1...1_000_000).contains(number) else {
            return nil
        }
        switch words[1] {
        case "day", "days": self = .days(number)
        case "recording", "recordings": self = .count(number)
        default: return nil
        }
    }

    public var toml: String {
        switch self {
        case .never: "never".toml
        case .days(let number): number.counted("day").toml
        case .count(let number): number.counted("recording").toml
        }
    }
}

/// How much is kept of dictations that are done.
public struct HistorySettings: SettingsSection {
    public static let name = "history"
    public static let about = """
        How long finished dictations are kept: inserted, discarded, canceled or failed. Unfinished, waiting and held \
        dictations are never deleted without your request.
        """
    public static let keys = [
        SettingKey(
            \Self.keepCount, "keep-count",
            help: "How many finished dictations to keep, the newest first; 0 keeps none."),
        SettingKey(
            \Self.keepDays, "keep-days",
            help: "How many days to keep a finished dictation; 0 keeps none."),
        SettingKey(
            \Self.isPrivate, "private",
            help: """
                Keep nothing of a dictation once it is inserted, discarded, canceled or failed: no text, no sound, no \
                window title. dictstate start --private does so for one dictation.
                """),
    ]

    public var keepCount = RetentionLimit.upTo(1_000)
    public var keepDays = RetentionLimit.upTo(90)
    public var isPrivate = false

    public init() {}
}

/// How much is kept.
public enum RetentionLimit: SettingValue {
    case all
    /// At least 0.
    case upTo(Int)

    public static var expectation: String { "a whole number from 0 to 1000000, or \"all\"" }

    public init?(toml: TOMLValue) {
        switch toml {
        case .integer(let number) where (0...1_000_000).contains(number): self = .upTo(Int(number))
        case .string("all"): self = .all
        default: return nil
        }
    }

    public var toml: String {
        switch self {
        case .all: "all".toml
        case .upTo(let number): "\(number)"
        }
    }
}

/// Where the state is.
public struct GroupSettings: SettingsSection {
    public static let name = "group"
    public static let about = "The folder that the programs share."
    public static let keys = [
        SettingKey(
            \Self.folder, "folder",
            help: """
                An absolute path, or "" for $XDG_DATA_HOME/voicedictation/group.voicedictation. It must belong to you \
                alone, and be on a local disk. VOICEDICTATION_GROUP in the environment takes precedence.
                """,
            expectation: "an absolute path, or \"\"", effect: .atRestart,
            allowed: { $0.isEmpty || $0.hasPrefix("/") })
    ]

    /// Empty for the usual place.
    public var folder = ""

    public init() {}
}

/// The agents' log.
public struct LogSettings: SettingsSection {
    public static let name = "log"
    public static let about = "How much the agents write to standard error, or to the journal."
    public static let keys = [
        SettingKey(\Self.level, "level", help: "Messages of this level and above are written.")
    ]

    public var level = Logger.Level.info

    public init() {}
}

extension Logger.Level: SettingValue {}
