import DictationSystem
import Foundation
import Glibc

/// Models that are on this machine: from a colleague, a memory stick, a company's share.
extension ModelStore {
    /// The properties of such a model: given, or else found out.
    public struct LocalModel: Sendable, Equatable {
        /// A folder, or a tar archive of one, which may be compressed.
        public var source: URL
        /// Its name; nil: as its folder or archive is.
        public var name: String?
        /// As in ``SherpaModel/Description``; nil: as its files tell.
        public var languages: [String]?
        /// How messages name the source, where its path tells a user nothing.
        var title: String?

        /// To begin a message with.
        var shownSource: String { title ?? source.path(percentEncoded: false) }

        public init(source: URL, name: String? = nil, languages: [String]? = nil) {
            self.source = source
            self.name = name
            self.languages = languages
        }
    }

    /// Installs a model that is on this machine. Its `model.json` says what kind of model it is, or its files
    /// do. It is tried in a process of its own, and appears under its name only when it was found good. Test
    /// recordings, programs and the same model in another precision are left out. The installed files are
    /// noted, so that ``verify(_:)`` can check them.
    ///
    /// - Parameters:
    ///   - local: the files, and the facts that are known of them.
    ///   - trial: how it is tried; results that it remembers are not used.
    ///   - library: sherpa-onnx, which tries it.
    ///   - report: is told how far it is, in bytes.
    /// - Throws: ``ModelError``; ``SpeechSessionError/libraryMissing(engine:path:)``; `CancellationError` when the task
    ///   is cancelled while the archive is unpacked or the model tried. Nothing is left behind then.
    public func install(
        _ local: LocalModel, trial: ModelTrial, library: URL = EngineFolder.standard().sherpaLibrary,
        report: @escaping @Sendable (ModelDownloadProgress) -> Void = { _ in }
    ) async throws -> Installed {
        let source = local.source.standardizedFileURL
        guard FileManager.default.fileExists(atPath: path(source)) else {
            throw ModelError.notThere(path: path(source))
        }
        let name = local.name ?? Self.name(of: source, isFolder: Self.isFolder(path(source)))
        guard ModelCatalogue.isName(name) else { throw ModelError.badName(name) }
        guard FileManager.default.isReadableFile(atPath: path(library)) else {
            throw SpeechSessionError.libraryMissing(engine: SherpaRecognizer.name, path: path(library))
        }
        let lock = try lock(name)
        defer { unlock(lock) }
        guard !FileManager.default.fileExists(atPath: path(folder.appending(path: name))) else {
            throw ModelError.nameTaken(name)
        }
        let work = Work(part: part(name), trial: trial, library: library)
        return try await make(
            LocalModel(source: source, name: name, languages: local.languages), as: nil, work, report)
    }

    /// Where a model is made, and how it is tried.
    struct Work: Sendable {
        let part: URL
        let trial: ModelTrial?
        let library: URL
    }

