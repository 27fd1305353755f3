import ArgumentParser
import DictationHost
import DictationService
import DictationSpeech
import Foundation

extension ModelsCommand {
    struct Install: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Fetch a model, go on with one that broke off, or install one that you have.",
            discussion: """
                sherpa-onnx and the voice activity model are installed as well where they are missing. A folder or an \
                archive (.tar.bz2 and the like) is copied: its files tell what kind of model it is, and it is tried \
                before it is installed. A name that is known counts before a path; ./NAME is a path in any case.
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
        @Flag(help: "Print the progress, one JSON object a line, and at last {\"installed\": NAME}.")
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
                    try await take(into: store, display)
                } else {
                    do {
                        let installer = ModelInstaller(source: source, trial: .byThisProgram)
                        for try await progress in installer.install(model) { display.show(progress) }
                        display.end()
                        tell(model, store.installed().first { $0.name == model }?.description, nil)
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
            tell(
                installed.name, description,
                "(\(description?.family.rawValue ?? ""), \(description?.languages.joined(separator: ", ") ?? ""))"
            )
        }

        private func tell(_ name: String, _ description: SherpaModel.Description?, _ what: String?) {
            if json {
                if let line = try? ModelsCommand.json(["installed": name]) { print(line) }
                return
            }
            let setting = description?.family.setsMarks == true ? "punctuation" : "model"
            print(
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
        guard let line = try? ModelsCommand.json(progress) else { return }
        // A pipe is to have each line at once.
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }

    func end() { bar.end() }
}
