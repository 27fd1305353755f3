import DictationSystem
import Foundation
import Glibc
import Synchronization

/// `packaging/install-engines`: installs sherpa-onnx, the voice activity model, and the models that come in packages.
public enum EngineScript {
    private static let name = "install-engines"
    /// A slow line takes half an hour for 100 MB.
    private static let limit = Duration.seconds(7200)

    /// A model that the script can install: a line of its `--list`.
    struct Model: Decodable {
        let name: String
        let languages: [String]
        let family: SherpaModel.Family
        let licence: String
        let attribution: String?
        /// Bytes on disk.
        let size: Int
        /// Bytes to fetch for it.
        let download: Int
        /// Bytes to fetch for sherpa-onnx and the voice activity model; 0 if they are installed.
        let engineDownload: Int
        let memory: Int
        let measuredError: String?
    }

    /// The script's path; nil if it is not installed.
    public static var path: String? { places.first { access($0, X_OK) == 0 } }

    /// Where the script is: next to the installed programs; in the source folder, for a program that was
    /// built there.
    public static var places: [String] {
        let folder = ChildProcess.thisProgram.deletingLastPathComponent()
        let installed = folder.deletingLastPathComponent().appending(path: "libexec/voicedictation/\(name)")
        var above = folder
        var places = [installed.path]
        // .build/thread-sanitizer/x86_64-unknown-linux-gnu/debug/host-agent
        for _ in 0..<4 {
            above.deleteLastPathComponent()
            places.append(above.appending(path: "packaging/\(name)").path)
        }
        return places
    }

    /// The models that it can install, and their size in this folder; none if the script is missing.
    static func models(for engines: EngineFolder) async -> [Model] {
        guard let path else { return [] }
        let listing = ChildProcess(
            program: path, arguments: ["--list"], limit: .seconds(60),
            environment: environment(engines))
        guard let lines = try? await listing.run().split(separator: UInt8(ascii: "\n")) else { return [] }
        return lines.compactMap { try? JSONDecoder().decode(Model.self, from: $0) }
    }

    private static func environment(_ engines: EngineFolder) -> [String: String] {
        ["VOICEDICTATION_ENGINES": engines.url.path(percentEncoded: false)]
    }

    /// Runs it. The bytes are counted on the disk, where pip writes them.
    ///
    /// - Parameters:
    ///   - model: to install as well.
    ///   - report: gets what is downloaded, with the bytes so far and in total.
    /// - Throws: ``ModelError/scriptMissing(path:)``, ``ModelError/engineNotInstalled(reason:)``; `CancellationError` when
    ///   the task is canceled. Nothing incomplete is left then.
    static func install(
        _ model: String?, into engines: EngineFolder, report: @escaping @Sendable (String, Int, Int) -> Void
    ) async throws {
        guard let path else { throw ModelError.scriptMissing(path: places[0]) }
        let child = ChildProcess(
            program: path, arguments: ["--steps"] + [model].compactMap { $0 }, limit: limit,
            errors: .taken, environment: environment(engines), endsWithInput: true)
        let watch = try DownloadWatch(report: report)
        watch.start()
        defer { watch.stop() }
        do {
            _ = try await child.run { line in
                guard let step = try? JSONDecoder().decode(Step.self, from: Data(line.utf8)) else { return }
                watch.follow(step)
            }
        } catch let failure as ChildProcess.Failure {
            throw ModelError.engineNotInstalled(reason: reason(failure))
        }
    }

    /// The script's own last words, which say what to do.
    private static func reason(_ failure: ChildProcess.Failure) -> String {
        guard case .failed(_, let words) = failure, !words.isEmpty else { return "\(name) \(failure)" }
        return words.hasPrefix("\(name): ") ? String(words.dropFirst(name.count + 2)) : words
    }

    /// A download that begins: a line of the script.
    fileprivate struct Step: Decodable, Sendable {
        let item: String
        let total: Int
        /// Where pip writes its downloads.
        let folder: String
    }
}

/// Counts the growing packages in pip's folder, by inotify, in a separate thread.
private final class DownloadWatch: Sendable {
    private let events: FileEvents
    private let stopping: WakeUp
    private let current = Mutex<EngineScript.Step?>(nil)
    private let report: @Sendable (String, Int, Int) -> Void

    /// - Throws: ``SystemError``
    init(report: @escaping @Sendable (String, Int, Int) -> Void) throws {
        events = try FileEvents()
        stopping = try WakeUp()
        self.report = report
    }

    func start() {
        startThread(named: "downloads") { [self] in
            // Without inotify the package is known, but not its progress.
            while let happened = try? events.wait(stopping: stopping) { look(happened) }
        }
    }

    func stop() { stopping.signal() }

    func follow(_ step: EngineScript.Step) {
        current.withLock { $0 = step }
        // As above.
        _ = try? events.watch(step.folder, for: [.entryCreated])
        report(step.item, 0, step.total)
    }

    private func look(_ happened: [FileEvents.Event]) {
        guard let step = current.withLock({ $0 }) else { return }
        // pip makes a folder for each download. One that has gone already is of no interest.
        for event in happened where event.kinds.contains(.entryCreated) {
            _ = try? events.watch("\(step.folder)/\(event.name)", for: [.modified])
        }
        let sizes = ModelFiles.all(in: URL(filePath: step.folder, directoryHint: .isDirectory))
        let done = sizes.filter { $0.key.hasSuffix(".whl") }.map(\.value).max() ?? 0
        if done > 0 { report(step.item, min(done, step.total), step.total) }
    }
}
