import DictationSpeech
import Foundation

extension SetupModel {
    /// A model as a line of the table.
    struct Row: Equatable {
        let name: String
        var languages = ""
        /// What is to be fetched.
        var size = ""
        var license = ""
        /// Words wrong, as its authors say.
        var published = ""
        /// "by us: 9 %", or nothing.
        var tried = ""
        var isInstalled = false
        var isRecommended = false

        private var columns: [String] {
            let state = isInstalled ? "installed" : size
            return [name, languages, state, license, published, tried]
        }

        private static let heads = [
            "name", "languages", "to fetch", "license", "published error", "tried by us",
        ]

        static func header(among rows: [Row]) -> String { padded(heads, among: rows) }

        func line(among rows: [Row]) -> String {
            Self.padded(columns, among: rows) + (isRecommended ? "  ← recommended" : "")
        }

        private static func padded(_ columns: [String], among rows: [Row]) -> String {
            let all = rows.map(\.columns) + [heads]
            let padded = columns.enumerated().map { index, text in
                text.padding(
                    toLength: all.map { $0[index].count }.max() ?? 0, withPad: " ", startingAt: 0)
            }
            return padded.joined(separator: "  ")
        }
    }
}
