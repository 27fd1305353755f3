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
            the settings name one: [models] catalogue. host-agent uses a model that knows the language from its next \
            start on; [speech] model chooses one. A model by hand is a folder beside the others with a model.json \
            (docs/engines.md). Exit codes: 0 done, 1 failed, 2 no such model, 64 wrong usage.
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
            case .unknown, .notInstalled: throw ExitStatus.nothingThere.exitCode
            default: throw ExitStatus.failed.exitCode
            }
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
                if !source.catalogue.isEmpty {
                    lines += try await source.load().models.map { entry in
                        Line(
                            name: entry.name, engine: entry.engine, languages: entry.description.languages,
                            family: entry.description.family.rawValue, licence: entry.licence,
                            size: entry.size, isInstalled: false)
                    }
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
            abstract: "Fetch a model, or go on with one that broke off.")

        @Argument(help: "The name that “host-agent models list” shows.")
        var name: String

        func run() async throws {
            try await ModelsCommand.run { store, source in
                let known = await InstallEnginesCommand.models().map(\.name)
                let catalogue = source.catalogue.isEmpty ? [] : try await source.load().models.map(\.name)
                guard catalogue.contains(name) else {
                    guard known.contains(name) else {
                        throw ModelError.unknown(name: name, known: catalogue + known)
                    }
                    try InstallEnginesCommand.start([name])
                }
                let bar = ProgressBar()
                defer { bar.end() }
                let all = SpeechSession.modelDownloadProgress(installing: name, from: source, into: store)
                for try await progress in all {
                    bar.show(progress)
                }
                bar.end()
                print(
                    "\(name) is installed. host-agent can use it from its next start on; choose it with: "
                        + "dictstate settings set speech.model \(name)")
                // A model alone recognises nothing.
                let engine = SpeechSession.deviceCapabilities().engines.first { $0.name == "sherpa-onnx" }
                if case .libraryMissing = engine?.problem {
                    print("sherpa-onnx itself is still missing. Install it with: host-agent install-engines")
                }
            }
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
            abstract: "Look whether the files of models are what the catalogue promised.")

        @Argument(help: "The models; all that came from a catalogue if none is named.")
        var names: [String] = []

        func run() async throws {
            try await ModelsCommand.run { store, _ in
                let all = store.installed().filter { $0.entry != nil }.map(\.name)
                for name in names.isEmpty ? all : names {
                    try store.verify(name)
                    print("\(name): ok")
                }
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
