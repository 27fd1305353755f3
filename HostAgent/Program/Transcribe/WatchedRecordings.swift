import ArgumentParser
import DictationHost
import DictationService
import DictationSystem
import Foundation
import Synchronization

/// The recordings in a folder that have no transcript yet, now and whenever one comes.
struct WatchedRecordings: Sendable {
    let folder: String
    let destination: TranscriptDestination
    let format: TranscriptFormat

    /// The formats that libsndfile, ffmpeg and sox read, by the extensions that recorders use.
    static let extensions: Set<String> = [
        "wav", "flac", "ogg", "oga", "opus", "mp3", "aif", "aiff", "au", "caf", "w64", "m4a", "m4b", "mp4",
        "mov",
        "mkv", "webm", "aac", "amr", "3gp", "wma", "wv", "avi",
    ]

    /// Refuses a path that is not a folder, or is not readable: no recordings would come there.
    static func checkFolder(_ path: String) throws {
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard isFolder.boolValue else {
            Complaint.say(isThere ? "\(path) is not a folder" : "\(path): there is no such folder")
            throw ExitStatus.failed.exitCode
        }
        guard access(path, R_OK | X_OK) == 0 else {
            Complaint.say("\(path) cannot be read: \(String(cString: strerror(errno)))")
            throw ExitStatus.failed.exitCode
        }
    }

    /// The recordings to recognize, the oldest name first; not those that were tried and have not changed since.
    func due(tried: [String: FileStamp]) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().map { URL(fileURLWithPath: folder).appending(path: $0) }
            .filter { Self.extensions.contains($0.pathExtension.lowercased()) }.map(\.path)
            .filter { path in
                guard let stamp = FileStamp(of: path), stamp.size > 0, tried[path] != stamp else {
                    return false
                }
                return !destination.hasTranscript(of: path, as: format)
            }
    }

    /// An element at once, and one after each change of the folder.
    ///
    /// - Throws: `SystemError` when the folder cannot be watched.
    func changes() throws -> AsyncStream<Void> {
        let folder = URL(fileURLWithPath: folder).path
        let watch = try PathWatch { .init(folders: [folder]) }
        let (stream, output) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        output.onTermination = { _ in watch.stop() }
        startThread(named: "watch") {
            // Ends the stream when nothing can be watched any more.
            try? watch.run { output.yield() }
            output.finish()
        }
        return stream
    }
}
