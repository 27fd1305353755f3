import ArgumentParser
import DictationService
import DictationText
import Foundation

struct TrainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "train",
        abstract: "Learn the weights of the clean-up's self-corrections, and write them as a Swift file.",
        discussion: """
            FILE has the columns disfluent and fluent, as Disfl-QA's train.tsv. Sentences that are made from \
            templates of dictation are added to it. The same input gives the same weights.
            """)

    @Option(help: "The Swift file to write.", completion: .file())
    var output: String

    @Option(help: "How many made sentences to add.")
    var made = 24_000

    @Option(help: "Passes over the data.")
    var passes = 12

    @Option(help: "The size of a step.")
    var rate: Float = 0.02

    @Argument(help: "Pairs to learn from.")
    var file: [String]

    func run() throws {
        try BenchCommand.run {
            var trainer = CorrectionTrainer(language: .english)
            trainer.passes = passes
            trainer.rate = rate
            var generator = SplitMix(state: 1)
            for path in file {
                guard let set = try CleanupSet.read(URL(filePath: path), name: path),
                    set.kind == .disfluencies
                else {
                    throw Problem(status: .failed, message: "\(path) has no columns disfluent and fluent.")
                }
                for pair in set.pairs {
                    trainer.add(said: pair.spoken, meant: pair.written)
                    trainer.add(said: pair.written, meant: pair.written)
                    // As a recogniser without capitals and marks would have written it.
                    trainer.add(said: Self.bare(pair.spoken), meant: Self.bare(pair.written))
                    trainer.add(said: Self.bare(pair.written), meant: Self.bare(pair.written))
                }
            }
            for _ in 0..<made {
                let pair = MadeCorrections.pair(using: &generator)
                trainer.add(said: pair.spoken, meant: pair.written)
            }
            StandardError.write("\(trainer.count) texts with candidates, \(trainer.skipped) left out\n")
            trainer.train { pass, loss in
                StandardError.write("pass \(pass): \(String(format: "%.4f", loss))\n")
            }
            try trainer.model.swiftFile.write(toFile: output, atomically: true, encoding: .utf8)
        }
    }

    private static func bare(_ text: String) -> String {
        String(text.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "'" || $0 == "-" })
    }
}

extension CorrectionModel {
    /// The weights as the text that ``CorrectionModel/init(text:)`` reads.
    fileprivate var swiftFile: String {
        let characters = Array(text)
        let lines = stride(from: 0, to: characters.count, by: 100).map { start in
            "        " + characters[start..<min(start + 100, characters.count)].map(String.init).joined()
        }
        return """
            // Made by `dictation-bench train`; docs/clean-up.md says from what. Not to be edited.
            // swift-format-ignore-file
            extension CorrectionModel {
                static let shippedText: StaticString = \"\"\"
            \(lines.joined(separator: "\n"))
                    \"\"\"
            }

            """
    }
}
