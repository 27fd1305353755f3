import ArgumentParser
import DictationHost
import DictationService
import DictationSpeech
import DictationSystem
import Foundation

extension ModelsCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show installed and available models.",
            discussion: """
                “words wrong” is our measurement, of the models that we ran. The published error comes from the \
                authors of a model, mostly for LibriSpeech; the two are not comparable. --json also has the \
                attributions, the sources of the figures, and the memory that a model needs.
                """)

        @Flag(help: "Print one JSON object per line.")
        var json = false

        func run() async throws {
            try await ModelsCommand.run { _, source in
                let offers = try await ModelOffers.load(from: source)
                if json {
                    for offer in offers.all { try JSONLine.print(Line(offer)) }
                } else {
                    let table = ModelTable(offers.all)
                    for line in [table.header] + table.lines { StandardOutput.say(line) }
                    if !offers.all.contains(where: \.isInstalled), let first = offers.all.first {
                        StandardOutput.say(
                            "None is installed. Install one with: host-agent models install \(first.name)")
                    }
                }
                if let failure = offers.failure { throw failure }
            }
        }

        private struct Line: Encodable {
            let name: String
            let engine: String
            let languages: [String]
            let family: String?
            let licence: String?
            let size: Int?
            let isInstalled: Bool
            let attribution: String?
            let download: Int?
            let memory: Int?
            let publishedError: String?
            let publishedErrorSource: String?
            let measuredError: String?
            let isTried: Bool

            init(_ offer: ModelOffer) {
                name = offer.name
                engine = "sherpa-onnx"
                languages = offer.languages
                family = offer.family?.rawValue
                licence = offer.licence
                size = offer.size
                isInstalled = offer.isInstalled
                attribution = offer.attribution
                download = offer.downloadSize
                memory = offer.memory
                publishedError = offer.publishedError?.text
                publishedErrorSource = offer.publishedError?.source
                measuredError = offer.measuredError
                isTried = offer.isTried
            }
        }
    }
}
