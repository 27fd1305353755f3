import Desktop
import DesktopWayland
import DictationHost
import DictationOptions
import DictationSettings
import DictationSystem
import Foundation

/// Makes the compositor of a Wayland session report the hotkey, because it gets all keys.
enum SetupBindings {
    private static let write = "write"
    private static let leave = "leave"
    private static let again = "dictstate setup bindings"

    private enum Place {
        case file(CompositorConfiguration)
        case gnome(GNOMEShortcuts)
    }

    static func look(_ context: SetupWalk.Context) async -> SetupFlow.Look {
        let session = DisplaySession.current()
        guard session.isWayland else {
            let text =
                session.isNone
                ? "there is no desktop here" : "not needed: on X11 the agents hear the key themselves"
            return .outcome(SetupFlow.Outcome(kind: session.isNone ? .missing : .set, text: text))
        }
        let bindings = keyBindings
        let first = (try? SetupSteps.settings.dictationHotkeys())?.first
        let source = HotkeySource(
            for: first, in: session, found: .current(session, hotkeys: [first].compactMap { $0 }))
        if source == .portal, session.compositor?.name.flatMap({ CompositorConfiguration(of: $0) }) == nil {
            let text = "not needed: host-agent asks the desktop for the key (GlobalShortcuts portal)"
            return .outcome(SetupFlow.Outcome(kind: .set, text: text))
        }
        guard !bindings.keys.isEmpty else {
            return .outcome(
                SetupFlow.Outcome(
                    kind: .skipped, text: "the settings have no hotkey", command: "dictstate setup hotkey"))
        }
        guard let place = await place(of: session.compositor?.name, bindings) else {
            return .outcome(byHand(session.compositor?.name, bindings))
        }
        switch place {
        case .file(let configuration):
            if BindingsFile(configuration).isInPlace(bindings) {
                return .outcome(done(configuration, bindings))
            }
            guard let file = configuration.file else {
                return .outcome(withoutFile(configuration.compositor))
            }
            return .question(
                question(
                    lines: bindings.lines(for: configuration.compositor),
                    notes: conflicts(configuration, bindings),
                    label: "write these lines to \(configuration.ownFile), and let \(file) include it",
                    context))
        case .gnome(let shortcuts):
            if await shortcuts.areInPlace() { return .outcome(doneInGNOME) }
            return .question(
                question(
                    lines: shortcuts.lines,
                    notes: ["GNOME reports only the press: press once to start, and again to stop."],
                    label: "add these to GNOME's custom shortcuts; the others stay as they are", context))
        }
    }

    static func take(_ value: String) async -> SetupFlow.Outcome {
        guard value == write else {
            return SetupFlow.Outcome(kind: .skipped, text: "nothing was written", command: again)
        }
        let bindings = keyBindings
        guard let place = await place(of: DisplaySession.current().compositor?.name, bindings) else {
            return byHand(DisplaySession.current().compositor?.name, bindings)
        }
        do {
            switch place {
            case .file(let configuration):
                try BindingsFile(configuration).install(bindings)
                if let problem = await reload(configuration) {
                    return SetupFlow.Outcome(
                        kind: .missing,
                        text:
                            "the bindings are written, but \(configuration.compositor.name) did not read them: \(problem)",
                        command: "dictstate setup --remove-bindings removes them")
                }
                return done(configuration, bindings)
            case .gnome(let shortcuts):
                try await shortcuts.install()
                return doneInGNOME
            }
        } catch {
            return SetupFlow.Outcome(kind: .missing, text: "\(error)", command: again)
        }
    }

    /// - Returns: a sentence about the change that was made.
    /// - Throws: `BindingsFile.Failure`, `GNOMEShortcuts.Failure`
    static func remove() async throws -> String {
        let bindings = keyBindings
        var removed: [String] = []
        for compositor in [Compositor.sway, .hyprland, .river] {
            guard let configuration = CompositorConfiguration(of: compositor) else { continue }
            let isRunning = DisplaySession.current().compositor?.name == compositor
            let place = isRunning ? await loaded(configuration) : configuration
            guard try BindingsFile(place).remove() else { continue }
            removed.append(compositor.name)
            if isRunning { _ = await reload(place, removing: bindings) }
        }
        if GNOMEShortcuts.isSet(), try await GNOMEShortcuts(bindings).remove() { removed.append("GNOME") }
        return removed.isEmpty
            ? "There were no key bindings to remove." : "Removed from \(removed.joined(separator: ", "))."
    }

    // MARK: - The present bindings

    private static var keyBindings: KeyBindings {
        let settings = SetupSteps.settings
        let folder = ChildProcess.thisProgram.deletingLastPathComponent()
        let program = folder.appending(path: "dictstate").path
        let starter = folder.deletingLastPathComponent()
            .appending(path: "libexec/voicedictation/voicedictation-session").path
        let isExecutable = FileManager.default.isExecutableFile(atPath:)
        let tapped = (try? settings.tappedHotkeys()) ?? []
        return KeyBindings(
            hotkey: (try? settings.host.parsedHotkey()) ?? nil,
            further: ((try? settings.furtherHotkeys()) ?? []).filter { !tapped.contains($0) }, tapped: tapped,
            heldHotkey: (try? settings.parsedHeldHotkey()) ?? nil,
            program: isExecutable(program) ? program : "dictstate",
            starter: isExecutable(starter) ? starter : nil)
    }

