import Testing

@testable import Desktop

@Suite("Key bindings of compositors")
struct KeyBindingsTests {
    private static func hotkey(_ text: String) throws -> Hotkey { try Hotkey(parsing: text) { ($0, 1) } }

    @Test(
        "a hotkey has each compositor's own names",
        arguments: [
            ("F9", "F9", ", F9", "None F9", "F9", "F9"),
            ("ctrl+alt+d", "Ctrl+Mod1+d", "CTRL ALT, d", "Control+Alt d", "C-A-d", "<Control><Alt>d"),
            ("super+space", "Mod4+space", "SUPER, space", "Super space", "W-space", "<Super>space"),
            ("shift+F9", "Shift+F9", "SHIFT, F9", "Shift F9", "S-F9", "<Shift>F9"),
            (
                "XF86AudioRecord", "XF86AudioRecord", ", XF86AudioRecord", "None XF86AudioRecord",
                "XF86AudioRecord", "XF86AudioRecord"
            ),
            (
                "ctrl+alt+shift+super+Pause", "Ctrl+Mod1+Shift+Mod4+Pause", "CTRL ALT SHIFT SUPER, Pause",
                "Control+Alt+Shift+Super Pause", "C-A-S-W-Pause", "<Control><Alt><Shift><Super>Pause"
            ),
        ])
    func names(
        text: String, sway: String, hyprland: String, river: String, labwc: String, gnome: String
    ) throws {
        let hotkey = try Self.hotkey(text)
        #expect(KeyBindings.swayKey(hotkey) == sway)
        #expect(KeyBindings.hyprlandKey(hotkey) == hyprland)
        #expect(KeyBindings.riverKey(hotkey) == river)
        #expect(KeyBindings.labwcKey(hotkey) == labwc)
        #expect(KeyBindings.gnomeKey(hotkey) == gnome)
    }

