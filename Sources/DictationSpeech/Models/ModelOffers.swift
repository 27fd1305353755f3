/// All models that there are: installed ones, those of the catalogue that the settings name, those that are built in, and
/// what `install-engines` installs out of packages. A name that occurs twice counts for the first of them.
public struct ModelOffers: Sendable {
    /// The installed ones first, then in the order of the catalogues, in which better ones come first.
    public let all: [ModelOffer]
    /// The catalogue that the settings name could not be loaded.
    public let failure: ModelError?
    /// Bytes to fetch for sherpa-onnx and the voice activity model; 0 if they are installed.
    public let missingEngineSize: Int

    public subscript(name: String) -> ModelOffer? { all.first { $0.name == name } }

    /// Bytes to fetch until a model can be used, with the engine; 0 if nothing is missing.
    public func bytesToFetch(_ offer: ModelOffer) -> Int {
        missingEngineSize + (offer.isInstalled ? 0 : offer.downloadSize ?? 0)
    }

    /// Looks up what there is. Asks a server only if the settings name one for the catalogue.
    ///
    /// - Throws: `CancellationError` when the task is canceled.
    public static func load(
        from source: ModelSource, engines: EngineFolder = .standard()
    ) async throws -> ModelOffers {
        var failure: ModelError?
        var offered: [ModelOffer] = []
        do {
            if !source.catalogue.isEmpty {
                offered += try await source.load().models.map { ModelOffer($0, base: source.base) }
            }
        } catch let error as ModelError {
            // All others can be used all the same.
            failure = error
        }
        let packages = await EngineScript.models(for: engines)
        offered += packages.map { ModelOffer($0) }
        do {
            offered += try ModelCatalogue.builtIn().models.map { ModelOffer($0, base: "") }
        } catch {
            failure = failure ?? error
        }
        try Task.checkCancellation()
        let installed = ModelStore(folder: engines.models).installed().map { model in
            ModelOffer(model, offer: offered.first { $0.name == model.name })
        }
        var seen: Set<String> = []
        return ModelOffers(
            all: (installed + offered).filter { seen.insert($0.name).inserted }, failure: failure,
            missingEngineSize: packages.first?.engineDownload ?? 0)
    }
}
