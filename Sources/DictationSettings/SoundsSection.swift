/// The sounds of a dictation.
public struct SoundsSettings: SettingsSection {
    public static let name = "sounds"
    public static let about = """
        Short sounds: when a recording starts, when it ends, and when a text is held or a dictation failed.
        """
    public static let keys = [
        SettingKey(\Self.isPlayed, "play", help: "Play them; false plays none."),
        SettingKey(
            \Self.volume, "volume", in: 1...400,
            help: """
                Volume, in percent of the files. The start sound is short and quiet, because the microphone may hear \
                it.
                """
        ),
        SettingKey(
            \Self.device, "device",
            help: """
                The ALSA device to play on; aplay -L lists them. "default" is PipeWire or PulseAudio if they run.
                """,
            expectation: "the name of an ALSA device", allowed: { !$0.isEmpty }),
    ]

    public var isPlayed = true
    /// Per cent.
    public var volume = 100
    public var device = "default"

    public init() {}
}
