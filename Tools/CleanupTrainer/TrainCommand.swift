import ArgumentParser
import CleanupSets
import DictationText
import Foundation
import SelfCorrection

@main
struct TrainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "train-cleanup",
        abstract: "Learn the weights of the clean-up's self-corrections, and write them as files.",
        discussion: """
            FILE has the columns disfluent and fluent, as Disfl-QA's train.tsv. Sentences that are made from \
            templates of dictation are added to it. The same input gives the same weights.
            """)

    @Option(help: "The folder for weights.txt and classes.txt.", completion: .directory)
    var output: String

    @Option(help: "How many made sentences to add.")
    var made = 12_000

    @Option(help: "Passes over the data.")
    var passes = 12

    @Option(help: "The size of a step.")
    var rate: Float = 0.02

    @Option(help: "Fluent texts, one a line, in which nothing is to go.", completion: .file())
    var fluent: [String] = []

    @Argument(help: "Pairs to learn from.")
    var file: [String]

    func run() throws {
        let pairs = try file.flatMap { path in
            guard let set = try CleanupSet.read(URL(filePath: path), name: path), set.kind == .disfluencies
            else { throw ValidationError("\(path) has no columns disfluent and fluent.") }
            return set.pairs
        }
        let fluent = try fluent.flatMap { path in
            try String(contentsOf: URL(filePath: path), encoding: .utf8).split(whereSeparator: \.isNewline)
                .map(String.init)
        }
        let classes = CorrectionLessons.classes(of: pairs).learn()
        var trainer = CorrectionTrainer(language: .english, classes: WordClasses(classes))
        trainer.passes = passes
        trainer.rate = rate
        CorrectionLessons.teach(&trainer, pairs: pairs, fluent: fluent, made: made)
        Self.tell("\(trainer.count) texts with candidates, \(trainer.skipped) left out")
        trainer.train { pass, loss in Self.tell("pass \(pass): \(String(format: "%.4f", loss))") }
        let model = CorrectionModel(weights: trainer.weights, classes: WordClasses(classes))
        try Self.write(Self.lines(model.text), to: "weights.txt", in: output)
        try Self.write(classes.map(Self.wrapped), to: "classes.txt", in: output)
    }

    private static func tell(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }

    private static let lineLength = 100

    private static func write(_ lines: [String], to name: String, in folder: String) throws {
        let file = URL(filePath: folder, directoryHint: .isDirectory).appending(path: name)
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
    }

    private static func lines(_ text: String) -> [String] {
        let characters = Array(text)
        return stride(from: 0, to: characters.count, by: lineLength).map { start in
            String(characters[start..<min(start + lineLength, characters.count)])
        }
    }

    /// A class in lines, with a semicolon behind it.
    private static func wrapped(_ words: [String]) -> String {
        var lines = [""]
        for word in words {
            if (lines.last ?? "").count + word.count >= lineLength { lines.append("") }
            lines[lines.count - 1] += (lines.last == "" ? "" : " ") + word
        }
        return lines.joined(separator: "\n") + ";"
    }
}
