import ArgumentParser
import DictationHost
import DictationService
import DictationSpeech
import DictationSystem
import Foundation

extension ModelsCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the models that are installed, and those that can be (the default).",
            discussion: """
                Error rates are those that the authors of a model give, mostly for LibriSpeech, and are not comparable \
                with what we measured. “tried” says that we ran and measured it. --json has the attributions as well, \
                the sources of the figures, and the memory that a model needs.
                """)

        @Flag(help: "Print one JSON object a line.")
        var json = false

        func run() async throws {
            try await ModelsCommand.run { _, source in
                let offers = try await ModelOffers.load(from: source)
                if json {
                    for offer in offers.all { print(try ModelsCommand.json(Line(offer))) }
                } else {
                    for line in Self.table(offers.all) { print(line) }
                    if !offers.all.contains(where: \.isInstalled), let first = offers.all.first {
                        print("None is installed. Install one with: host-agent models install \(first.name)")
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

        static func table(_ offers: [ModelOffer]) -> [String] {
            let head = ["", "model", "languages", "download", "license", "published error", "tried by us"]
            let rows = offers.map { offer in
                [
                    offer.isInstalled ? "installed" : "", offer.name, languages(offer),
                    offer.downloadSize.map { String(format: "%.0f MB", Double($0) / 1e6) } ?? "",
                    offer.licence ?? "", offer.publishedError?.text ?? "",
                    offer.measuredError.map { "\($0) of words wrong" } ?? "",
                ]
            }
            let widths = head.indices.map { column in
                ([head] + rows).map { columns(of: $0[column]) }.max() ?? 0
            }
            return ([head] + rows).map { row in
                let cells = zip(row, widths).map { cell, width in
                    cell + String(repeating: " ", count: width - columns(of: cell))
                }
                return cells.joined(separator: "  ").replacing(/\s+$/, with: "")
            }
        }

        private static func columns(of text: String) -> Int {
            text.map(\.terminalColumns).reduce(0, +)
        }

        private static func languages(_ offer: ModelOffer) -> String {
            if offer.languages.contains("*") { return "many" }
            guard offer.languages.count > 4 else { return offer.languages.joined(separator: " ") }
            return offer.languages.prefix(3).joined(separator: " ") + " and \(offer.languages.count - 3) more"
        }
    }

    static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
