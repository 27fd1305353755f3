import ArgumentParser
import CleanupSets
import DictationService
import DictationSystem
import DictationText
import Foundation
import Glibc

struct CleanupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cleanup",
        abstract: "Measure the clean-up on sets of texts.",
        discussion: """
            DIR may hold, in any folders, *.tsv with the columns disfluent and fluent, or said and written, *.txt \
            with lines like spoken~written, and files with a word and its mark (COMMA, PERIOD, QUESTION, O) a line. \
            docs/clean-up.md says what each figure means.
            """)

    @Option(help: "The folder with the sets.", completion: .directory)
    var data: String

    @Flag(help: "Print one JSON object per set.")
    var json = false

    @Option(help: "Print up to N failed texts of each set.")
    var failures = 0

    @Option(help: "Take time, and score marks and capitals, without this rule.")
    var off: [CleaningRule] = []

    @Option(help: "Number of timing rounds for 10,000 words; ten times as many for 100 words.")
    var rounds = 20

    @Flag(
        help:
            "Measure also what could be typed while a text is spoken: each text is cleaned after each of its words."
    )
    var settled = false

    func validate() throws {
        guard failures >= 0 else { throw ValidationError("--failures takes a number of at least 0.") }
        guard rounds >= 1 else { throw ValidationError("--rounds takes a number of at least 1.") }
    }

    func run() throws {
        try BenchCommand.run {
            let sets = try CleanupSet.find(in: URL(filePath: data, directoryHint: .isDirectory))
            guard !sets.isEmpty else {
                throw CommandProblem(status: .nothingThere, message: "There are no sets of texts in \(data).")
            }
            let disfluencies = sets.filter { $0.kind == .disfluencies }
            if !disfluencies.isEmpty {
                try measureDisfluencies(disfluencies)
                try measureFluent()
                try measureSpeed(disfluencies)
            }
            let forms = sets.filter { $0.kind == .numbers }
            // Fluent texts are plain texts: the rules for numbers must not change them.
            let plain = disfluencies.map { set in
                CleanupSet(
                    name: set.name + ", fluent", kind: .numbers,
                    pairs: set.pairs.map { .init(spoken: $0.written, written: $0.written) })
            }
            if !forms.isEmpty || !plain.isEmpty { try measureForms(forms, plain: plain) }
            let whole = sets.filter { $0.kind == .whole }
            if !whole.isEmpty { try measureWhole(whole) }
            if settled { try measureSettled(sets.filter { $0.kind != .marks }) }
            let written = sets.filter { $0.kind != .numbers }.map(\.finished).filter { !$0.pairs.isEmpty }
            if !written.isEmpty {
                try measureMarks(written)
                try measureHarm(written.flatMap(\.pairs).map(\.written))
            }
            try measureAlarms(sets)
        }
    }

    private func measureSettled(_ sets: [CleanupSet]) throws {
        if !json { SettledScores.printTitles() }
        for set in sets {
            for scores in SettledScores.all(of: set) {
                try json ? JSONOutput.print(scores) : scores.printLine()
            }
        }
    }

    private func measureAlarms(_ sets: [CleanupSet]) throws {
        if !json {
            print("texts that would be taken for a command that edits")
            print(Columns.line(["set", "texts", "alarms"], first: 34, others: 10))
        }
        for alarms in EditAlarms.measure(sets) {
            if json {
                try JSONOutput.print(alarms)
            } else {
                print(
                    Columns.line(
                        [alarms.set, "\(alarms.texts)", "\(alarms.alarms.count)"], first: 34, others: 10))
            }
            for text in alarms.alarms.prefix(failures) { StandardStreams.complain("command \(text)\n") }
        }
    }

    private func measureDisfluencies(_ sets: [CleanupSet]) throws {
        let cleaner = TextCleaner(options: .init(rules: DisfluencyScores.rules))
        if !json {
            print("words to take away; in per cent")
            let titles = ["set", "texts", "precision", "recall", "F1", "exact", "safe", "changed"]
            print(Columns.line(titles, others: 10))
        }
        for set in sets {
            var left = failures
            let scores = DisfluencyScores(set, cleaner: cleaner) { pair, text in
                guard left > 0 else { return }
                left -= 1
                StandardStreams.complain(
                    "said    \(pair.spoken)\nmeant   \(pair.written)\ncleaned \(text)\n\n")
            }
            if json { try JSONOutput.print(scores) } else { Self.printLine(scores) }
        }
    }

    private func measureForms(_ sets: [CleanupSet], plain: [CleanupSet]) throws {
        let cleaner = TextCleaner(options: .init(rules: FormScores.rules))
        if !json {
            print("numbers, dates and the like; in per cent")
            print(Columns.line(["set", "texts", "exact", "agreed", "safe"], first: 34, others: 10))
        }
        let all = CleanupSet(name: "all of them", kind: .numbers, pairs: sets.flatMap(\.pairs))
        for set in sets + (sets.isEmpty ? [] : [all]) + plain {
            var left = set.name == all.name ? 0 : failures
            let scores = FormScores(set, cleaner: cleaner) { pair, text in
                guard left > 0 else { return }
                left -= 1
                StandardStreams.complain(
                    "spoken  \(pair.spoken)\nmeant   \(pair.written)\nwritten \(text)\n\n")
            }
            if json {
                try JSONOutput.print(scores)
            } else {
                let figures = [scores.exact, scores.agreed, scores.safe].map { String(format: "%.2f", $0) }
                print(Columns.line([scores.set, "\(scores.texts)"] + figures, first: 34, others: 10))
            }
        }
    }

    struct Speed: Encodable {
        let words: Int
        /// Without marks and capitals.
        let isBare: Bool
        /// Milliseconds of a processor, the median of the rounds: other programs do not count.
        let p50: Double
    }

    /// All rules on texts of 100 and of 10,000 words, made of the spoken texts of the sets.
    private func measureSpeed(_ sets: [CleanupSet]) throws {
        let cleaner = TextCleaner(options: .init(rules: Set(CleaningRule.allCases).subtracting(off)))
        // Without the texts that say the name of a mark ("time period"): with one mark said, bare words get no others.
        let texts = sets.flatMap(\.pairs).lazy.map(\.spoken).filter {
            !cleaner.clean(Self.bare($0)).rules.contains(.spokenMarks)
        }
        let spoken = texts.flatMap { $0.split(separator: " ") }
        for (count, rounds, isBare) in [
            (100, 10 * rounds, false), (10_000, rounds, false), (100, 10 * rounds, true),
            (10_000, rounds, true),
        ] {
            let words = Array(spoken.prefix(count))
            let written = words.joined(separator: " ")
            let text = isBare ? Self.bare(written) : written
            let times = (0..<rounds).map { _ in
                let begin = Self.processorTime()
                _ = cleaner.clean(text)
                return Self.processorTime() - begin
            }
            let speed = Speed(words: words.count, isBare: isBare, p50: Figures(nanoseconds: times).p50 / 1000)
            try json
                ? JSONOutput.print(speed)
                : print(
                    "\(speed.words)\(isBare ? " bare" : "") words: \(String(format: "%.2f", speed.p50)) ms, all rules"
                )
        }
    }

    /// As a recognizer without marks and capitals writes it.
    private static func bare(_ text: String) -> String {
        text.lowercased().filter { $0.isLetter || $0.isNumber || " '-".contains($0) }
    }

    /// Nanoseconds that this thread has run.
    private static func processorTime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static func printLine(_ scores: DisfluencyScores) {
        let figures = [
            scores.precision, scores.recall, scores.f1, scores.exact, scores.safe, scores.changedTokens,
        ]
        print(
            Columns.line(
                [scores.set, "\(scores.texts)"] + figures.map { String(format: "%.2f", $0) }, others: 10))
    }
}

extension CleaningRule: ExpressibleByArgument {}
