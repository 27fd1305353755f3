/// The lines by which a compositor runs dictstate for keys.
///
/// ```swift
/// let bindings = KeyBindings(hotkey: hotkey, heldHotkey: nil, program: "/usr/bin/dictstate")
/// print(bindings.lines(for: .sway))   // bindsym --no-repeat F9 exec exec /usr/bin/dictstate press …
/// ```
///
/// Escape is not among them: a binding would take it from all programs, also while nothing is recorded.
public struct KeyBindings: Equatable, Sendable {
    /// Held or tapped to speak; nil for none.
    public let hotkey: Hotkey?
    /// Those for dictation with their own options.
    public let further: [Hotkey]
    /// Those with their own options that do their work with one press.
    public let tapped: [Hotkey]
    /// Types the newest held text; nil for none.
    public let heldHotkey: Hotkey?
    /// All of them.
    public var keys: [Hotkey] { dictationKeys.map(\.key) + singleKeys.map(\.key) }
    /// The absolute path of dictstate, or its name.
    public let program: String
    /// The absolute path of the program that starts the agents with the session; nil if the session does that
    /// itself.
    public let starter: String?

    public init(
        hotkey: Hotkey?, further: [Hotkey] = [], tapped: [Hotkey] = [], heldHotkey: Hotkey?,
        program: String, starter: String? = nil
    ) {
        self.hotkey = hotkey
        self.further = further
        self.tapped = tapped
        self.heldHotkey = heldHotkey
        self.program = Self.isPlain(program) ? program : "dictstate"
        self.starter = starter.flatMap { Self.isPlain($0) ? $0 : nil }
    }

    /// Whether a path means the same in quotes to every compositor and to a shell: no variable, no comment, no quote.
    private static func isPlain(_ path: String) -> Bool {
        path.allSatisfy { $0.isLetter || $0.isNumber || "_./+-@ ".contains($0) }
    }

    /// The path of the dictstate that a command runs; nil if it has the name alone, or runs another program.
    public static func dictstatePath(in command: String) -> String? {
        command.firstMatch(of: /\/[\w.\/+@ -]*\/dictstate(?!\w)/).map { String($0.output) }
    }

    private static func quoted(_ path: String) -> String { path.contains(" ") ? "'\(path)'" : path }

    /// The keys for dictation, and the options of dictstate besides `press` or `toggle`.
    private var dictationKeys: [(key: Hotkey, options: String)] {
        [hotkey].compactMap { $0 }.map { ($0, "") } + further.map { ($0, " --hotkey \($0)") }
    }

    /// The keys whose press alone counts, and the arguments of dictstate.
    private var singleKeys: [(key: Hotkey, command: String)] {
        tapped.map { ($0, "toggle --hotkey \($0)") } + [heldHotkey].compactMap { $0 }.map { ($0, "insert") }
    }

