import DictationSystem
import Foundation
import Synchronization

/// Installs everything that recognizing with a model needs: sherpa-onnx, the voice activity model, and the model.
///
/// ```swift
/// let installer = ModelInstaller(source: source, trial: .byThisProgram)
/// for try await progress in installer.install("moonshine-tiny-en") { bar.show(progress) }
/// ```
///
/// A session that begins afterward can use it. If the caller drops a stream, the installation stops and all
/// children end; a partial download from a catalog is kept for the next time.
public struct ModelInstaller: Sendable {
    public let source: ModelSource
    public let engines: EngineFolder
    /// How a model from an archive is tried.
    public let trial: ModelTrial
    private let retries: RetryPolicy

    public init(
        source: ModelSource, engines: EngineFolder = .standard(), trial: ModelTrial,
        retries: RetryPolicy = .fetchingModel
    ) {
        self.source = source
        self.engines = engines
        self.trial = trial
        self.retries = retries
    }

    public typealias Stream = AsyncThrowingStream<ModelInstallProgress, any Error>

    /// Installs a model and all that it needs, if they are missing. A model that is installed and unchanged
    /// is left alone.
    ///
    /// - Parameter name: of one of the ``ModelOffers``.
    /// - Returns: a stream that ends when all is installed, and throws ``ModelError``.
    public func install(_ name: String) -> Stream {
        .reporting { report in
            let offers = try await ModelOffers.load(from: source, engines: engines)
            guard let offer = offers[name], offer.way != .none || offer.isInstalled else {
                if let failure = offers.failure { throw failure }
                throw ModelError.unknown(name: name, known: offers.all.map(\.name))
            }
            try await install(offer, offers, report)
        }
    }

    /// Installs sherpa-onnx and the voice activity model, as far as they are missing.
    ///
    /// - Returns: a stream that ends when both are installed, and throws ``ModelError``.
    public func installEngine() -> Stream {
        .reporting { report in
            let size = try await ModelOffers.load(from: ModelSource(catalogue: ""), engines: engines)
                .missingEngineSize
            try await runScript(for: nil, Reporter(fetching: size, report))
        }
    }

    private func install(
        _ offer: ModelOffer, _ offers: ModelOffers,
        _ report: @escaping @Sendable (ModelInstallProgress) -> Void
    ) async throws {
        let reporter = Reporter(fetching: offers.bytesToFetch(offer), report)
        switch offer.way {
        case .packages:
            try await runScript(for: offer.name, reporter)
        case .catalogue(let entry, let base):
            if offers.missingEngineSize > 0 { try await runScript(for: nil, reporter) }
            let store = ModelStore(folder: engines.models, retries: retries)
            if store.isInstalled(entry) { return }
            let all = store.modelDownloadProgress(
                installing: entry, base: base, trial: trial, library: engines.sherpaLibrary)
            for try await progress in all {
                reporter.report(progress.step, offer.name, done: progress.done, total: progress.total)
            }
        case .none:
            if offers.missingEngineSize > 0 { try await runScript(for: nil, reporter) }
        }
    }

    private func runScript(for model: String?, _ reporter: Reporter) async throws {
        try await EngineScript.install(model, into: engines) { item, done, total in
            reporter.report(.fetching, item, done: done, total: total)
        }
    }
}

/// Reports the progress of an installation, from any thread.
private final class Reporter: Sendable {
    private let meter: Mutex<InstallationMeter>
    private let tell: @Sendable (ModelInstallProgress) -> Void

    init(fetching size: Int, _ tell: @escaping @Sendable (ModelInstallProgress) -> Void) {
        meter = Mutex(InstallationMeter(fetching: size))
        self.tell = tell
    }

    func report(_ step: ModelInstallProgress.Step, _ item: String, done: Int, total: Int) {
        tell(meter.withLock { $0.progress(step, item, done: done, total: total) })
    }
}
