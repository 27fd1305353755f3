import ArgumentParser
import DictationService
import DictationSettings
import DictationSpeech
import Foundation

struct LiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "live",
        abstract:
            "Measure how soon words could be typed while somebody speaks, and how many are otherwise in the end.",
        discussion: """
            DIR holds recordings and transcripts.tsv, as for dictation-bench speech. They are spoken in real time; and \
            once more as fast as they are taken, for the texts without live typing.
            """)

    @Option(help: "The folder of the recordings.", completion: .directory)
    var data: String

    @Option(help: "With sherpa-onnx: a model's name, or its folder. Without it, PocketSphinx recognizes.")
    var model: String?

    @Option(help: "Which words are typed early.")
    var live = Mode.words

    @Flag(help: "Typed words may be corrected, as with insert.live-revise.")
    var revise = false

    @Option(help: "Speak only every other recording: one half to choose by, the other to measure with.")
    var half: Half?

    @Option(help: "Use only the first N recordings.")
    var limit: Int?

    @Flag(help: "Print one JSON object; times in ms.")
    var json = false

    enum Mode: String, ExpressibleByArgument, CaseIterable { case segments, words }

    enum Half: String, ExpressibleByArgument, CaseIterable { case even, odd }

    func validate() throws {
        guard limit ?? 1 > 0 else { throw ValidationError("--limit takes a number above 0.") }
    }

    func run() async throws {
        try await BenchCommand.runAndWait {
            let all = try SpeechBenchmark.items(in: URL(filePath: data, directoryHint: .isDirectory))
            let items = all.enumerated().filter { number, _ in
                half.map { number.isMultiple(of: 2) == ($0 == .even) } ?? true
            }.map(\.element)
            let report = try await LiveBenchmark(
                recognizer: recognizer, mode: live == .words ? .words : .segments, mayRevise: revise,
                progress: SpeechCommand.progress()
            ).run(Array(items.prefix(limit ?? items.count)))
            if json { try JSONOutput.print(report) } else { printTable(report) }
        }
    }

    private var recognizer: any SpeechRecognizer {
        guard let model else { return PocketSphinxRecognizer() }
        let folder = URL(filePath: model, directoryHint: .isDirectory).absoluteURL
        return SherpaRecognizer(
            SherpaConfiguration(model: model.contains("/") ? folder.path(percentEncoded: false) : model),
            trial: nil)
    }

    private func printTable(_ report: LiveBenchmark.Report) {
        func row(_ name: String, _ value: String) {
            print(Columns.line([name, value], first: 46, others: 16))
        }
        func percent(_ value: Double) -> String { String(format: "%.1f", value) }
        let way = "live = \(report.live)\(report.mayRevise ? ", live-revise" : "")"
        print(
            "\(report.engine), \(way): \(report.recordings) recordings, \(Columns.number(report.seconds)) s")
        if let delay = report.delay {
            row(
                "end of a word → given out, ms, p50 / p95",
                "\(Columns.number(delay.p50)) / \(Columns.number(delay.p95))")
        }
        row("words given out before the end, %", percent(report.early))
        row("of recordings over \(Int(LiveBenchmark.long)) s", percent(report.earlyOfLong))
        row("of these different without live typing, %", percent(report.wrong))
        if report.mayRevise { row("of all words, removed again, %", percent(report.removed)) }
        row(
            "word error rate, %, with / without",
            "\(percent(report.wordErrorRate)) / \(percent(report.wordErrorRateWithout))")
        row(
            "processor time / sound, with / without",
            String(format: "%.3f / %.3f", report.processorTime, report.processorTimeWithout))
    }
}