    /// - Returns: empty if a compositor's configuration cannot say it.
    public func lines(for compositor: Compositor) -> [String] {
        // These pass it to a shell, which becomes dictstate: a child of the shell would start later than the
        // key, and a press could seem to be later than its release.
        let run = { (command: String) in "exec \(Self.quoted(program)) \(command)" }
        switch compositor {
        case .sway:
            // By its code, a letter is the same key in all of the user's layouts; if no code has it, sway goes by the name.
            return [starter.map { "exec \(Self.quoted($0))" }].compactMap { $0 }
                + dictationKeys.flatMap { key, options in
                    [
                        "bindsym --to-code --no-repeat \(Self.swayKey(key)) exec \(run("press" + options))",
                        "bindsym --to-code --release \(Self.swayKey(key)) exec \(run("release"))",
                    ]
                } + singleKeys.map { "bindsym --to-code --release \(Self.swayKey($0)) exec \(run($1))" }
        case .hyprland:
            return [starter.map { "exec-once = \(Self.quoted($0))" }].compactMap { $0 }
                + dictationKeys.flatMap { key, options in
                    [
                        "bind = \(Self.hyprlandKey(key)), exec, \(run("press" + options))",
                        "bindr = \(Self.hyprlandKey(key)), exec, \(run("release"))",
                    ]
                } + singleKeys.map { "bind = \(Self.hyprlandKey($0)), exec, \(run($1))" }
        case .river:
            let spawn = { (command: String) in "spawn \"\(run(command))\"" }
            return [starter.map { "riverctl spawn \"\(Self.quoted($0))\"" }].compactMap { $0 }
                + dictationKeys.flatMap { key, options in
                    [
                        "riverctl map normal \(Self.riverKey(key)) \(spawn("press" + options))",
                        "riverctl map -release normal \(Self.riverKey(key)) \(spawn("release"))",
                    ]
                } + singleKeys.map { "riverctl map normal \(Self.riverKey($0)) \(spawn($1))" }
        case .labwc:
            let bind = { (key: Hotkey, command: String) in
                "<keybind key=\"\(Self.labwcKey(key))\"><action name=\"Execute\" command=\"\(Self.quoted(program)) \(command)\"/></keybind>"
            }
            return dictationKeys.map { bind($0, "toggle" + $1) } + singleKeys.map { bind($0, $1) }
        case .gnome, .kde, .other:
            return []
        }
    }

    /// The commands that remove the bindings at once if the compositor does not reload its configuration.
    public func removal(for compositor: Compositor) -> [String] {
        guard compositor == .river else { return [] }
        let mapped = dictationKeys.map { Self.riverKey($0.key) }
            .flatMap { ["normal \($0)", "-release normal \($0)"] }
        let single = singleKeys.map { "normal \(Self.riverKey($0.key))" }
        return (mapped + single).map { "riverctl unmap \($0)" }
    }

    // MARK: Names of keys

    private typealias Names = [(Hotkey.Modifiers, String)]

    private static func names(of hotkey: Hotkey, _ names: Names) -> [String] {
        names.filter { hotkey.modifiers.contains($0.0) }.map(\.1)
    }

    /// `Ctrl+Mod1+d`
    static func swayKey(_ hotkey: Hotkey) -> String {
        let modifiers = names(
            of: hotkey, [(.control, "Ctrl"), (.alt, "Mod1"), (.shift, "Shift"), (.super, "Mod4")])
        return (modifiers + [hotkey.keyName]).joined(separator: "+")
    }

    /// `CTRL ALT, d`
    static func hyprlandKey(_ hotkey: Hotkey) -> String {
        let modifiers = names(
            of: hotkey, [(.control, "CTRL"), (.alt, "ALT"), (.shift, "SHIFT"), (.super, "SUPER")])
        return modifiers.joined(separator: " ") + ", " + hotkey.keyName
    }

    /// `Control+Alt d`
    static func riverKey(_ hotkey: Hotkey) -> String {
        let modifiers = names(
            of: hotkey, [(.control, "Control"), (.alt, "Alt"), (.shift, "Shift"), (.super, "Super")])
        return (modifiers.isEmpty ? "None" : modifiers.joined(separator: "+")) + " " + hotkey.keyName
    }

    /// `C-A-d`
    static func labwcKey(_ hotkey: Hotkey) -> String {
        let modifiers = names(of: hotkey, [(.control, "C"), (.alt, "A"), (.shift, "S"), (.super, "W")])
        return (modifiers + [hotkey.keyName]).joined(separator: "-")
    }

    /// `<Control><Alt>d`, as in GNOME's settings.
    public static func gnomeKey(_ hotkey: Hotkey) -> String {
        let modifiers = names(
            of: hotkey, [(.control, "Control"), (.alt, "Alt"), (.shift, "Shift"), (.super, "Super")])
        return modifiers.map { "<\($0)>" }.joined() + hotkey.keyName
    }
}