    private static func place(of compositor: Compositor?, _ bindings: KeyBindings) async -> Place? {
        guard let compositor else { return nil }
        if compositor == .gnome { return .gnome(GNOMEShortcuts(bindings)) }
        guard let configuration = CompositorConfiguration(of: compositor) else { return nil }
        return .file(await loaded(configuration))
    }

    /// With the file that sway says it has read: it may have been started with another one.
    private static func loaded(_ configuration: CompositorConfiguration) async -> CompositorConfiguration {
        guard configuration.compositor == .sway,
            let answer = try? await run("swaymsg", ["-r", "-t", "get_version"]),
            let version = try? JSONDecoder().decode(SwayVersion.self, from: answer)
        else { return configuration }
        return configuration.reading(version.loadedConfigFileName)
    }

    private struct SwayVersion: Decodable {
        let loadedConfigFileName: String
        enum CodingKeys: String, CodingKey { case loadedConfigFileName = "loaded_config_file_name" }
    }

    /// Lines of the user's own that bind the same keys.
    private static func conflicts(
        _ configuration: CompositorConfiguration, _ bindings: KeyBindings
    ) -> [String] {
        let keys = bindings.keys
        return configuration.bindings.filter { line in keys.contains { line.binds($0) } }
            .map { "Your configuration has this key already: \($0.line)" }
    }

    private static func question(
        lines: [String], notes: [String], label: String, _ context: SetupWalk.Context
    ) -> SetupFlow.Question {
        let choices = [
            SetupFlow.Choice(value: write, label: label),
            SetupFlow.Choice(value: leave, label: "write nothing"),
        ]
        // The lines were not shown: a foreign file is changed only if the user has named this step.
        let isSafe = !context.isUnattended || context.isNamed
        return SetupFlow.Question(
            text: (lines + notes).joined(separator: "\n"), choices: choices, selected: isSafe ? 0 : 1)
    }

    // MARK: - Messages

    private static func keys(_ bindings: KeyBindings) -> String {
        bindings.keys.map { "\($0)" }.joined(separator: " and ")
    }

    private static func done(
        _ configuration: CompositorConfiguration, _ bindings: KeyBindings
    ) -> SetupFlow.Outcome {
        SetupFlow.Outcome(
            kind: .set,
            text: "\(configuration.compositor.name) has \(keys(bindings)) (\(configuration.ownFile))")
    }

    private static let doneInGNOME = SetupFlow.Outcome(
        kind: .set, text: "GNOME has the keys as custom shortcuts: press once to start, and again to stop")

    private static func withoutFile(_ compositor: Compositor) -> SetupFlow.Outcome {
        let copy =
            compositor == .sway
            ? "mkdir -p ~/.config/sway && cp /etc/sway/config ~/.config/sway/config, then: \(again)" : again
        return SetupFlow.Outcome(
            kind: .missing, text: "\(BindingsFile.Failure.noFile(compositor))", command: copy)
    }

    /// If no program can, or should, change the configuration.
    private static func byHand(_ compositor: Compositor?, _ bindings: KeyBindings) -> SetupFlow.Outcome {
        let text: String
        switch compositor {
        case .labwc:
            text =
                "add to <keyboard> in ~/.config/labwc/rc.xml, then labwc --reconfigure (a key starts and stops there): "
                + bindings.lines(for: .labwc).joined(separator: " ")
        case .kde:
            text =
                "in KDE choose System Settings, Shortcuts, Add New, Command: \(bindings.program) toggle "
                + "for \(bindings.hotkey.map { "\($0)" } ?? "a key")"
                + (bindings.further + bindings.tapped).map {
                    ", and \(bindings.program) toggle --hotkey \($0) for \($0)"
                }
                .joined()
        default:
            text =
                "bind \(bindings.program) press and \(bindings.program) release to the press and the release of a key of "
                + "the compositor, or \(bindings.program) toggle to the press alone"
        }
        return SetupFlow.Outcome(kind: .missing, text: text)
    }

    // MARK: - The compositor

    /// Lets the compositor read its configuration again.
    ///
    /// - Parameter removed: bindings that it may still have.
    /// - Returns: the reason why that failed; nil if it worked.
    private static func reload(
        _ configuration: CompositorConfiguration, removing removed: KeyBindings? = nil
    ) async -> String? {
        do {
            switch configuration.compositor {
            case .sway: _ = try await run("swaymsg", ["reload"])
            case .hyprland: _ = try await run("hyprctl", ["reload"])
            case .river:
                let commands = removed?.removal(for: .river).joined(separator: "\n")
                _ = try await run("sh", commands.map { ["-c", $0] } ?? [configuration.ownFile])
            case .labwc, .gnome, .kde, .other: break
            }
            return nil
        } catch { return "\(error)" }
    }

    private static func run(_ program: String, _ arguments: [String]) async throws -> Data {
        let isQuestion = arguments.contains("-t")
        return try await ChildProcess(
            program: program, arguments: arguments, limit: .seconds(10),
            errors: isQuestion ? .passed : .taken
        ).run()
    }
}