    @Test("the lines run dictstate on press and release, and a path with spaces is quoted")
    func lines() throws {
        let bindings = KeyBindings(
            hotkey: try Self.hotkey("F9"), heldHotkey: try Self.hotkey("shift+F9"),
            program: "/home/jürgen müller/bin/dictstate", starter: "/usr/libexec/start")
        #expect(
            bindings.lines(for: .sway) == [
                "exec /usr/libexec/start",
                "bindsym --to-code --no-repeat F9 exec exec '/home/jürgen müller/bin/dictstate' press",
                "bindsym --to-code --release F9 exec exec '/home/jürgen müller/bin/dictstate' release",
                "bindsym --to-code --release Shift+F9 exec exec '/home/jürgen müller/bin/dictstate' insert",
            ])
        #expect(
            bindings.lines(for: .hyprland).dropFirst() == [
                "bind = , F9, exec, exec '/home/jürgen müller/bin/dictstate' press",
                "bindr = , F9, exec, exec '/home/jürgen müller/bin/dictstate' release",
                "bind = SHIFT, F9, exec, exec '/home/jürgen müller/bin/dictstate' insert",
            ])
        #expect(
            bindings.lines(for: .river).dropFirst() == [
                "riverctl map normal None F9 spawn \"exec '/home/jürgen müller/bin/dictstate' press\"",
                "riverctl map -release normal None F9 spawn \"exec '/home/jürgen müller/bin/dictstate' release\"",
                "riverctl map normal Shift F9 spawn \"exec '/home/jürgen müller/bin/dictstate' insert\"",
            ])
        // labwc runs one action of a key, for its press or for its release.
        #expect(bindings.lines(for: .labwc).first?.contains("dictstate' toggle") == true)
        #expect(
            bindings.removal(for: .river) == [
                "riverctl unmap normal None F9", "riverctl unmap -release normal None F9",
                "riverctl unmap normal Shift F9",
            ])
    }

    @Test(
        "each further key has lines of its own, which name it, and is found again",
        arguments: [Compositor.sway, .hyprland, .river])
    func further(compositor: Compositor) throws {
        let german = try Self.hotkey("shift+F9")
        let bindings = KeyBindings(
            hotkey: try Self.hotkey("F9"), further: [german], heldHotkey: nil, program: "dictstate")
        let lines = bindings.lines(for: compositor)
        #expect(lines.count == 4)
        #expect(lines.filter { $0.contains("dictstate press --hotkey shift+F9") }.count == 1)
        #expect(lines.filter { $0.contains("dictstate press") }.count == 2)
        let found = ConfiguredBinding.all(in: lines.joined(separator: "\n"), of: compositor)
        #expect(found.filter { $0.binds(german) && $0.isForDictation }.count == 2)
        #expect(bindings.removal(for: compositor).count == (compositor == .river ? 4 : 0))
        #expect(bindings.lines(for: .labwc).last?.contains("dictstate toggle --hotkey shift+F9") == true)
    }

    @Test(
        "the path of the program that a line runs is known",
        arguments: [Compositor.sway, .hyprland, .river], ["/usr/bin/dictstate", "/my own/bin/dictstate"])
    func path(compositor: Compositor, program: String) throws {
        let bindings = KeyBindings(
            hotkey: try Self.hotkey("F9"), heldHotkey: try Self.hotkey("shift+F9"), program: program)
        let lines = bindings.lines(for: compositor)
        #expect(lines.count == 3 && lines.allSatisfy { KeyBindings.dictstatePath(in: $0) == program })
        #expect(KeyBindings.dictstatePath(in: "bindsym F9 exec exec dictstate press") == nil)
    }

    @Test(
        "a key that does its work with one press has one line",
        arguments: [Compositor.sway, .hyprland, .river, .labwc])
    func tapped(compositor: Compositor) throws {
        let (key, held) = (try Self.hotkey("shift+F8"), try Self.hotkey("shift+F9"))
        let bindings = KeyBindings(
            hotkey: try Self.hotkey("F9"), tapped: [key], heldHotkey: held, program: "dictstate")
        #expect(try bindings.keys == [Self.hotkey("F9"), key, held])
        let lines = bindings.lines(for: compositor)
        #expect(lines.filter { $0.contains("dictstate toggle --hotkey shift+F8") }.count == 1)
        #expect(lines.filter { $0.contains("shift+F8") }.count == 1)
        if compositor == .river {
            #expect(bindings.removal(for: .river).contains("riverctl unmap normal Shift F8"))
        }
        guard compositor != .labwc else { return }
        let found = ConfiguredBinding.all(in: lines.joined(separator: "\n"), of: compositor)
        #expect(found.filter { $0.binds(key) && $0.names(key) && $0.isForDictation }.count == 1)
        #expect(found.filter { $0.names(held) }.isEmpty)
    }

    @Test(
        "a path that would mean something else in a configuration is not written",
        arguments: ["$HOME/d", "/a'b/d", "/a#b/d"])
    func oddPath(path: String) throws {
        let bindings = KeyBindings(
            hotkey: try Self.hotkey("F9"), heldHotkey: nil, program: path, starter: path)
        #expect(
            bindings.lines(for: .sway) == [
                "bindsym --to-code --no-repeat F9 exec exec dictstate press",
                "bindsym --to-code --release F9 exec exec dictstate release",
            ])
    }

    @Test(
        "the keys of our lines are found again in a configuration",
        arguments: [Compositor.sway, .hyprland, .river], ["F9", "ctrl+alt+d", "shift+super+F12"])
    func found(compositor: Compositor, text: String) throws {
        let hotkey = try Self.hotkey(text)
        let lines = KeyBindings(hotkey: hotkey, heldHotkey: nil, program: "dictstate").lines(for: compositor)
        let bindings = ConfiguredBinding.all(in: lines.joined(separator: "\n"), of: compositor)
        #expect(bindings.count == 2)
        for binding in bindings {
            #expect(binding.binds(hotkey) && binding.isForDictation)
            #expect(try !binding.binds(Self.hotkey("alt+F9")))
        }
    }

    @Test(
        "a line of the user's is read as the compositor reads it",
        arguments: [
            (Compositor.sway, "  bindsym --release --locked Control+mod1+D exec foo", "ctrl+alt+d", true),
            (.sway, "bindsym $mod+d exec foo", "super+d", false),
            (.sway, "# bindsym F9 exec foo", "F9", false),
            (.sway, "set $key F9", "F9", false),
            (.hyprland, "bindl = CTRL_ALT, D, exec, foo", "ctrl+alt+d", true),
            (.hyprland, "bind=,F9,exec,foo", "F9", true),
            (.hyprland, "bind = broken", "F9", false),
            (.river, "riverctl map -repeat normal Mod4+Shift space zoom", "shift+super+space", true),
            (.river, "riverctl map-pointer normal Super BTN_LEFT move-view", "super+BTN_LEFT", false),
        ])
    func usersLine(compositor: Compositor, line: String, text: String, binds: Bool) throws {
        let hotkey = try Self.hotkey(text)
        #expect((ConfiguredBinding(line, of: compositor)?.binds(hotkey) ?? false) == binds)
    }
}

@Suite("Our lines in another program's file")
struct ConfigurationTextTests {
    private static let ours = ["# ours", "include ~/ours.conf"]

    @Test(
        "are added once, and taken out again, and every other byte stays",
        arguments: ["", "a\n", "a", "a\n\n", "a\r\nb\r\n", "\u{FEFF}a\n  b \n"])
    func addedAndRemoved(text: String) {
        // Not even text: no code may rely on that.
        let bytes = Array(text.utf8) + (text.hasSuffix("\n") ? [0xFF, 0x0A] : [])
        var changed = ConfigurationText(bytes)
        #expect(!changed.contains(Self.ours[1]))
        changed.add(Self.ours)
        #expect(changed.contains(Self.ours[1]) && changed.bytes.starts(with: bytes))
        changed.remove(Self.ours)
        // A last line without its end has got one.
        #expect(changed.bytes == bytes || changed.bytes == bytes + [0x0A])
    }

    @Test("are put after the first line of a script")
    func script() {
        var text = ConfigurationText(Array("#!/bin/sh\nfirst\nexec last\n".utf8))
        text.add(["ours"], behindFirstLine: true)
        #expect(String(decoding: text.bytes, as: UTF8.self) == "#!/bin/sh\nours\nfirst\nexec last\n")
    }

    @Test("are found with other spaces around them, and not as a part of a line")
    func spaces() {
        #expect(ConfigurationText(Array("\t include ~/ours.conf \r\n".utf8)).contains(Self.ours[1]))
        #expect(!ConfigurationText(Array("# include ~/ours.conf\n".utf8)).contains(Self.ours[1]))
    }
}
