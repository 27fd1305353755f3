import DictationBus
import DictationService
import DictationSettings
import DictationShared
import DictationSpeech
import DictationViews
import Foundation
import Logging

/// What the agent says at its start of a recognizer that is not the best, or knows not the language.
extension DictationAgent {
    /// The key of its notification.
    static let offerKey = "recognizer"

    /// Looks once, beside all else.
    func advise() async {
        guard let advice = await RecognizerAdvice.load(context.settings.current) else { return }
        context.logger.warning("\(advice.finding). \(advice.remedy)")
        let settings = context.settings.current.notices
        switch advice {
        case .better(let model):
            hint = "Better recognition: dictstate setup (\(model.size))"
            let isWanted = settings.isShown && settings.offersRecognizer
            handle(.advised(model, isQuiet: !isWanted || quietTime.contains(Date())))
        case .languageUnknown:
            guard settings.isShown else { return }
            notices.show(
                DesktopNotice(
                    summary: "Dictations cannot be recognized", body: "\(advice.finding).\n\(advice.remedy)"),
                as: Self.offerKey)
        }
    }

    private var quietTime: QuietTime { QuietTime(url: context.group.recognizerOffer) }

    func handle(_ event: OfferFlow.Event) {
        for effect in offerFlow.handle(event) {
            switch effect {
            case .show(let notice): notices.show(notice, as: Self.offerKey)
            case .close: notices.close(Self.offerKey)
            case .install(let name): install(name)
            case .beQuiet(let time):
                do {
                    try quietTime.extend(to: Date(timeIntervalSinceNow: time / .seconds(1)))
                } catch {
                    context.logger.warning("that the recognizer was offered cannot be noted: \(error)")
                }
            }
        }
    }

    /// Ends with this agent; what has come is kept, and the next installation goes on from there.
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
                hint = nil
                context.logger.notice("\(name) is installed")
                handle(.installed)
            } catch {
                guard !Task.isCancelled else { return }
                context.logger.error("\(name) could not be installed: \(error)")
                handle(.failed(reason: "\(error)"))
            }
        }
    }
}
