import DictationBus
import DictationService
import DictationSettings
import DictationShared
import DictationSpeech
import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// Offers a better recognizer at the agent's start, and installs it if the user wants it; reports if none
/// knows the language.
actor RecognizerOffer {
    /// The key of its notification.
    static let key = "recognizer"

    private let context: AgentContext
    private let notices: DesktopNotices
    private nonisolated let answers: AsyncStream<OfferFlow.Answer>
    private var flow = OfferFlow()
    /// Set while a model is being installed.
    private var installation: Task<Void, Never>?
    private let hint = Mutex<String?>(nil)

    /// - Parameter answers: of the user, to its notification.
    init(_ context: AgentContext, notices: DesktopNotices, answers: AsyncStream<OfferFlow.Answer>) {
        self.context = context
        self.notices = notices
        self.answers = answers
    }

    /// A hint that the overlay shows in one dictation, until there are words; given once.
    nonisolated func takeHint() -> String? {
        hint.withLock { hint in
            defer { hint = nil }
            return hint
        }
    }

    func stop() async {
        installation?.cancel()
        await installation?.value
    }

    /// Checks once, in the background.
    func advise() async {
        guard let advice = await RecognizerAdvice.load(context.settings.current) else { return }
        context.logger.warning("\(advice.finding). \(advice.remedy)")
        let settings = context.settings.current.notices
        switch advice {
        case .better(let model):
            hint.withLock { $0 = "Better recognition: dictstate setup (\(model.size))" }
            let isWanted = settings.isShown && settings.offersRecognizer
            handle(.advised(model, isQuiet: !isWanted || quietTime.contains(Date())))
        case .languageUnknown:
            guard settings.isShown else { return }
            notices.show(
                DesktopNotice(
                    summary: "Dictations cannot be recognized", body: "\(advice.finding).\n\(advice.remedy)"),
                as: Self.key)
        }
    }

    /// Carries out the user's answers, until the agent stops.
    nonisolated func followAnswers() async {
        for await answer in answers.cancelOnGracefulShutdown() { await handle(.answered(answer)) }
    }

    private var quietTime: QuietTime { QuietTime(url: context.group.recognizerOffer) }

    private func handle(_ event: OfferFlow.Event) {
        for effect in flow.handle(event) {
            switch effect {
            case .show(let notice): notices.show(notice, as: Self.key)
            case .close: notices.close(Self.key)
            case .install(let name): install(name)
            case .beQuiet(let time):
                do {
                    try quietTime.extend(to: Date(timeIntervalSinceNow: time / .seconds(1)))
                } catch {
                    context.logger.warning("the offer of a recognizer cannot be recorded: \(error)")
                }
            }
        }
    }

    /// Ends with this agent; a partial download is kept, and the next installation continues from there.
    private func install(_ name: String) {
        let models = context.settings.current.models
        let installer = ModelInstaller(
            source: ModelSource(catalogue: models.catalogue, address: models.address), trial: .byThisProgram)
        context.logger.notice("installing \(name), as was asked for in the notification")
        installation = Task {
            do {
                for try await progress in installer.install(name) {
                    handle(.progressed(progress.fraction, progress.text))
                }
                guard !Task.isCancelled else { return }
                hint.withLock { $0 = nil }
                context.logger.notice("\(name) is installed")
                handle(.installed)
            } catch {
                guard !Task.isCancelled else { return }
                context.logger.error("\(name) could not be installed: \(error)")
                handle(.failed(reason: error.story))
            }
        }
    }
}
