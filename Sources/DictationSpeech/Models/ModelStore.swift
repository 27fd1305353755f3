import CLinux
import DictationHTTP
import DictationSystem
import Foundation
import Glibc
import Synchronization

/// How far a model has come.
public struct ModelDownloadProgress: Sendable, Equatable {
    public var file: String
    /// Bytes of the whole model that are there, and all of them.
    public var done: Int
    public var total: Int
    public var step = ModelInstallProgress.Step.fetching
}

/// The models that are installed: a folder for each, in ``EngineFolder/models``.
///
/// A model appears under its name only when all of its files are there and have the hashes of the catalogue. The files
/// of one that broke off stay in a hidden folder beside it, and the next try goes on from there.
public struct ModelStore: Sendable {
    public let folder: URL
    private let retries: RetryPolicy

    /// The entry of the catalogue, beside the model's files. ``verify(_:)`` compares the files with it.
    static let entryName = "catalogue-entry.json"
    /// A server that is silent for so long is asked again.
    private static let silence = Duration.seconds(20)

    /// - Parameters:
    ///   - folder: where the models are.
    ///   - retries: tries in a row that bring nothing new.
    public init(folder: URL = EngineFolder.standard().models, retries: RetryPolicy = .fetchingModel) {
        self.folder = folder
        self.retries = retries
    }

    // MARK: - Installed models

    public struct Installed: Sendable, Equatable {
        public let name: String
        /// The catalogue's entry of it, or the findings of its installation; nil for one that was put there by
        /// hand.
        public let entry: ModelCatalogue.Entry?
        /// Nil where `model.json` cannot be read.
        public let description: SherpaModel.Description?
    }

