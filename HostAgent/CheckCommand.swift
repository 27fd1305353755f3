import ArgumentParser
import DictationDesktop
import DictationService
import DictationSettings
import DictationShared
import DictationSpeech
import Foundation

struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract:
            "Say whether the settings, the display, the microphone, the recogniser and the app group can be used.",
        discussion: "Checks everything when nothing is named. Exit code 0 when all that was checked is well.")

    @Flag(help: "The settings file.")
    var settings = false
    @Flag(help: "The X11 display.")
    var display = false
    @Flag(help: "The microphone: it is opened until the first sound has arrived.")
    var microphone = false
    @Flag(help: "The recogniser and its model.")
    var engine = false
    @Flag(help: "The app group's folder and store.")
    var group = false
    @OptionGroup var microphoneOptions: MicrophoneOptions

    func run() async throws {
        let all = !(settings || display || microphone || engine || group)
        var status = ExitStatus.done
        let file = SettingsFile.standard()
        if all || settings {
            await check("settings", &status, .badSettings) { try file.load().checkHotkey() }
        }
        let values = file.loadWhatCanBeRead()?.values ?? Settings()
        if all || display { await check("display", &status, .unavailable) { _ = try FocusObserver() } }
        if all || microphone {
            await check("microphone", &status, .failed) { try await self.listen(to: values.audio.device) }
        }
        if all || engine {
            await check("engine", &status, .failed) { try await PocketSphinxRecognizer().prepare() }
        }
        if all || group {
            await check("app group", &status, .groupRefused) {
                let folder = AppGroup.folder(named: values.group.folder)
                _ = try StateStore(group: AppGroup(folder: folder))
            }
        }
        if status != .done { throw status.exitCode }
    }

    private func check(
        _ name: String, _ status: inout ExitStatus, _ failure: ExitStatus, _ body: () async throws -> Void
    ) async {
        do {
            try await body()
            print("\(name): ok")
        } catch {
            print("\(name): \(error)")
            status = failure
        }
    }

    private func listen(to device: String) async throws {
        let capture = ALSAInput(device: microphoneOptions.device ?? device).start()
        defer { capture.stop(tail: .zero) }
        for try await _ in capture.chunks { return }
    }
}
