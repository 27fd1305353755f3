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
        abstract: "List, install, check and remove models for sherpa-onnx.",
        discussion: """
            You can install the models of “host-agent install-engines”, of the built-in catalog, and of your own \
            catalog ([models] catalogue in the settings), and a folder or an archive by its path. host-agent uses a \
            model that knows the language from the next dictation on; [speech] model selects one. Exit codes: 0 done, \
            1 failed, 2 no such model, 64 wrong usage.
            """,
        subcommands: [List.self, Recommend.self, Install.self, Remove.self, Verify.self],
        defaultSubcommand: List.self)

    /// Carries out a command, and turns its error into a message and an exit code.
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

extension ModelsCommand {
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Delete a model.")

        @Argument(help: "The name from “host-agent models list”.", completion: .installedModels)
        var name: String

        func run() async throws {
            try await ModelsCommand.run { store, _ in
                try store.remove(name)
                StandardOutput.say("\(name) is removed.")
            }
        }
    }

    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Check that the files of models match the catalog, or what was installed.")

        @Argument(help: "The models. (default: all)", completion: .installedModels)
        var names: [String] = []

        func run() async throws {
            try await ModelsCommand.run { store, _ in
                var failures: [ModelError] = []
                let due = names.isEmpty ? store.installed().map(\.name) : names
                if due.isEmpty { Complaint.say("No model is installed.") }
                for name in due {
                    do throws(ModelError) {
                        try store.verify(name)
                        StandardOutput.say("\(name): ok")
                    } catch {
                        // A model without recordings is not an error, unless it was requested.
                        if case .nothingRecorded = error, names.isEmpty {
                            StandardOutput.say("\(name): unknown, because it was copied there by hand")
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
