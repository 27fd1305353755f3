import ArgumentParser
import DictationService
import DictationSpeech
import DictationSystem
import Foundation
import Glibc

struct SpeechCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "speech",
        abstract: "Measure how well and how soon recordings are recognized, spoken as into a microphone.",
        discussion: """
            DIR holds recordings and transcripts.tsv: a line for each, its name, a tab, and what is said. They are \
            spoken in real time, one after another, as by one user into one microphone.
            """)

    @Option(help: ArgumentHelp("The folder of the recordings.", valueName: "DIR"))
    var data: String

    @Option(help: "The recognizer.")
    var engine = Engine.pocketsphinx

    @Option(
        help: ArgumentHelp(
            "With sherpa-onnx: a model's name, or its folder. With remote: the server's name for it.",
            valueName: "MODEL"))
    var model: String?

    @Option(help: "With sherpa-onnx: processors to use; 0 for as many as make sense.")
    var threads = 0

    @Option(
        help: ArgumentHelp(
            "With remote: where a server with OpenAI's interface is, as in http://127.0.0.1:8000/v1.",
            valueName: "URL"))
    var address: String?

    @Option(
        help: ArgumentHelp("With remote: the file of the key, if the server wants one.", valueName: "FILE"))
    var keyFile: String?

    enum Engine: String, ExpressibleByArgument, CaseIterable {
        case pocketsphinx
        case sherpaOnnx = "sherpa-onnx"
        case remote
    }

    @Option(help: "Use only the first N recordings.")
    var limit: Int?

    @Flag(
        help:
            "Speak for 30 to 100 s without a pause: the recordings whose names agree up to the last underscore are joined, and their pauses left out."
    )
    var joined = false

    @Option(help: "With --joined: only this half of each speaker's recordings.")
    var half: JoinedRecordings.Half?

    @Flag(
        help:
            "Do not speak in real time: the error rate and the processor time are the same, and there are no delays."
    )
    var unpaced = false

    @Flag(help: "Also a line for each recording.")
    var byFile = false

    @Flag(help: "Print one JSON object; times in ms.")
    var json = false

    func validate() throws {
        guard limit ?? 1 > 0 else { throw ValidationError("--limit takes a number above 0.") }
        guard engine != .sherpaOnnx || model != nil else {
            throw ValidationError("--engine sherpa-onnx needs a --model.")
        }
        guard half == nil || joined else { throw ValidationError("--half is of use with --joined.") }
        guard (engine == .remote) == (address != nil) else {
            throw ValidationError("--engine remote needs an --address, and no other one takes it.")
        }
    }

    func run() async throws {
        try await BenchCommand.runAndWait {
            let single = try SpeechBenchmark.items(in: URL(filePath: data, directoryHint: .isDirectory))
            let items = joined ? try JoinedRecordings.items(single, half: half) : single
            guard !items.isEmpty else {
                throw CommandProblem(
                    status: .failed, message: "\(data) has too little speech of any one speaker to be joined."
                )
            }
            let report = try await SpeechBenchmark(
                recognizer: recognizer, isPaced: !unpaced, progress: Self.progress()
            ).run(Array(items.prefix(limit ?? items.count)))
            if json { try JSONOutput.print(report) } else { printTable(report) }
        }
    }

    private var recognizer: any SpeechRecognizer {
        if let address {
            let key = keyFile.map { RemoteConfiguration.KeySource.file(URL(filePath: $0).path) } ?? .none
            return RemoteRecognizer(
                RemoteConfiguration(address: address, model: model ?? "whisper-1", key: key),
                engines: .standard())
        }
        guard engine == .sherpaOnnx, let model else { return PocketSphinxRecognizer() }
        // A relative path is one of this folder, a name one of the installed models.
        let folder = URL(filePath: model, directoryHint: .isDirectory).absoluteURL
        let isFolder = model.contains("/")
        var configuration = SherpaConfiguration(
            model: isFolder ? folder.path(percentEncoded: false) : model)
        configuration.threads = threads
        // A model that ends the process ends the measurement, and nothing else.
        return SherpaRecognizer(configuration, trial: nil)
    }

    /// A line on a terminal that is written over again and again; nothing elsewhere.
    static func progress() -> (String) -> Void {
        guard isatty(STDERR_FILENO) == 1 else { return { _ in } }
        return { StandardStreams.complain("\r\u{1B}[K\($0)") }
    }

    private func printTable(_ report: SpeechBenchmark.Report) {
        func row(_ name: String, _ value: String) {
            print(Columns.line([name, value], first: 34, others: 16))
        }
        func delay(_ delay: SpeechBenchmark.Report.Delay) -> String {
            "\(Columns.number(delay.p50)) / \(Columns.number(delay.p95))"
        }
        if byFile {
            print(Columns.line(["file", "seconds", "words", "errors", "final ms"], first: 28, others: 9))
            for file in report.files {
                let final = file.final.map(Columns.number) ?? ""
                let cells = [
                    file.file, Columns.number(file.seconds), "\(file.words)", "\(file.errors)", final,
                ]
                print(Columns.line(cells, first: 28, others: 9) + "  \(file.text)")
            }
            print("")
        }
        print("\(report.engine): \(report.files.count) recordings, \(Columns.number(report.seconds)) s")
        row("word error rate, %", Columns.number(report.wordErrorRate))
        row("processor time / sound", String(format: "%.3f", report.realTimeFactor))
        if let first = report.firstPartial { row("onset → first words, ms, p50 / p95", delay(first)) }
        if let final = report.final { row("end → last words, ms, p50 / p95", delay(final)) }
        row("loading the model, ms", Columns.number(report.load))
        row("memory, MiB", Columns.number(Double(report.residentKiB) / 1024))
    }
}
