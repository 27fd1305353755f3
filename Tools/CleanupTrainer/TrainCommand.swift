import ArgumentParser
import CleanupSets
import DictationText
import Foundation
import SelfCorrection

@main
struct TrainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "train-cleanup",
        abstract: "Learn the weights of the clean-up, and write them as files.",
        discussion: """
            FILE has the columns disfluent and fluent, as Disfl-QA's train.tsv. Self-corrections are learned from it, \
            from sentences that are made from templates of dictation, and from --fluent. The marks of bare words are \
            learned from its fluent column, from --marked, --talk and --orders. The same input gives the same weights.
            """)

    enum Part: String, CaseIterable, ExpressibleByArgument {
        case corrections
        case marks
    }

    @Option(
        help: "The folder for weights.txt and classes.txt, marks.bin and questions.txt.",
        completion: .directory)
    var output: String

    @Option(help: "Learn only this.")
    var only: Part?

    @Option(help: "How many made sentences to add.")
    var made = 12_000

    @Option(help: "Fluent texts, one a line, in which nothing is to go.", completion: .file())
    var fluent: [String] = []

    @Option(help: "Texts with all their marks, one a line.", completion: .file())
    var marked: [String] = []

    @Option(help: "The same of talk, of which only the stops are learned.", completion: .file())
    var talk: [String] = []

    @Option(help: "Sentences without marks, one a line, whose ends are learned.", completion: .file())
    var orders: [String] = []

    @Option(help: "How often the network sees each text.")
    var passes = 4

    @Option(
        help: "Marked words, one a line, to measure the thresholds of the marks with.", completion: .file())
    var measure: [String] = []

    @Argument(help: "Pairs to learn from.")
    var file: [String]

    func run() throws {
        let pairs = try file.flatMap { path in
            guard let set = try CleanupSet.read(URL(filePath: path), name: path), set.kind == .disfluencies
            else { throw ValidationError("\(path) has no columns disfluent and fluent.") }
            return set.pairs
        }
        if only != .marks { try learnCorrections(pairs) }
        if only != .corrections { try learnMarks(pairs) }
    }

    private func learnMarks(_ pairs: [CleanupSet.Pair]) throws {
        let texts = try pairs.map(\.written) + marked.flatMap(Self.lines(of:))
        var lessons = MarkLessons(language: .english)
        for text in texts { lessons.add(text) }
        for text in try talk.flatMap(Self.lines(of:)) { lessons.add(text, isTalk: true) }
        let questions = lessons.questions()
        // Found on the development parts. There are so many examples that hiding features only blurs them.
        let learner = WeightLearner(passes: 6, rate: 0.05, dropout: 0)
        let weights = HashedWeights(
            learner.weights(of: questions, size: MarkModel.size, report: Self.tell))
        try Self.write(Self.wrapped(weights.text), to: "questions.txt", in: output)
        lessons.add(orders: try orders.flatMap(Self.lines(of:)))
        Self.tell("\(lessons.words.count) words, \(questions.count) sentences")
        let network = lessons.network(passes: passes) { Self.tell(pass: Int($0), loss: $1) }
        guard let network else { throw ExitCode.failure }
        let file = URL(filePath: output, directoryHint: .isDirectory).appending(path: "marks.bin")
        try Data(network.bytes).write(to: file)
        for path in measure {
            guard let set = try CleanupSet.read(URL(filePath: path), name: path) else { continue }
            for line in MarkChoice(set: set, network: network, questions: weights).lines { print(line) }
        }
    }

    private func learnCorrections(_ pairs: [CleanupSet.Pair]) throws {
        let fluent = try fluent.flatMap(Self.lines(of:))
        let classes = CorrectionLessons.classes(of: pairs).learn()
        var trainer = CorrectionTrainer(language: .english, classes: WordClasses(classes))
        CorrectionLessons.teach(&trainer, pairs: pairs, fluent: fluent, made: made)
        Self.tell("\(trainer.count) texts with candidates, \(trainer.skipped) left out")
        let weights = HashedWeights(trainer.weights(report: Self.tell))
        try Self.write(Self.wrapped(weights.text), to: "weights.txt", in: output)
        try Self.write(classes.map(Self.wrapped), to: "classes.txt", in: output)
    }

    private static func tell(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }

    private static func tell(pass: Int, loss: Double) {
        tell("pass \(pass): \(String(format: "%.4f", loss))")
    }

    private static func lines(of path: String) throws -> [String] {
        try String(contentsOf: URL(filePath: path), encoding: .utf8).split(whereSeparator: \.isNewline)
            .map(String.init)
    }

    private static let lineLength = 100

    private static func write(_ lines: [String], to name: String, in folder: String) throws {
        let file = URL(filePath: folder, directoryHint: .isDirectory).appending(path: name)
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: file)
    }

    private static func wrapped(_ text: String) -> [String] {
        let characters = Array(text)
        return stride(from: 0, to: characters.count, by: lineLength).map { start in
            String(characters[start..<min(start + lineLength, characters.count)])
        }
    }

    /// A class in lines, with a semicolon after it.
    private static func wrapped(_ words: [String]) -> String {
        var lines = [""]
        for word in words {
            if (lines.last ?? "").count + word.count >= lineLength { lines.append("") }
            lines[lines.count - 1] += (lines.last == "" ? "" : " ") + word
        }
        return lines.joined(separator: "\n") + ";"
    }
}
