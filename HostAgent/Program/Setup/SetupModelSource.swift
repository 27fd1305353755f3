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
        // It throws only if the answer is no longer waited for.
        (try? await ModelOffers.load(from: source))?.all ?? []
    }

    /// The recommended one first, then those that suit this machine as well, then the rest. As a table, whose lines are
    /// in the order of the names.
    static func table(for locale: String) async -> (names: [String], table: ModelTable)? {
        guard let offers = try? await ModelOffers.load(from: source) else { return nil }
        let best = ModelRecommendation.choose(locale: locale, machine: .current, offers: offers.all)
        let first = best.map { [$0.offer] + $0.alternatives } ?? []
        let rest = offers.all.filter { offer in
            !offer.setsPunctuation && offer.knows(locale) && !first.contains { $0.name == offer.name }
        }
        let sorted = first + rest
        guard !sorted.isEmpty else { return nil }
        return (sorted.map(\.name), ModelTable(sorted) { offers.bytesToFetch($0) })
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
