import ArgumentParser
import DictationSpeech

extension CompletionKind {
    static var installedModels: CompletionKind {
        .custom { _, _, _ in ModelStore().installed().map(\.name) }
    }

    /// The models that can be installed by name. Without those of a catalog on a server: completion does not
    /// wait for a server.
    static var knownModels: CompletionKind {
        .custom { (_: [String], _: Int, _: String) async -> [String] in
            (try? await ModelOffers.load(from: ModelSource(catalogue: "")))?.all.map(\.name) ?? []
        }
    }
}
