import ArgumentParser
import DictationHost
import DictationService
import DictationSettings
import DictationSpeech
import Foundation
import Glibc

struct ModelsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "models",
        abstract: "List, install, check and remove the models of sherpa-onnx.",
        discussion: """
            What can be installed are the models that “host-agent install-engines” knows, and those of a catalogue, where \
            the settings name one: [models] catalogue. A model that you have, as a folder or an archive, is installed by \
            its path. host-agent uses a model that knows the language from its next start on; [speech] model chooses \
            one. Exit codes: 0 done, 1 failed, 2 no such model, 64 wrong usage.
            """,
        subcommands: [List.self, Install.self, Remove.self, Verify.self], defaultSubcommand: List.self)

    /// Carries out a command, and turns what it throws into a message and an exit code.
    static func run(_ body: (ModelStore, ModelSource) async throws -> Void) async throws {
        let settings = SettingsFile.standard().loadWhatCanBeRead()?.values ?? Settings()
        do {
            try await body(
                ModelStore(),
                ModelSource(catalogue: settings.models.catalogue, address: settings.models.address))
        } catch let error as ModelError {
            Complaint.say(error)
            switch error {
            case .unknown, .notInstalled, .notThere: throw ExitStatus.nothingThere.exitCode
            default: throw ExitStatus.failed.exitCode
            }
        } catch let error as SpeechSessionError {
            Complaint.say(error)
            throw ExitStatus.failed.exitCode
        }
    }
}

/// What is for a person's eyes, beside the output.
private enum StandardErrorText {
    static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}

