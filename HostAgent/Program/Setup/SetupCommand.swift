import ArgumentParser
import Desktop
import DesktopWayland
import DictationHost
import DictationService
import DictationSettings

struct SetupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: SetupOptions.abstract, discussion: SetupOptions.discussion)

    @OptionGroup var options: SetupOptions

    @MainActor
    func run() async throws {
        if options.removeBindings { return try await Self.removeBindings() }
        guard options.yes || SetupTerminal.isThere else {
            Complaint.say(
                "setup asks questions in a terminal, and this is not one. To accept the defaults: dictstate setup --yes. "
                    + "To set single things: dictstate settings set, host-agent models install.")
            throw ExitStatus.wrongUsage.exitCode
        }
        do {
            _ = try SettingsFile.standard().load()
        } catch {
            Complaint.say("\(error). Correct it first: dictstate settings edit")
            throw ExitStatus.badSettings.exitCode
        }
        let named = options.steps
        let session = DisplaySession.current()
        let steps = SetupStep.allCases.filter { step in
            guard named.isEmpty else { return named.contains(step) }
            return switch step {
            case .bindings: session.isWayland
            case .windows: session.nativeWindows == .accessible
            default: true
            }
        }
        let flow = SetupFlow(steps: steps, isUnattended: options.yes)
        let end = try await SetupWalk(flow, named: Set(named)).run()
        if end.isMissing || end.isInterrupted { throw ExitStatus.failed.exitCode }
    }

    private static func removeBindings() async throws {
        do {
            StandardOutput.say(try await SetupBindings.remove())
        } catch {
            Complaint.say("\(error)")
            throw ExitStatus.failed.exitCode
        }
    }
}
