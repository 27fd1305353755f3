import ArgumentParser
import DictationDesktop
import DictationService
import DictationSettings
import DictationShared
import DictationSpeech
import DictationViews
import Foundation
import Glibc
import Logging

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run in the foreground until SIGTERM or SIGINT (the default).")

    @Option(
        help:
            """
            The key to hold, or to tap: a keysym with modifiers, such as ctrl+alt+d or super+space. (default: \
            host.hotkey of the settings)
            """,
        transform: Hotkey.init(parsing:))
    var hotkey: Hotkey?

    @Flag(help: "Grab no key: dictate with 'dictstate start' and 'dictstate stop' alone. Needs no display.")
    var noHotkey = false

    @OptionGroup var microphone: MicrophoneOptions
    @OptionGroup var agent: AgentOptions

    func validate() throws {
        if hotkey != nil, noHotkey { throw ValidationError("Give --hotkey or --no-hotkey, not both.") }
    }

    func run() async throws {
        let key = noHotkey ? HostSettings.noHotkey : hotkey?.description
        let option = noHotkey ? "--no-hotkey" : "--hotkey"
        let device = microphone.device
        let prepare: LiveSettings.Preparation = { loaded throws(SettingsError) in
            loaded.override(\.host.hotkey, "host.hotkey", with: key, by: option)
            loaded.override(\.audio.device, "audio.device", with: device, by: "--device")
            try loaded.checkHotkey()
        }
        // A limit on the size of files (ulimit -f) is a full disk, not a reason to die.
        signal(SIGXFSZ, SIG_IGN)
        try await AgentProcess.run(
            role: .host, options: agent,
            prepareSettings: prepare, status: Self.status
        ) { context in
            let hotkey = try context.settings.current.host.parsedHotkey()
            let keys = try HotkeySwitch(hotkey, logger: context.logger)
            let focus = hotkey == nil ? try? FocusObserver() : try FocusObserver()
            let speech = SpeechService(
                recognizer: context.settings.current.recognizer { context.logger.warning("\($0)") },
                input: WarmInput(
                    ChosenMicrophone(settings: context.settings),
                    keepOpen: { .seconds(context.settings.current.audio.keepOpen) }),
                adaptations: context.group.adaptations, settings: { context.settings.current })
            let dictionary = LiveDictionary(file: DictionaryFile(beside: .standard()), logger: context.logger)
            dictionary.follow()
            let text = try TextService(settings: context.settings, dictionary: dictionary)
            let hasDisplay = ProcessInfo.processInfo.environment["DISPLAY"]?.isEmpty == false
            let overlay =
                hasDisplay
                ? Overlay(settings: { context.settings.current.overlay }, logger: context.logger) : nil
            let service = DictationAgent(
                context: context, speech: speech, text: text, hotkey: keys, focus: focus,
                overlay: overlay)
            // The model is ready long before the first word; a failure comes back with the first dictation.
            Task {
                do { try await speech.prepare() } catch { context.logger.error("\(error)") }
            }
            let message =
                hotkey.map {
                    "Hold \($0) and speak, or tap it to start and tap it again to stop. Escape cancels."
                } ?? "Start a dictation with: dictstate start"
            return (service, message)
        }
    }

    static func status(_ error: any Error) -> ExitStatus? {
        error is DesktopError ? .unavailable : nil
    }
}