extension ModelsCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the models that are installed, and those that can be (the default).")

        @Flag(help: "Print one JSON object a line.")
        var json = false

        private struct Line: Encodable {
            let name: String
            let engine: String
            let languages: [String]
            let family: String?
            let licence: String?
            let size: Int?
            let isInstalled: Bool
        }

        func run() async throws {
            try await ModelsCommand.run { store, source in
                let installed = store.installed()
                var lines = installed.map { model in
                    Line(
                        name: model.name, engine: "sherpa-onnx",
                        languages: model.description?.languages ?? [],
                        family: model.description?.family.rawValue, licence: model.entry?.licence,
                        size: model.entry?.size, isInstalled: true)
                }
                var failure: ModelError?
                do {
                    lines += try await (source.catalogue.isEmpty ? [] : source.load().models).map { entry in
                        Line(
                            name: entry.name, engine: entry.engine, languages: entry.description.languages,
                            family: entry.description.family.rawValue, licence: entry.licence,
                            size: entry.size, isInstalled: false)
                    }
                } catch let error as ModelError {
                    // Those that are installed are shown all the same.
                    failure = error
                }
                lines += await InstallEnginesCommand.models().map { model in
                    Line(
                        name: model.name, engine: "sherpa-onnx", languages: model.languages,
                        family: model.family, licence: model.licence, size: model.size, isInstalled: false)
                }
                // What is installed stands for what could be, and a catalogue's model for one of that name.
                var seen: Set<String> = []
                lines = lines.filter { seen.insert($0.name).inserted }
                for line in lines { print(json ? try text(line) : text(line, lines)) }
                if let failure { throw failure }
                guard !json else { return }
                if installed.isEmpty, let first = lines.first {
                    print("None is installed. Install one with: host-agent models install \(first.name)")
                }
            }
        }

        private func text(_ line: Line) throws -> String {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(line), as: UTF8.self)
        }

        private func text(_ line: Line, _ all: [Line]) -> String {
            let width = all.map(\.name.count).max() ?? 0
            let size = line.size.map { String(format: "%8.1f MB", Double($0) / 1e6) } ?? "           "
            let name = line.name.padding(toLength: width, withPad: " ", startingAt: 0)
            let rest: [String?] = [line.languages.joined(separator: ","), line.family, line.licence]
            return "\(line.isInstalled ? "installed" : "         ")  \(name)  \(size)  "
                + rest.compactMap { $0 }.joined(separator: "  ")
        }
    }

    struct Install: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Fetch a model, go on with one that broke off, or install one that you have.",
            discussion: """
                A folder or an archive (.tar.bz2 and the like) is copied: what kind of model it is, is found out from its \
                files, and it is tried before it is installed. A name that is known counts before a path; ./NAME is a \
                path in any case.
                """)

        @Argument(
            help: ArgumentHelp(
                "A name that “host-agent models list” shows, or the path of a folder or an archive.",
                valueName: "name|path"))
        var model: String
        @Option(help: "With a path: what to call the model; its folder's name if none is given.")
        var name: String?
        @Option(
            help: ArgumentHelp(
                "With a path: the languages that the model knows, where its files do not tell.",
                valueName: "en,de"))
        var language: String?

        private var isPath: Bool { model.contains("/") || name != nil || language != nil }

        func validate() throws {
            let pieces = language?.split(separator: ",", omittingEmptySubsequences: false) ?? []
            guard pieces.allSatisfy({ $0 == "*" || $0.wholeMatch(of: /[a-z]{2,3}(-[A-Za-z0-9]+)*/) != nil })
            else { throw ValidationError("--language is as in: en  or: en,pt-BR") }
        }

        func run() async throws {
            try await ModelsCommand.run { store, source in
                let bar = ProgressBar()
                defer { bar.end() }
                if isPath {
                    try await take(into: store, bar)
                } else {
                    try await fetch(from: source, into: store, bar)
                }
                // A model alone recognises nothing.
                let engine = SpeechSession.deviceCapabilities().engines.first { $0.name == "sherpa-onnx" }
                if case .libraryMissing = engine?.problem {
                    print("sherpa-onnx itself is still missing. Install it with: host-agent install-engines")
                }
            }
        }

        private func take(into store: ModelStore, _ bar: ProgressBar) async throws {
            let local = ModelStore.LocalModel(
                source: URL(filePath: model), name: name,
                languages: language.map { $0.split(separator: ",").map(String.init) })
            let trial = ModelTrial.byThisProgram
            let installed = try await store.install(local, trial: trial) { bar.show($0) }
            bar.end()
            let description = installed.description
            tell(
                installed.name, description?.family,
                "(\(description?.family.rawValue ?? ""), \(description?.languages.joined(separator: ", ") ?? ""))"
            )
        }

        private func fetch(from source: ModelSource, into store: ModelStore, _ bar: ProgressBar) async throws
        {
            let known = await InstallEnginesCommand.models().map(\.name)
            let catalogue = source.catalogue.isEmpty ? [] : try await source.load().models.map(\.name)
            guard catalogue.contains(model) else {
                guard known.contains(model) else {
                    if FileManager.default.fileExists(atPath: model) {
                        return try await take(into: store, bar)
                    }
                    throw ModelError.unknown(name: model, known: catalogue + known)
                }
                try InstallEnginesCommand.start([model])
            }
            let all = SpeechSession.modelDownloadProgress(installing: model, from: source, into: store)
            for try await progress in all { bar.show(progress) }
            bar.end()
            tell(model, store.installed().first { $0.name == model }?.description?.family, nil)
        }

        private func tell(_ name: String, _ family: SherpaModel.Family?, _ what: String?) {
            let setting = family?.setsMarks == true ? "punctuation" : "model"
            print(
                ([name] + [what].compactMap { $0 }).joined(separator: " ")
                    + " is installed. host-agent can use it from its next start on; choose it with: "
                    + "dictstate settings set speech.\(setting) \(name)")
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Delete a model.")

        @Argument(help: "The name that “host-agent models list” shows.")
        var name: String

        func run() async throws {
            try await ModelsCommand.run { store, _ in
                try store.remove(name)
                print("\(name) is removed.")
            }
        }
    }

    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Look whether the files of models are what the catalogue promised, or what was installed.")

        @Argument(help: "The models; all if none is named.")
        var names: [String] = []

        func run() async throws {
            try await ModelsCommand.run { store, _ in
                var failures: [ModelError] = []
                for name in names.isEmpty ? store.installed().map(\.name) : names {
                    do throws(ModelError) {
                        try store.verify(name)
                        print("\(name): ok")
                    } catch {
                        // What was never recorded is nothing wrong, unless it was asked for.
                        if case .nothingRecorded = error, names.isEmpty {
                            print("\(name): not known, it was put there by hand")
                        } else {
                            failures.append(error)
                        }
                    }
                }
                for failure in failures.dropLast() { Complaint.say(failure) }
                if let last = failures.last { throw last }
            }
        }
    }
}

/// A line on a terminal that is written over again and again; nothing elsewhere.
private final class ProgressBar {
    private let isShown = isatty(STDERR_FILENO) == 1
    private var last = -1
    private static let width = 30

    func show(_ progress: ModelDownloadProgress) {
        let part = progress.total > 0 ? Double(progress.done) / Double(progress.total) : 1
        guard isShown, Int(part * 1000) != last else { return }
        last = Int(part * 1000)
        let full = Int(part * Double(Self.width))
        let bar = String(repeating: "█", count: full) + String(repeating: "░", count: Self.width - full)
        let megabytes = String(
            format: "%.1f of %.1f MB", Double(progress.done) / 1e6, Double(progress.total) / 1e6)
        StandardErrorText.write("\r\u{1B}[K\(bar) \(megabytes)  \(progress.file)")
    }

    func end() {
        guard isShown, last >= 0 else { return }
        last = -1
        StandardErrorText.write("\r\u{1B}[K")
    }
}
