import DictationSystem
import Foundation

/// Where transcripts go.
enum TranscriptDestination: Equatable, Sendable {
    /// To stdout, in the order of the files.
    case standardOutput
    case folder(String)
    /// Next to each recording.
    case beside

    /// - Returns: nil for stdout.
    func transcript(of file: String, as format: TranscriptFormat) -> String? {
        let recording = URL(fileURLWithPath: file)
        let name = recording.deletingPathExtension().lastPathComponent + "." + format.fileExtension
        switch self {
        case .standardOutput: return nil
        case .folder(let folder): return URL(fileURLWithPath: folder).appending(path: name).path
        case .beside: return recording.deletingLastPathComponent().appending(path: name).path
        }
    }

    /// Whether there is a transcript that is no older than the recording.
    func hasTranscript(of file: String, as format: TranscriptFormat) -> Bool {
        guard let path = transcript(of: file, as: format), let transcript = FileStamp(of: path) else {
            return false
        }
        return transcript.modified >= FileStamp(of: file)?.modified ?? .max
    }

    /// Two files whose transcripts would have the same name; nil if there are none.
    func collision(of files: [String], as format: TranscriptFormat) -> (String, String)? {
        var seen: [String: String] = [:]
        for file in files {
            guard let path = transcript(of: file, as: format) else { return nil }
            if let other = seen.updateValue(file, forKey: path) { return (other, file) }
        }
        return nil
    }
}
