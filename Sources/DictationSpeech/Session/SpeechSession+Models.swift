extension SpeechSession {
    /// Installs a model of a catalogue, so that a session can use it; its progress comes in the stream, which ends when
    /// the model is there. Dropping the stream cancels the installation, and a partial download is kept.
    ///
    /// - Parameters:
    ///   - name: of the model in the catalogue.
    ///   - source: where the catalogue is.
    ///   - store: where the model goes.
    /// - Returns: a stream that throws ``ModelError``.
    public static func modelDownloadProgress(
        installing name: String, from source: ModelSource, into store: ModelStore = ModelStore()
    ) -> AsyncThrowingStream<ModelDownloadProgress, any Error> {
        .reporting { report in
            let catalogue = try await source.load()
            guard let entry = catalogue.models.first(where: { $0.name == name }) else {
                throw ModelError.unknown(name: name, known: catalogue.models.map(\.name))
            }
            for try await progress in store.modelDownloadProgress(installing: entry, base: source.base) {
                report(progress)
            }
        }
    }
}
