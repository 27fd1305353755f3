import DictationHTTP
import Foundation
import Synchronization

/// Models that come as one archive.
extension ModelStore {
    /// Fetches an archive, and installs what is in it. The model's lock is held.
    func install(
        _ archive: ModelCatalogue.Archive, of entry: ModelCatalogue.Entry, base: String, trial: ModelTrial?,
        library: URL, report: @escaping @Sendable (ModelDownloadProgress) -> Void
    ) async throws {
        let part = part(entry.name)
        let file = ModelCatalogue.File(
            path: Self.archiveName, size: archive.size, sha256: archive.sha256, address: archive.address)
        let target = part.appending(path: Self.archiveName)
        // Unpacked it takes about half as much again.
        try checkRoom(archive.size - max(0, Self.size(of: path(target))) + archive.size * 3 / 2)
        let title = "The archive of the model “\(entry.name)”"
        try await fetch(file, of: base, to: path(target), title: title, HTTPClient()) { bytes in
            report(ModelDownloadProgress(file: entry.name, done: bytes, total: archive.size))
        }
        var local = LocalModel(
            source: target, name: entry.name,
            languages: entry.description.languages.isEmpty ? nil : entry.description.languages)
        local.title = title
        let work = Work(part: part, trial: trial, library: library)
        do {
            _ = try await make(local, as: entry, work) { report($0) }
        } catch {
            // The right archive cannot be used: there is nothing to go on from.
            if error is ModelError { try? FileManager.default.removeItem(at: target) }
            throw error
        }
        try? FileManager.default.removeItem(at: target)
    }

    /// Unpacks an archive into a folder.
    ///
    /// - Throws: ``ModelError/badArchive(path:flaw:)`` and others; `CancellationError`.
    func unpack(
        _ local: LocalModel, into folder: URL, shown: String,
        report: @escaping @Sendable (ModelDownloadProgress) -> Void
    ) async throws {
        let archive = path(local.source)
        try makeFolder(folder)
        let total = max(0, Self.size(of: archive))
        do {
            try await ModelArchive(path: archive).unpack(
                into: path(folder),
                isWanted: { name in
                    !Self.leftOut.contains { name.hasSuffix($0) }
                        && !name.split(separator: "/").contains { $0.hasPrefix(".") }
                }, checkRoom: { try checkRoom($0) },
                report: { bytes in
                    report(
                        ModelDownloadProgress(
                            file: shown, done: min(bytes, total), total: total, step: .unpacking))
                })
        } catch let flaw as ArchiveFlaw {
            throw ModelError.badArchive(path: local.shownSource, flaw: flaw)
        }
    }
}
