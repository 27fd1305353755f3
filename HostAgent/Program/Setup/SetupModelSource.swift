import DictationHost
import DictationSettings
import DictationSpeech
import Foundation

/// Where the models come from.
extension SetupModel {
    private static var source: ModelSource {
        let models = SetupSteps.settings.models
        return ModelSource(catalogue: models.catalogue, address: models.address)
    }

    static func offers() async -> [ModelOffer] {
        // It throws only where nobody waits for the answer any more.
        (try? await ModelOffers.load(from: source))?.all ?? []
    }

    /// The recommended one first, then those that suit this machine as well, then the rest.
    static func table(for locale: String) async -> [Row] {
        guard let offers = try? await ModelOffers.load(from: source) else { return [] }
        let best = ModelRecommendation.choose(locale: locale, machine: .current, offers: offers.all)
        let first = best.map { [$0.offer] + $0.alternatives } ?? []
        let rest = offers.all.filter { offer in
            !offer.setsPunctuation && offer.knows(locale) && !first.contains { $0.name == offer.name }
        }
        return (first + rest).map { offer in
            // A model for every language names them all.
            let languages = offer.languages.count > 4 ? "\(offer.languages.count) languages" : nil
            return Row(
                name: offer.name, languages: languages ?? offer.languages.joined(separator: ","),
                size: "\(offers.bytesToFetch(offer) / 1_000_000) MB", license: offer.licence ?? "",
                published: offer.publishedError?.text ?? "", tried: offer.measuredError ?? "",
                isInstalled: offer.isInstalled, isRecommended: offer.name == best?.offer.name)
        }
    }

    /// Shows how far it is, until it is installed.
    static func install(_ name: String, _ context: SetupWalk.Context) async throws {
        let width = 30
        let installer = ModelInstaller(source: source, trial: .byThisProgram)
        for try await progress in installer.install(name) {
            let full = Int((min(max(progress.fraction, 0), 1) * Double(width)).rounded())
            let bar = String(repeating: "█", count: full) + String(repeating: "░", count: width - full)
            context.show("\(bar) \(progress.text)")
        }
        try Task.checkCancellation()
    }
}
