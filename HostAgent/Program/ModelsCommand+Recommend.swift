import ArgumentParser
import DictationHost
import DictationService
import DictationSettings
import DictationSpeech
import Foundation

extension ModelsCommand {
    struct Recommend: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Recommend a model for a language and this machine.",
            discussion: """
                Chooses by language, memory and cores, and prefers models that we have tried. Exit code 2: no model \
                knows the language.
                """)

        @Option(help: ArgumentHelp("The language. (default: that of the settings)", valueName: "de"))
        var language: String?

        @Flag(help: "Print a JSON object.")
        var json = false

        private struct Answer: Encodable {
            let name: String
            let reason: String
            let bytesToFetch: Int
            let isInstalled: Bool
            let isTried: Bool
            let alternatives: [String]
        }

        func run() async throws {
            try await ModelsCommand.run { _, source in
                let settings = SettingsFile.standard().loadWhatCanBeRead()?.values ?? Settings()
                let locale = language ?? settings.speech.locale
                let offers = try await ModelOffers.load(from: source)
                if let failure = offers.failure { Complaint.say(failure) }
                guard
                    let choice = ModelRecommendation.choose(
                        locale: locale, machine: .current, offers: offers.all)
                else {
                    Complaint.say(
                        SpokenLanguage.mayExist(locale)
                            ? "No model is known for “\(locale)” that suits this machine."
                            : "“\(locale)” is not the code of a language. Write it as in de or pt-BR (ISO 639)."
                    )
                    throw ExitStatus.nothingThere.exitCode
                }
                let bytes = offers.bytesToFetch(choice.offer)
                guard !json else {
                    return try JSONLine.print(
                        Answer(
                            name: choice.offer.name, reason: choice.reason, bytesToFetch: bytes,
                            isInstalled: choice.offer.isInstalled, isTried: choice.offer.isTried,
                            alternatives: choice.alternatives.map(\.name)))
                }
                StandardOutput.say("\(choice.offer.name): \(choice.reason)")
                if choice.offer.isInstalled {
                    print("It is installed.")
                } else {
                    let size = String(format: "%.0f MB", Double(bytes) / 1e6)
                    StandardOutput.say(
                        "Install it (\(size) to fetch) with: host-agent models install \(choice.offer.name)")
                }
                if !choice.alternatives.isEmpty {
                    print("Others, which we have not tried:")
                    let table = ModelTable(choice.alternatives)
                    for line in [table.header] + table.lines { StandardOutput.say(line) }
                }
            }
        }
    }
}
