import Foundation

/// How far an installation is.
public struct ModelInstallProgress: Sendable, Equatable, Codable {
    public enum Step: String, Sendable, Codable { case fetching, checking, unpacking, trying }

    public var step: Step
    /// "sherpa-onnx", "silero-vad", or the name of the model.
    public var item: String
    /// Bytes of this step. The total is 0 if nothing can be counted.
    public var done: Int
    public var total: Int
    /// 0…1 of the whole installation, for a bar. Never decreases.
    public var fraction: Double

    /// "Fetching moonshine-tiny-en: 12.3 of 84.9 MB".
    public var text: String {
        guard total > 0 else { return "\(verb) \(item)" }
        return "\(verb) \(item): "
            + String(format: "%.1f of %.1f MB", Double(done) / 1e6, Double(total) / 1e6)
    }

    /// As the step begins: "Fetching moonshine-tiny-en, 84.9 MB".
    public var headline: String {
        guard total > 0 else { return "\(verb) \(item)" }
        return "\(verb) \(item), " + String(format: "%.1f MB", Double(total) / 1e6)
    }

    private var verb: String {
        switch step {
        case .fetching: "Fetching"
        case .checking: "Checking"
        case .unpacking: "Unpacking"
        case .trying: "Trying"
        }
    }
}

/// Turns the bytes of single steps into the fraction of a whole. Fetching a byte counts as much as unpacking
/// ten: a network brings 5 to 10 MB a second, and an archive is read at 10 to 100.
struct InstallationMeter {
    /// Bytes to fetch in all.
    private let size: Int
    /// Bytes of the items that were fetched before this one.
    private var before = 0
    private var current = (item: "", done: 0, total: 0)
    private var unpacked = 0.0
    private var highest = 0.0

    init(fetching size: Int) { self.size = max(1, size) }

    mutating func progress(
        _ step: ModelInstallProgress.Step, _ item: String, done: Int, total: Int
    ) -> ModelInstallProgress {
        var fetched = 1.0
        if step == .fetching {
            if item != current.item { before += current.total }
            current = (item, done, total)
            fetched = min(1, Double(before + done) / Double(size))
        } else {
            let part = total > 0 ? min(1, Double(done) / Double(total)) : 0
            unpacked = step == .trying ? 1 : max(unpacked, step == .unpacking ? part : 0)
        }
        highest = max(highest, (fetched + unpacked / 10) / 1.1)
        return ModelInstallProgress(step: step, item: item, done: done, total: total, fraction: highest)
    }
}

extension ModelInstallProgress {
    /// A model alone.
    public init(_ progress: ModelDownloadProgress) {
        self.init(
            step: progress.step, item: progress.file, done: progress.done, total: progress.total,
            fraction: progress.total > 0 ? Double(progress.done) / Double(progress.total) : 0)
    }
}