    /// Makes a model of a folder or an archive, tries it, and gives it its name. Its lock is held. If that
    /// fails, nothing of it is left.
    ///
    /// - Parameter entry: its entry in a catalogue.
    func make(
        _ local: LocalModel, as entry: ModelCatalogue.Entry?, _ work: Work,
        _ report: @escaping @Sendable (ModelDownloadProgress) -> Void
    ) async throws -> Installed {
        let source = local.source
        let model = work.part.appending(path: Self.madeName, directoryHint: .isDirectory)
        let unpacked = work.part.appending(path: Self.unpackedName, directoryHint: .isDirectory)
        defer { for url in [model, unpacked] { try? FileManager.default.removeItem(at: url) } }
        try makeFolder(model)
        let isFolder = source.hasDirectoryPath || Self.isFolder(path(source))
        let shown = entry?.name ?? source.lastPathComponent
        if !isFolder { try await unpack(local, into: unpacked, shown: shown, report: report) }
        do {
            let made = try take(
                Self.heart(of: isFolder ? source : unpacked), of: local, as: entry, to: model,
                moving: !isFolder, report)
            try describe(made, in: model)
            if let trial = work.trial {
                report(ModelDownloadProgress(file: shown, done: 0, total: 0, step: .trying))
                let memory = model.appending(path: ".tried.json")
                try await run(trial, on: model, made, work.library, memory: memory)
                try? FileManager.default.removeItem(at: memory)
            }
            try place(made, model)
            return Installed(name: made.name, entry: made, description: made.description)
        } catch let unknown as ModelFiles.Unknown {
            throw ModelError.unusable(path: local.shownSource, reason: "\(unknown)")
        } catch SpeechSessionError.modelUnusable(_, _, let reason) {
            throw ModelError.unusable(path: local.shownSource, reason: reason)
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }

    private static let archives = [
        ".tar.bz2", ".tar.gz", ".tar.xz", ".tar.zst", ".tar", ".tgz", ".tbz2", ".txz",
    ]

    private static func name(of source: URL, isFolder: Bool) -> String {
        let name = source.lastPathComponent
        let end = isFolder ? nil : archives.first { name.hasSuffix($0) }
        return String(name.dropLast(end?.count ?? 0))
    }

    /// The folder in which the model is: an archive has it within another one, and some lie within each other.
    private static func heart(of folder: URL) -> URL {
        var folder = folder
        while true {
            let names =
                (try? FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)))
                ?? []
            let seen = names.filter { !$0.hasPrefix(".") }
            let inner = folder.appending(path: seen.first ?? "", directoryHint: .isDirectory)
            guard seen.count == 1, isFolder(inner.path(percentEncoded: false)) else { return folder }
            folder = inner
        }
    }

    /// Endings of files that come with models, and that nothing needs.
    static let leftOut = [".wav", ".mp3", ".flac", ".py", ".sh", ".tar.bz2", ".zip"]

    /// Takes a model's files over, and writes down what they are.
    private func take(
        _ source: URL, of local: LocalModel, as catalogued: ModelCatalogue.Entry?, to model: URL,
        moving: Bool, _ report: (ModelDownloadProgress) -> Void
    ) throws -> ModelCatalogue.Entry {
        let sizes = ModelFiles.all(in: source)
        let description = try description(of: source, sizes, local, catalogued)
        let used = Set(description.files.values)
        let names = sizes.keys.filter { path in
            let isPart = used.contains { path == $0 || path.hasPrefix($0 + "/") }
            let isNeedless = ModelFiles.isModel(path) || Self.leftOut.contains { path.hasSuffix($0) }
            return isPart || (!isNeedless && path != SherpaModel.descriptionName && path != Self.entryName)
        }.sorted()
        let total = ModelCatalogue.total(names.map { sizes[$0] ?? 0 })
        try checkRoom(moving ? 0 : total)
        // One that was installed on another machine.
        let known = entry(in: source)
        var done = 0
        var files: [ModelCatalogue.File] = []
        for file in names {
            guard file.split(separator: "/").allSatisfy({ ModelCatalogue.isName(String($0)) }) else {
                // A name that no catalogue may have is none that a model needs.
                guard used.contains(file) else { continue }
                throw ModelError.unusable(
                    path: local.shownSource, reason: "“\(file)” cannot be the name of a model's file")
            }
            let (from, to) = (source.appending(path: file), model.appending(path: file))
            try makeFolder(to.deletingLastPathComponent())
            let hash = try Self.writing(path(to)) {
                try Self.take(path(from), to: path(to), moving: moving) { bytes in
                    done += bytes
                    report(ModelDownloadProgress(file: file, done: done, total: total, step: .checking))
                }
            }
            if let promised = known?.files.first(where: { $0.path == file }), promised.sha256 != hash {
                throw ModelError.wrongHash(file: file)
            }
            files.append(.init(path: file, size: Self.size(of: path(to)), sha256: hash, address: ""))
        }
        if var entry = catalogued {
            entry.description = description
            entry.files = files
            return entry
        }
        return ModelCatalogue.Entry(
            name: local.name ?? source.lastPathComponent, licence: known?.licence ?? "licence not known",
            attribution: known?.attribution,
            about: known?.about ?? "from \(local.source.lastPathComponent)", description: description,
            files: files)
    }

    private func description(
        of source: URL, _ sizes: [String: Int], _ local: LocalModel, _ catalogued: ModelCatalogue.Entry?
    ) throws -> SherpaModel.Description {
        if let description = catalogued?.description, !description.files.isEmpty {
            for (role, file) in description.files.sorted(by: { $0.key < $1.key })
            where !sizes.keys.contains(where: { $0 == file || $0.hasPrefix(file + "/") }) {
                throw ModelError.unusable(
                    path: local.shownSource, reason: "it has no file \(file) for “\(role)”")
            }
            return description
        }
        if sizes[SherpaModel.descriptionName] != nil {
            var description = try SherpaModel(folder: source).description
            if let languages = local.languages { description.languages = languages }
            return description
        }
        let shown = local.source.lastPathComponent + " " + source.lastPathComponent
        let found = try ModelFiles(in: source, paths: Array(sizes.keys), name: shown)
        guard let languages = local.languages ?? found.languages else {
            throw ModelError.languageUnknown(path: local.shownSource)
        }
        if let family = catalogued?.description.family, family != found.family {
            throw ModelError.unusable(
                path: local.shownSource,
                reason: "it is of the kind \(found.family.rawValue), and \(family.rawValue) was expected")
        }
        return found.description(languages: languages)
    }

    /// Moves a file, or copies its content, also if it is only a link.
    ///
    /// - Returns: its hash.
    private static func take(
        _ source: String, to target: String, moving: Bool, report: (Int) -> Void
    ) throws -> String {
        if moving {
            let hash = try ContentHash.of(source) { report($0.count) }
            try retryingInterrupted("move \(source)") { rename(source, target) }
            return hash
        }
        let output = try Descriptor.opening("open \(target)") {
            open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        }
        return try ContentHash.of(source) { bytes in
            try output.writeAll(bytes)
            report(bytes.count)
        }
    }

    private func run(
        _ trial: ModelTrial, on model: URL, _ entry: ModelCatalogue.Entry, _ library: URL, memory: URL
    ) async throws {
        let languages = entry.description.languages
        let configuration = SherpaConfiguration(
            library: library, model: model, locale: languages.first { $0 != "*" } ?? "en-US")
        // Under its own name it is tried once more, with what the settings say.
        let once = ModelTrial(
            program: trial.program, arguments: trial.arguments, memory: memory, limit: trial.limit)
        try await once.run(configuration, of: SherpaModel(folder: model, description: entry.description))
    }
}
