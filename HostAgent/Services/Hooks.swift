import DictationSettings
import DictationShared
import DictationSystem
import Foundation
import Logging

/// Runs the user's hooks. A hook can fail, hang or print anything: then the text is unchanged.
struct Hooks: Sendable {
    let settings: LiveSettings
    let logger: Logger

    /// No dictated text is longer.
    private static let mostOutput = 1 << 20
    /// Bytes of a variable with its name. Linux takes no longer one, and starts no program that should get it
    /// (`MAX_ARG_STRLEN` of `execve(2)`, which counts the NUL and the “=”).
    private static let longestVariable = 131_072

    private func hooks(on event: HookEvent) -> [HookSettings] {
        settings.current.hooks.filter { $0.event == event && !$0.command.isEmpty }
    }

    /// Gives a cleaned text to the hooks, each after the other.
    ///
    /// - Parameter dictation: is not in the store with its text yet.
    /// - Returns: the text to insert, and the last failure.
    func revise(
        _ text: String, raw: String, of dictation: DictationState?
    ) async -> (text: String, failure: DictationFailure?) {
        var text = text
        var failure: DictationFailure?
        guard dictation?.isPrivate != true else { return (text, nil) }
        for hook in hooks(on: .cleaned) {
            do {
                var fields = dictation.map(Self.fields(of:)) ?? [:]
                fields["VOICEDICTATION_RAW_TEXT"] = raw
                let output = try await run(hook, input: text, fields: fields)
                // One that only looks on prints nothing.
                if !output.isEmpty { text = output }
            } catch {
                failure = .hookFailed(hook, because: "\(error)")
                logger.error("\(DictationFailure.hookFailed(hook, because: "\(error)").message)")
            }
        }
        return (text, failure)
    }

    /// Runs the hooks for the result of a dictation. Nothing waits for them.
    func tell(of state: DictationState) {
        guard !state.isPrivate, let event = Self.event(of: state) else { return }
        let due = hooks(on: event)
        guard !due.isEmpty else { return }
        Task {
            for hook in due {
                do {
                    var fields = Self.fields(of: state)
                    fields["VOICEDICTATION_RAW_TEXT"] = state.rawText
                    _ = try await run(hook, input: state.cleanedText, fields: fields)
                } catch {
                    logger.error("\(DictationFailure.hookFailed(hook, because: "\(error)").message)")
                }
            }
        }
    }

    private static func event(of state: DictationState) -> HookEvent? {
        switch state.phase {
        case .ready(.inserted) where !state.isCommand: .inserted
        case .failed: .failed
        default: nil
        }
    }

    /// The environment that a hook gets besides its own.
    static func fields(of state: DictationState) -> [String: String] {
        var fields = [
            "VOICEDICTATION_ID": state.id.description, "VOICEDICTATION_LOCALE": state.locale,
            "VOICEDICTATION_ENGINE": state.engine,
        ]
        if let window = state.target {
            fields["VOICEDICTATION_WINDOW_CLASS"] = window.windowClass
            fields["VOICEDICTATION_WINDOW_TITLE"] = window.title
        }
        if case .failed(let failure) = state.phase {
            fields["VOICEDICTATION_ERROR_CODE"] = failure.code
            fields["VOICEDICTATION_ERROR_MESSAGE"] = failure.message
        }
        return fields
    }

    /// - Returns: its output, without a newline at its end.
    private func run(
        _ hook: HookSettings, input: String, fields: [String: String]
    ) async throws -> String {
        guard let name = hook.command.first,
            let program = Executable.find((name as NSString).expandingTildeInPath)
        else {
            throw HookError.notFound(hook.command.first ?? "")
        }
        // The environment cannot hold a NUL or a long text.
        let environment = fields.mapValues { $0.replacing("\0", with: "") }
            .filter { $0.key.utf8.count + $0.value.utf8.count + 2 <= Self.longestVariable }
        let output = try await ChildProcess(
            program: program.path(percentEncoded: false), arguments: Array(hook.command.dropFirst()),
            limit: .seconds(hook.limit), outputLimit: Self.mostOutput,
            environment: environment, input: input
        ).run()
        guard let text = String(data: output, encoding: .utf8) else { throw HookError.notUTF8 }
        return text.last?.isNewline == true ? String(text.dropLast()) : text
    }
}

/// To follow a hook's name.
enum HookError: Error, Equatable, CustomStringConvertible {
    case notFound(String)
    case notUTF8

    var description: String {
        switch self {
        case .notFound(let name): "cannot run: there is no program “\(name)”"
        case .notUTF8: "wrote a text that is not UTF-8"
        }
    }
}

extension DictationFailure {
    /// The text from before the hook is used. Its arguments are not named: one may be a password.
    static func hookFailed(_ hook: HookSettings, because reason: String) -> DictationFailure {
        .init(
            code: .hookFailed,
            message: "The hook “\(hook.command.first ?? "")” (on = \"\(hook.event.rawValue)\") \(reason)",
            kept: hook.event == .cleaned ? "the text as it was before the hook" : nil)
    }
}