    /// In alphabetical order.
    public func installed() -> [Installed] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path(folder))) ?? []
        return names.filter(ModelCatalogue.isName).sorted().compactMap { name in
            let model = folder.appending(path: name, directoryHint: .isDirectory)
            let hasDescription = FileManager.default.fileExists(
                atPath: path(model.appending(path: SherpaModel.descriptionName)))
            guard hasDescription else { return nil }
            return Installed(
                name: name, entry: entry(in: model), description: try? SherpaModel(folder: model).description)
        }
    }

    /// - Returns: nil also for one that no catalogue could have, as in a folder that was copied from somewhere.
    func entry(in model: URL) -> ModelCatalogue.Entry? {
        let largest = ModelCatalogue.largestFile
        guard
            let data = try? Data(ofPlainFile: path(model.appending(path: Self.entryName)), upTo: largest),
            data.count <= largest,
            let entry = try? JSONDecoder().decode(ModelCatalogue.Entry.self, from: data),
            (try? ModelCatalogue.check(entry, isInstalled: true)) != nil
        else { return nil }
        return entry
    }

    /// Whether just this model is installed, and is as it was then.
    public func isInstalled(_ entry: ModelCatalogue.Entry) -> Bool {
        guard let there = installed().first(where: { $0.name == entry.name })?.entry else { return false }
        let isSame = entry.archive.map { $0.sha256 == there.archive?.sha256 } ?? (there.files == entry.files)
        return isSame && (try? verify(entry.name)) != nil
    }

    /// Looks whether each file is what the catalogue promised, or what was installed.
    ///
    /// - Throws: ``ModelError``: the first that is not.
    public func verify(_ name: String) throws(ModelError) {
        guard let installed = installed().first(where: { $0.name == name }) else {
            throw .notInstalled(name: name)
        }
        guard let entry = installed.entry else {
            throw .nothingRecorded(name: name)
        }
        let model = folder.appending(path: name)
        for file in entry.files where !Self.isUnchanged(path(model.appending(path: file.path)), file) {
            throw .damaged(name: name, file: file.path)
        }
    }

    private static func isUnchanged(_ path: String, _ file: ModelCatalogue.File) -> Bool {
        (try? check(path, file, file.path)) != nil
    }

    private static func check(
        _ path: String, _ file: ModelCatalogue.File, _ title: String
    ) throws(ModelError) {
        let found = size(of: path)
        guard found == file.size else {
            throw .wrongSize(file: title, expected: file.size, found: found)
        }
        let hash: String
        do { hash = try ContentHash.of(path) } catch {
            throw .notLoaded(file: title, reason: "\(error)")
        }
        guard hash == file.sha256.lowercased() else {
            guard file.path == archiveName else { throw .wrongHash(file: file.path) }
            throw .wrongArchive(address: file.address, expected: file.sha256.lowercased(), found: hash)
        }
    }

    /// Deletes a model, or what has come of one that broke off.
    ///
    /// - Throws: ``ModelError/notInstalled(name:)``, ``ModelError/cannotWrite(path:reason:)``.
    public func remove(_ name: String) throws(ModelError) {
        let model = folder.appending(path: name)
        let there = [model, part(name)].filter { FileManager.default.fileExists(atPath: path($0)) }
        guard ModelCatalogue.isName(name), !there.isEmpty else { throw .notInstalled(name: name) }
        let lock = try lock(name)
        defer { unlock(lock) }
        do {
            // At once as far as anybody can see, whatever becomes of the rest.
            let gone = folder.appending(path: ".\(name).removed")
            for url in there {
                try? FileManager.default.removeItem(at: gone)
                try FileManager.default.moveItem(at: url, to: gone)
                try FileManager.default.removeItem(at: gone)
            }
        } catch {
            throw .cannotWrite(path: path(model), reason: error.plainReason)
        }
    }

    // MARK: - Installing

    /// Fetches a model; its progress comes in the stream, which ends when the model is installed, and throws
    /// ``ModelError`` when it cannot be. If the caller drops the stream, the installation stops, and the
    /// partial download is kept.
    ///
    /// - Parameters:
    ///   - entry: the model.
    ///   - base: where relative addresses begin.
    ///   - trial: how a model that comes as an archive is tried; nil: not at all.
    ///   - library: sherpa-onnx, which tries it.
    public func modelDownloadProgress(
        installing entry: ModelCatalogue.Entry, base: String, trial: ModelTrial? = nil,
        library: URL = EngineFolder.standard().sherpaLibrary
    ) -> AsyncThrowingStream<ModelDownloadProgress, any Error> {
        .reporting { report in
            try await install(entry, base: base, trial: trial, library: library, report: report)
        }
    }

    private func install(
        _ entry: ModelCatalogue.Entry, base: String, trial: ModelTrial?, library: URL,
        report: @escaping @Sendable (ModelDownloadProgress) -> Void
    ) async throws {
        let part = part(entry.name)
        let lock = try lock(entry.name)
        defer { unlock(lock) }
        if let archive = entry.archive {
            try await install(archive, of: entry, base: base, trial: trial, library: library, report: report)
            return
        }
        let there = entry.files.map {
            min($0.size, max(0, Self.size(of: path(part.appending(path: $0.path)))))
        }
        try checkRoom(entry.size - there.reduce(0, +))
        let client = try HTTPClient()
        var before = 0
        for file in entry.files {
            let target = part.appending(path: file.path)
            try makeFolder(target.deletingLastPathComponent())
            let done = before
            try await fetch(file, of: base, to: path(target), client) { bytes in
                report(ModelDownloadProgress(file: file.path, done: done + bytes, total: entry.size))
            }
            before += file.size
        }
        try describe(entry, in: part)
        try place(entry, part)
    }

    /// Writes what a model is beside its files.
    func describe(_ entry: ModelCatalogue.Entry, in model: URL) throws {
        do {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            let descriptions: [(String, any Encodable)] = [
                (Self.entryName, entry), (SherpaModel.descriptionName, entry.description),
            ]
            for (name, value) in descriptions {
                try replaceFile(at: path(model.appending(path: name)), with: Array(try encoder.encode(value)))
            }
        } catch {
            throw ModelError.cannotWrite(path: path(model), reason: error.plainReason)
        }
    }

    /// All is there and right: the model gets its name.
    func place(_ entry: ModelCatalogue.Entry, _ part: URL) throws {
        let model = folder.appending(path: entry.name)
        do {
            let old = folder.appending(path: ".\(entry.name).removed")
            try? FileManager.default.removeItem(at: old)
            if FileManager.default.fileExists(atPath: path(model)) {
                try FileManager.default.moveItem(at: model, to: old)
            }
            try FileManager.default.moveItem(at: part, to: model)
            try? FileManager.default.removeItem(at: old)
        } catch {
            throw ModelError.cannotWrite(path: path(model), reason: error.plainReason)
        }
    }

    /// Fetches what is missing of a file, as often as something new comes, and looks whether it is right.
    ///
    /// - Parameter title: how messages name it; nil: as its model does.
    func fetch(
        _ file: ModelCatalogue.File, of base: String, to target: String, title: String? = nil,
        _ client: HTTPClient, report: @escaping @Sendable (Int) -> Void
    ) async throws {
        let address = try Self.address(file.address, base: base)
        let title = title ?? file.path
        // Too long: of another version.
        if Self.size(of: target) > file.size { unlink(target) }
        var before = 0
        func hasProgressed() -> Bool { Self.size(of: target) > before }
        do {
            try await retries.run(isTransient: HTTPError.isTransient, hasProgressed: hasProgressed) {
                before = Self.size(of: target)
                if before == file.size, before > 0 { return }
                try await Self.fetch(file, title, from: address, to: target, client, report: report)
                guard Self.size(of: target) >= file.size else {
                    throw HTTPError.brokenOff(
                        address: HTTPRequest(address).shownAddress, reason: "it ended too early")
                }
            }
        } catch let error as HTTPError {
            throw ModelError.notLoaded(file: title, reason: "\(error)")
        }
        report(file.size)
        do {
            try Self.check(target, file, title)
        } catch {
            // Of no use, and nothing to go on from.
            unlink(target)
            throw error
        }
    }

    private static func fetch(
        _ file: ModelCatalogue.File, _ title: String, from address: String, to target: String,
        _ client: HTTPClient, report: @escaping @Sendable (Int) -> Void
    ) async throws {
        let output = try writing(target) {
            try Descriptor.opening("open") { open(target, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644) }
        }
        let already = max(0, size(of: target))
        var request = HTTPRequest(address)
        request.limits.whole = nil
        request.limits.silence = silence
        if already > 0 { request.headers.append(("Range", "bytes=\(already)-")) }
        let position = Mutex<Int?>(nil)
        do {
            _ = try await client.download(request) { head, bytes in
                try position.withLock { position in
                    var offset = position ?? start(head, already: already)
                    if position == nil {
                        try writing(target) {
                            _ = try retryingInterrupted("cut") { ftruncate(output.raw, off_t(offset)) }
                        }
                    }
                    // A server that sends more than the catalogue says does not fill the disk.
                    guard offset + bytes.count <= file.size else {
                        throw ModelError.wrongSize(
                            file: title, expected: file.size, found: offset + bytes.count)
                    }
                    try writing(target) { try output.writeAll(bytes, at: offset) }
                    offset += bytes.count
                    position = offset
                    report(offset)
                }
            }
        } catch HTTPError.refused(let address, 416, let reason) {
            // The server's file is smaller than the part that is here: this part is not the beginning of it.
            unlink(target)
            throw HTTPError.brokenOff(address: address, reason: reason)
        } catch let error as ModelError {
            if case .wrongSize = error { unlink(target) }
            throw error
        }
    }

    /// Where the bytes of an answer belong: behind what is there only if the server says so itself.
    private static func start(_ head: HTTPHead, already: Int) -> Int {
        guard head.status == 206, let range = head.headers["content-range"],
            range.lowercased().hasPrefix("bytes \(already)-")
        else { return 0 }
        return already
    }

    static func writing<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch { throw ModelError.cannotWrite(path: path, reason: error.plainReason) }
    }

    private static func address(_ address: String, base: String) throws(ModelError) -> String {
        if address.hasPrefix("http://") || address.hasPrefix("https://") { return address }
        let start = base.hasSuffix("/") ? base : base + "/"
        guard start.hasPrefix("http://") || start.hasPrefix("https://"), !address.contains("..") else {
            throw .badCatalogue(reason: "“\(address)” is not an address; set [models] address")
        }
        return start + address
    }

    // MARK: - The disk

    /// Where a model is until all of it has come.
    func part(_ name: String) -> URL {
        folder.appending(path: ".\(name).part", directoryHint: .isDirectory)
    }

    func path(_ url: URL) -> String { url.path(percentEncoded: false) }

    static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : -1
    }

    func makeFolder(_ url: URL) throws(ModelError) {
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            throw .cannotWrite(path: path(url), reason: error.plainReason)
        }
    }

    func checkRoom(_ needed: Int) throws(ModelError) {
        var status = statvfs()
        guard statvfs(path(folder), &status) == 0 else { return }
        let (product, isTooMuch) = UInt64(status.f_bavail).multipliedReportingOverflow(
            by: UInt64(status.f_frsize))
        let free = isTooMuch ? Int.max : Int(clamping: product)
        // A tenth of a gigabyte is left for dictations.
        guard needed <= free - 100_000_000 else {
            throw .noRoom(needed: needed, free: free, folder: path(folder))
        }
    }
}

extension RetryPolicy {
    /// For downloads, which nobody waits for with a hand on a key: after 0.5, 1, 2, 4 and 8 s.
    public static let fetchingModel = RetryPolicy(
        retries: 5, firstDelay: .milliseconds(500), longestDelay: .seconds(10))
}
