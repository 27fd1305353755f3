import DictationService
import DictationSettings
import DictationShared
import Foundation

/// A sentence dictated with the real agents, received by this command, and not typed.
enum SetupTest {
    private static let again = "dictstate setup test"

    static func look(_ context: SetupWalk.Context) -> SetupFlow.Look {
        if context.isUnattended {
            let text = "needs somebody who speaks"
            return .outcome(SetupFlow.Outcome(kind: .skipped, text: text, command: again))
        }
        guard let group = try? group, let holder = try? RoleLock.holder(of: .host, in: group),
            holder.pid != nil
        else {
            return .outcome(
                SetupFlow.Outcome(
                    kind: .missing, text: "host-agent does not run", command: "dictstate setup agents test"))
        }
        let choice = SetupFlow.Choice(value: "", label: "record a sentence; press Enter again to stop")
        return .question(SetupFlow.Question(text: "", choices: [choice]))
    }

    static func dictate(_ context: SetupWalk.Context) async -> SetupFlow.Outcome {
        do {
            return try await dictation(context)
        } catch {
            return SetupFlow.Outcome(kind: .missing, text: "\(error)", command: again)
        }
    }

    private static var group: AppGroup {
        get throws { try AppGroup(folder: AppGroup.folder(named: SetupSteps.settings.group.folder)) }
    }

    private static func dictation(_ context: SetupWalk.Context) async throws -> SetupFlow.Outcome {
        let store = try StateStore(group: try group)
        let start = try store.submit(.record(.start()))
        let finish = context.finish
        // By Enter.
        let stopping = Task {
            for await _ in finish {}
            if !Task.isCancelled { _ = try store.submit(.record(.stop(isHeld: true))) }
        }
        defer { stopping.cancel() }
        var id: DictationID?
        let changes = StateWatcher.changes(of: store, since: start.revision - 1, where: { _ in true })
        for try await changes in changes {
            for intent in changes.intents where intent.id == start.id {
                if case .refused(let reason) = intent.phase { throw Refusal(description: reason) }
                if case .done(_, let dictation) = intent.phase { id = dictation }
            }
            guard let id, let state = changes.dictations.last(where: { $0.id == id }) else { continue }
            switch state.phase {
            case .starting: context.show("opening the microphone")
            case .recording:
                context.show("Speak now; Enter ends it.  \(state.partialText.suffix(60))")
            case .processing: context.show(state.partialText)
            case .ready(.held(.askedFor)):
                try store.apply(.handedOver, to: id)
                return SetupFlow.Outcome(kind: .set, text: "heard: “\(state.cleanedText)”")
            case .failed(let failure): throw Refusal(description: failure.message)
            case .cancelled: throw Refusal(description: "the dictation was canceled")
            case .ready:
                return SetupFlow.Outcome(kind: .set, text: "heard: “\(state.cleanedText)”")
            }
        }
        // This step is left, and the recording with it. If it ends otherwise, the current recording is not
        // its own.
        if Task.isCancelled { _ = try store.submit(.record(.cancel)) }
        throw Refusal(description: "host-agent does not answer")
    }

    private struct Refusal: Error, CustomStringConvertible { let description: String }
}
