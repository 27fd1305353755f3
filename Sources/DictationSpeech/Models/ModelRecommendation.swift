import Foundation

/// Which model suits a language and a machine.
public struct ModelRecommendation: Sendable, Equatable {
    /// The machine that runs a model.
    public struct Machine: Sendable, Equatable {
        /// Bytes, of the whole machine.
        public var memory: Int
        /// Processor cores.
        public var cores: Int

        public init(memory: Int, cores: Int) {
            self.memory = memory
            self.cores = cores
        }

        public static var current: Machine {
            Machine(
                memory: Int(clamping: ProcessInfo.processInfo.physicalMemory),
                cores: ProcessInfo.processInfo.activeProcessorCount)
        }

        /// Whether a model can run next to other programs: in a third of the memory; and one of more than 300
        /// MB, which has about half a billion weights, on four cores. On two, models of 0.1 billion weights
        /// keep up with speech, and those of 0.6 billion take about as long as somebody speaks.
        func suits(_ offer: ModelOffer) -> Bool {
            (offer.memory ?? 0) <= memory / 3
                && ((offer.downloadSize ?? offer.size ?? 0) <= 300_000_000 || cores >= 4)
        }
    }

    /// The best one.
    public let offer: ModelOffer
    /// Why: a sentence.
    public let reason: String
    /// Others that suit the machine, better ones first.
    public let alternatives: [ModelOffer]

    /// Chooses. A model that we have tried comes first, then those made for the language, then those that
    /// detect the language themselves; within each group the order of the offers counts.
    ///
    /// - Parameters:
    ///   - locale: such as "de", "de-AT" or "de_AT.UTF-8".
    ///   - machine: the machine that runs the model.
    ///   - offers: the available models, better ones first.
    /// - Returns: nil if no model knows the language and suits the machine.
    public static func choose(
        locale: String, machine: Machine, offers: [ModelOffer]
    ) -> ModelRecommendation? {
        let fitting = offers.filter {
            !$0.setsPunctuation && $0.knows(locale) && machine.suits($0)
        }
        let ranked = ranks.flatMap { rank in fitting.filter { rank == Self.rank($0, locale) } }
        guard let best = ranked.first else { return nil }
        let reason =
            if let measured = best.measuredError {
                "We tried it: \(measured) of the words are wrong in speech that it was not trained on, on every machine."
            } else if locale == SpokenLanguage.found {
                "It detects the language. We have not tried it."
            } else if best.isMade(for: locale) {
                "It is made for the language and suits this machine. We have not tried it."
            } else {
                "No model that is made for the language suits this machine. This one detects the language. "
                    + "We have not tried it."
            }
        return ModelRecommendation(offer: best, reason: reason, alternatives: Array(ranked.dropFirst()))
    }

    /// The installed model to use if none is named. It ranks them as ``choose(locale:machine:offers:)`` does;
    /// within a rank the order is that of the built-in catalogue, then the alphabet. It does not look at the
    /// machine: the user chose what to install.
    ///
    /// - Parameter models: their names and languages.
    /// - Returns: nil if no model knows the language.
    static func best(of models: [(name: String, languages: [String])], for locale: String) -> String? {
        let catalogue = (try? ModelCatalogue.builtIn().models.map(\.name)) ?? []
        return models.compactMap { model -> (rank: Int, place: Int, name: String)? in
            let isMade = model.languages.contains { $0.isLanguage(of: locale) }
            guard isMade || model.languages.contains("*") && locale != SpokenLanguage.found else {
                return nil
            }
            return (
                rank(isMade: isMade, isTried: tried.contains(model.name)),
                catalogue.firstIndex(of: model.name) ?? catalogue.count, model.name
            )
        }.min(by: <)?.name
    }

    /// The models that we have run and measured: those to which `install-engines` gives a measured error.
    static let tried: Set<String> = ["moonshine-tiny-en"]

    private static let ranks = 0...2

    private static func rank(_ offer: ModelOffer, _ locale: String) -> Int {
        rank(isMade: offer.isMade(for: locale), isTried: offer.isTried)
    }

    private static func rank(isMade: Bool, isTried: Bool) -> Int { isMade ? isTried ? 0 : 1 : 2 }
}
