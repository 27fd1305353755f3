/// All settings, with their defaults.
///
/// It comes from `config.toml` (see ``SettingsFile``); options of the command line override it.
public struct Settings: SettingsRoot {
    public var host = HostSettings()
    public var hotkeys: [HotkeySettings] = []
    public var audio = AudioSettings()
    public var speech = SpeechSettings()
    public var remote = RemoteSettings()
    public var models = ModelsSettings()
    public var clean = CleanSettings()
    public var polish = PolishSettings()
    public var styles: [StyleSettings] = []
    public var edit = EditSettings()
    public var transform = TransformSettings()
    public var hooks: [HookSettings] = []
    public var insert = InsertSettings()
    public var profiles: [ProfileSettings] = []
    public var overlay = OverlaySettings()
    public var notices = NoticesSettings()
    public var sounds = SoundsSettings()
    public var history = HistorySettings()
    public var group = GroupSettings()
    public var log = LogSettings()

    /// In the order of the example file.
    public static let parts: [SettingsPart<Settings>] = [
        .section(\.host), .list(\.hotkeys), .section(\.audio), .section(\.speech), .section(\.remote),
        .section(\.models),
        .section(\.clean), .section(\.polish), .list(\.styles), .section(\.edit), .section(\.transform),
        .list(\.hooks),
        .section(\.insert), .list(\.profiles), .section(\.overlay), .section(\.notices), .section(\.sounds),
        .section(\.history),
        .section(\.group), .section(\.log),
    ]

    public init() {}

    /// Whether names on the screen may help some dictation.
    public var mayLookAtScreen: Bool {
        speech.context != .off || profiles.contains { ($0.context.value ?? .off) != .off }
    }
}
