import ArgumentParser
import DictationDesktop
import DictationService
import DictationShared
import DictationSpeech
import DictationText
import Logging

struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run in the foreground until SIGTERM or SIGINT (the default).")

    @Option(
        help:
            "The key to hold, or to tap: a keysym with modifiers, such as ctrl+alt+d or super+space. (default: F9)",
        transform: Hotkey.init(parsing:))
    var hotkey: Hotkey?

    @Flag(help: "Grab no key: dictate with 'dictstate start' and 'dictstate stop' alone. Needs no display.")
    var noHotkey = false

    @OptionGroup var microphone: MicrophoneOptions
    @OptionGroup var agent: AgentOptions

    func run() async throws {
        try await AgentProcess.run(role: .host, options: agent, status: Self.status) { context in
            let hotkey = hotkey ?? .usual
            let listener = noHotkey ? nil : try HotkeyListener(hotkey: hotkey, logger: context.logger)
            // Without a display there is no window to note, and nothing else to miss.
            let focus = noHotkey ? try? FocusObserver() : try FocusObserver()
            let speech = SpeechService(
                recognizer: PocketSphinxRecognizer(), input: ALSAInput(device: microphone.device),
                locale: "en-US")
            let service = DictationAgent(
                context: context, speech: speech, cleaner: TextCleaner(), hotkey: listener, focus: focus)
            // The model is ready long before the first word; a failure comes back with the first dictation.
            Task {
                do { try await speech.session.prepare() } catch { context.logger.error("\(error)") }
            }
            let message =
                noHotkey
                ? "Start a dictation with: dictstate start"
                : "Hold \(hotkey) and speak, or tap it to start and tap it again to stop. Escape cancels."
            return (service, message)
        }
    }

    static func status(_ error: any Error) -> ExitStatus? {
        error is DesktopError ? .unavailable : nil
    }
}
