import ArgumentParser
import Desktop
import DesktopIBus
import DesktopWayland
import DesktopX11
import DictationHost
import DictationOptions
import DictationService
import DictationSettings
import DictationShared
import DictationSpeech
import DictationSystem
import Foundation

struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract:
            "Check the settings, the display, the microphone, the recognizer and the group folder.",
        discussion: "Checks everything by default. Exit code 0: no problem found.")

    @Flag(help: "The settings file.")
    var settings = false
    @Flag(help: "The display, its keyboard, and the hotkey.")
    var display = false
    @Flag(help: "The microphone: listen for a second.")
    var microphone = false
    @Flag(help: "The recognizer and its model; the servers in the settings.")
    var engine = false
    @Flag(help: "The group folder and its store.")
    var group = false
    @Flag(help: "Print one JSON object per line.")
    var json = false
    @OptionGroup var microphoneOptions: MicrophoneOptions

    func run() async throws {
        let all = !(settings || display || microphone || engine || group)
        var status = ExitStatus.done
        let file = SettingsFile.standard()
        if all || settings {
            await check("settings", &status, .badSettings, Self.settingsAdvice) {
                let loaded = try file.load()
                try loaded.checkHotkey()
                try loaded.checkHeldHotkey()
                for line in loaded.warningLines { tell(Finding("settings", .warning, line)) }
                if let finding = Self.writingKeys(loaded.values) { tell(finding) }
                return file.path
            }
        }
        let loaded = file.loadWhatCanBeRead()
        let values = loaded?.values ?? Settings()
        if all || display {
            await checkDesktop(values, &status) { () throws(SettingsError) in try loaded?.checkHotkey() }
        }
        if all || display, let finding = Self.inputMethod(values) { tell(finding) }
        if all || microphone { await checkMicrophone(values.audio.device, &status) }
        if all || engine, values.speech.engine == .remote {
            let finding = await ServerCheck.speech(values.remote, fallback: values.fallbackEngine)
            tell(finding)
            if finding.verdict == .problem { status = .failed }
        } else if all || engine {
            // A missing part says itself how it is installed.
            let advice = await RecognizerAdvice.load(values)
            if let advice, case .better = advice {
                tell(Finding("engine", .warning, advice.finding, advice: advice.remedy))
            }
            if let advice, case .languageUnknown = advice {
                tell(Finding("engine", .problem, advice.finding, advice: advice.remedy))
                status = .failed
            } else {
                await check("engine", &status, .failed, nil) {
                    let recognizer = values.recognizer { _ in }
                    try await recognizer.prepare()
                    if let failure = recognizer.fallbackReason {
                        tell(
                            Finding(
                                "engine", .warning, "\(failure.story) Until then PocketSphinx recognizes."))
                        return "pocketsphinx"
                    }
                    return ([recognizer.engine] + [values.sherpaModel].compactMap { $0 }).joined(
                        separator: ", ")
                }
            }
        }
        if all || engine, let finding = await ServerCheck.polish(values.polish) { tell(finding) }
        if all || group {
            await check("app group", &status, .groupRefused, nil) {
                let folder = try AppGroup.folder(named: values.group.folder)
                let group = try AppGroup(folder: folder)
                try group.requireWritable()
                _ = try StateStore(group: group)
                return folder.path
            }
        }
        if status != .done { throw status.exitCode }
    }

    private static let settingsAdvice = "Correct it: dictstate settings edit"

    /// The agents have their own display, which may differ from this command's.
    private static let displayAdvice = """
        Run this in a terminal of the desktop; or, from a console or over ssh: DISPLAY=:0 dictstate doctor, on \
        Wayland: WAYLAND_DISPLAY=wayland-1 dictstate doctor. Agents that systemd starts get the display with: \
        systemctl --user import-environment \(SetupAgents.sessionVariables.joined(separator: " "))
        """

    /// No finding if there is no IBus, and none is wanted.
    private static func inputMethod(_ values: Settings) -> Finding? {
        if let found = IBusTyping.survey() { return Finding("ibus", .ok, found) }
        let isWanted =
            values.insert.method == .ibus || values.profiles.contains { $0.method.value == .ibus }
        let session = DisplaySession.current()
        if session.nativeWindows == .accessible, session.compositor?.name == .gnome {
            return Finding(
                "ibus", .warning, "no IBus daemon answers, so terminals and browsers get no text",
                advice: "Install ibus, and log in again: GNOME starts it.")
        }
        guard isWanted else { return nil }
        return Finding(
            "ibus", .warning, "no IBus daemon answers, so texts are typed by keys",
            advice: "Start it: ibus-daemon --daemonize --xim; or: dictstate settings set insert.method type")
    }

    // MARK: - The desktop

    /// Reports keys that people write with, such as “d” for “ctrl+alt+d”.
    private static func writingKeys(_ values: Settings) -> Finding? {
        let keys =
            ((try? values.dictationHotkeys()) ?? []) + [try? values.parsedHeldHotkey()].compactMap { $0 }
        let names = keys.filter(\.isForWriting).map { "“\($0)”" }
        guard !names.isEmpty else { return nil }
        return Finding(
            "hotkey", .warning,
            "while host-agent runs, no window gets \(names.joined(separator: " and "))",
            advice: "Choose a key that writes nothing, such as F9, or add modifiers, such as ctrl+alt+d.")
    }

    /// - Parameter checkHotkey: refuses an invalid hotkey of the settings.
    private func checkDesktop(
        _ values: Settings, _ status: inout ExitStatus, checkHotkey: () throws(SettingsError) -> Void
    ) async {
        let session = DisplaySession.current()
        let hotkeys = (try? values.dictationHotkeys()) ?? []
        let abilities = SessionAbilities(
            session, hotkey: hotkeys.first, found: .current(session, hotkeys: hotkeys))
        if session.isWayland { tell(Finding("session", .ok, abilities.summary)) }
        let isNamed = ProcessInfo.processInfo.environment["DISPLAY"]?.isEmpty == false
        await check(
            "display", &status, .unavailable,
            session.isWayland ? abilities.windows.advice : isNamed ? nil : Self.displayAdvice
        ) {
            if let error = session.typingError { throw error }
            guard session.hasX11 || !session.isWayland else { return "native windows only" }
            _ = try FocusObserver()
            return ProcessInfo.processInfo.environment["DISPLAY"] ?? ""
        }
        if session.isWayland, session.typingError == nil { tell(finding("windows", abilities.windows)) }
        if status == .done, session.hasX11 { await checkKeyboard(session, &status) }
        if session.isWayland, values.mayLookAtScreen { tell(Self.screen(session)) }
        do {
            try checkHotkey()
        } catch {
            tell(Finding("hotkey", .problem, "\(error)", advice: Self.settingsAdvice))
            status = .badSettings
            return
        }
        if session.isWayland {
            tell(finding("hotkey", abilities.keys))
        } else if status == .done {
            await checkGrab(values, &status)
        }
    }

    /// Reports whether titles and selections of native windows can be read for the names on the screen.
    private static func screen(_ session: DisplaySession) -> Finding {
        switch NativeScreen.current()?.seesSelections {
        case true?: Finding("names", .ok, "in the titles and selections of all windows")
        case false?:
            Finding("names", .ok, "in the titles of all windows; selections are seen in X11 windows only")
        case nil:
            Finding(
                "names", .warning,
                session.hasX11
                    ? "only in X11 windows: this compositor does not tell which native window has the focus"
                    : "nowhere: this compositor does not tell which window has the focus",
                advice: "Put the names that matter into your dictionary: dictstate learn --import FILE")
        }
    }

    private func finding(_ name: String, _ ability: SessionAbilities.Ability) -> Finding {
        Finding(name, ability.advice == nil ? .ok : .warning, ability.statement, advice: ability.advice)
    }

    private func checkKeyboard(_ session: DisplaySession, _ status: inout ExitStatus) async {
        await check("keyboard", &status, .unavailable, nil) {
            let keyboard = try KeyboardSurvey(isXWayland: session.isWayland)
            let others =
                session.isWayland
                ? "texts with others are pasted into X11 windows"
                : "\(keyboard.spareKeys.counted("spare key")) for all others"
            return "\(keyboard.characters.counted("character")) by its keys, \(others)"
        }
    }

    private func checkGrab(_ values: Settings, _ status: inout ExitStatus) async {
        let group = try? AppGroup(folder: AppGroup.folder(named: values.group.folder))
        let host = group.flatMap { try? RoleLock.holder(of: .host, in: $0) }
        if let host, let names = Self.freeHotkeys(values) {
            // The host would have it, if it heard the keys of this display.
            let process = host.pid.map { " (process \($0))" } ?? ""
            return tell(
                Finding(
                    "hotkey", .warning,
                    "\(names) does nothing on this display: host-agent\(process) runs in another session, or without hotkeys",
                    advice:
                        "To dictate here, end that host-agent, and start it in a terminal of this session."))
        }
        await check(
            "hotkey", &status, .unavailable, "Choose another: dictstate settings set host.hotkey ctrl+alt+d"
        ) {
            let hotkeys = try values.dictationHotkeys()
            let names = hotkeys.map { "\($0)" }.joined(separator: " and ")
            if hotkeys.isEmpty { return "none, by the settings" }
            do {
                try HotkeyListener(hotkeys: hotkeys).stop()
            } catch DesktopError.hotkeyTaken where host != nil {
                // The client that has grabbed them is unknown; the agent would not run without them.
                return "\(names), used by the running host-agent"
            }
            return hotkeys.count == 1 ? "\(names) is free" : "\(names) are free"
        }
    }

    /// The hotkeys of the settings, if nobody has grabbed them; nil if somebody has, or there are none.
    private static func freeHotkeys(_ values: Settings) -> String? {
        guard let hotkeys = try? values.dictationHotkeys(), !hotkeys.isEmpty,
            let listener = try? HotkeyListener(hotkeys: hotkeys)
        else { return nil }
        listener.stop()
        return hotkeys.map { "\($0)" }.joined(separator: " and ")
    }

    // MARK: - The microphone

    /// A second: long enough for a level, short enough to wait for.
    private static let listening = Duration.seconds(1)

    private func checkMicrophone(_ device: String, _ status: inout ExitStatus) async {
        let name = microphoneOptions.device ?? device
        if let finding = switchedOff(name) { return tell(finding) }
        do {
            let level = try await ALSAInput(device: name).level(over: Self.listening)
            let heard = "“\(name)”, \(Int(level.rms.rounded())) dB (peak \(Int(level.peak.rounded())))"
            if level.rms < MicrophoneLevel.silence {
                tell(
                    Finding(
                        "microphone", .warning, "\(heard): it delivers only silence",
                        advice:
                            "Is it muted, or not the one that you speak into? arecord -L lists the devices; choose "
                            + "one with: dictstate settings set audio.device NAME"))
            } else if level.peak >= MicrophoneLevel.clipped {
                tell(
                    Finding(
                        "microphone", .warning, "\(heard): it is too loud, and cut off",
                        advice: "Turn its level down in your sound settings (or alsamixer)."))
            } else if level.rms < MicrophoneLevel.faint {
                tell(
                    Finding(
                        "microphone", .warning,
                        "\(heard) in one second: fainter than the noise of a quiet room",
                        advice: "Turn it up in your sound settings (or alsamixer). \(Self.meterAdvice)"))
            } else if level.rms < MicrophoneLevel.room {
                tell(
                    Finding(
                        "microphone", .ok,
                        "\(heard) in one second: quiet, like a room without speech; if you spoke, it is too quiet",
                        advice: Self.meterAdvice))
            } else {
                tell(Finding("microphone", .ok, heard))
            }
        } catch {
            status = .failed
            tell(
                Finding(
                    "microphone", .problem, error.story,
                    advice:
                        "arecord -L lists the devices; choose one with: dictstate settings set audio.device NAME"
                ))
        }
    }

    private static let meterAdvice = "Speak and watch its level: dictstate setup"

    /// The mixer's finding; nil if the microphone is on, or nothing is known.
    private func switchedOff(_ name: String) -> Finding? {
        guard let what = CaptureSwitch.of(name)?.problem else { return nil }
        return Finding(
            "microphone", .warning, "“\(name)”: \(what)",
            advice: "Turn it on in your sound settings (or alsamixer: F4, then M). \(Self.meterAdvice)")
    }

    // MARK: - Telling

    private func check(
        _ name: String, _ status: inout ExitStatus, _ failure: ExitStatus, _ advice: String?,
        _ body: () async throws -> String
    ) async {
        do {
            tell(Finding(name, .ok, try await body()))
        } catch {
            tell(Finding(name, .problem, error.story, advice: advice))
            status = failure
        }
    }

    private func tell(_ finding: Finding) {
        if json, let line = try? JSONLine.text(finding) {
            print(line)
        } else {
            let verdict = finding.verdict == .ok ? "ok, " : ""
            print("\(finding.name): \(verdict)\(finding.finding)".displaySafe)
            if let advice = finding.advice { print("    \(advice)".displaySafe) }
        }
    }
}
