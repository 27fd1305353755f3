import DictationSpeech
import DictationSystem
import Foundation

/// Models as lines of equal columns. The columns that matter most come first: a narrow terminal cuts the last ones.
struct ModelTable {
    let header: String
    /// One line for each model, in the order of the offers.
    let lines: [String]

    /// `bytesToFetch` is what an installation of the model fetches; nil if that is not known.
    init(_ offers: [ModelOffer], bytesToFetch: (ModelOffer) -> Int? = { $0.downloadSize }) {
        let head = ["model", "words wrong", "languages", "download", "license", "published error"]
        let rows = offers.map { offer in
            let size = bytesToFetch(offer).map { String(format: "%.0f MB", Double($0) / 1e6) }
            return [
                offer.name, offer.measuredError ?? "not tried", Self.languages(of: offer),
                offer.isInstalled ? "installed" : size ?? "", offer.licence ?? "",
                offer.publishedError?.text ?? "",
            ].map(\.displaySafeLine)
        }
        let widths = head.indices.map { column in
            ([head] + rows).map { Self.width(of: $0[column]) }.max() ?? 0
        }
        func line(_ cells: [String]) -> String {
            zip(cells, widths).map { cell, width in
                cell + String(repeating: " ", count: width - Self.width(of: cell))
            }.joined(separator: "  ").replacing(/\s+$/, with: "")
        }
        header = line(head)
        lines = rows.map(line)
    }

    private static func width(of text: String) -> Int {
        text.map(\.terminalColumns).reduce(0, +)
    }

    private static func languages(of offer: ModelOffer) -> String {
        if offer.languages.contains("*") { return "many" }
        guard offer.languages.count > 4 else { return offer.languages.joined(separator: " ") }
        return "\(offer.languages.count) languages"
    }
}
