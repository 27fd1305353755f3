import ArgumentParser
import DictationHost
import DictationService
import DictationSpeech
import Foundation

extension ModelsCommand {
    struct Install: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Fetch a model, resume a partial download, or install a model that you have.",
            discussion: """
                sherpa-onnx and the voice activity detector are installed as well if they are missing. A folder or an \
                archive (such as .tar.bz2) is copied. The kind of model is detected from its files, and the model is \
                tried before it is installed. A known name takes precedence over a path; ./NAME is always a path.
                """)

        @Argument(
            help: ArgumentHelp(
                "A name from “host-agent models list”, or the path of a folder or an archive.",
                valueName: "name|path"), completion: .knownModels)
        var model: String
        @Option(help: "With a path: the name of the model. (default: the name of its folder)")
        var name: String?
        @Option(
            help: ArgumentHelp(
                "With a path: the languages that the model knows, if its files do not say.",
                valueName: "en,de"))
        var language: String?
        @Flag(help: "Print the progress, one JSON object per line, and finally {\"installed\": NAME}.")
        var json = false

        private var isPath: Bool { model.contains("/") || name != nil || language != nil }

        func validate() throws {
            let pieces = language?.split(separator: ",", omittingEmptySubsequences: false) ?? []
            guard pieces.allSatisfy({ $0 == "*" || $0.wholeMatch(of: /[a-z]{2,3}(-[A-Za-z0-9]+)*/) != nil })
            else { throw ValidationError("--language is as in: en  or: en,pt-BR") }
        }

        func run() async throws {
            try await ModelsCommand.run { store, source in
                let display = InstallationDisplay(json: json)
                defer { display.end() }
                if isPath {
                    do {
                        try await take(into: store, display)
                    } catch ModelError.notThere where !model.contains("/") {
                        throw ValidationError(
                            "There is no file or folder “\(model)” here. --name and --language go with a path; a model "
                                + "from “host-agent models list” has its own.")
                    }
                } else {
                    do {
                        let installer = ModelInstaller(source: source, trial: .byThisProgram)
                        for try await progress in installer.install(model) { display.show(progress) }
                        display.end()
                        try tell(model, store.installed().first { $0.name == model }?.description, nil)
                    } catch let error as ModelError {
                        guard case .unknown = error, FileManager.default.fileExists(atPath: model) else {
                            throw error
                        }
                        try await take(into: store, display)
                    }
                }
            }
        }

        private func take(into store: ModelStore, _ display: InstallationDisplay) async throws {
            let local = ModelStore.LocalModel(
                source: URL(filePath: model), name: name,
                languages: language.map { $0.split(separator: ",").map(String.init) })
            let installed = try await store.install(local, trial: .byThisProgram) {
                display.show(ModelInstallProgress($0))
            }
            display.end()
            let description = installed.description
            try tell(
                installed.name, description,
                "(\(description?.family.rawValue ?? ""), \(description?.languages.joined(separator: ", ") ?? ""))"
            )
        }

        private func tell(_ name: String, _ description: SherpaModel.Description?, _ what: String?) throws {
            guard !json else { return try JSONLine.print(["installed": name]) }
            let setting = description?.family.setsMarks == true ? "punctuation" : "model"
            StandardOutput.say(
                ([name] + [what].compactMap { $0 }).joined(separator: " ")
                    + " is installed. The next dictation can use it. To choose it: "
                    + "dictstate settings set speech.\(setting) \(name)")
        }
    }
}

/// Where the progress of an installation goes.
final class InstallationDisplay: Sendable {
    private let json: Bool
    private let bar = InstallationBar()

    init(json: Bool) { self.json = json }

    func show(_ progress: ModelInstallProgress) {
        guard json else { return bar.show(progress) }
        try? JSONLine.print(progress)
    }

    func end() { bar.end() }
}
