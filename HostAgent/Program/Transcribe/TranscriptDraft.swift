import DictationSpeech
import DictationSystem
import Foundation
import Glibc
import Synchronization

/// The results for a recording so far, in a file next to its future transcript: after a run was killed, the
/// next one continues from there. The file has a line for each result, below one that names the recording and
/// the recognizer.
///
/// It is valid for the same recording, recognized by the same means; otherwise it starts over. One run has it
/// at a time.
final class TranscriptDraft: Sendable {
    /// The results of an earlier run.
    let earlier: [TranscriptionResult]
    /// Seconds that this took.
    let earlierSeconds: Double

    private let path: String
    private let file: Descriptor
    private struct State {
        /// Where the next line goes; nil if nothing can be written any more.
        var end: Int?
        /// It has a result, or is gone.
        var isOfUse: Bool
    }
    private let state: Mutex<State>

    private struct Head: Codable, Equatable {
        let size: Int64
        let modified: Int64
        let recognizer: String
    }

    private struct Line: Codable {
        let result: TranscriptionResult
        /// Of decoding, from the first line on.
        let seconds: Double
    }

    static func path(beside transcript: String) -> String { transcript + ".part" }

    /// Opens the draft of a transcript, or begins it.
    ///
    /// - Returns: nil if another run has it, or it cannot be written: the recording is recognized without a
    ///   draft.
    init?(beside transcript: String, of recording: FileStamp, by recognizer: String) {
        let path = Self.path(beside: transcript)
        guard
            let file = try? Descriptor.opening(
                "open \(path)", { open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }),
            file.tryLock()
        else { return nil }
        let head = Head(size: recording.size, modified: recording.modified, recognizer: recognizer)
        guard let first = try? Self.line(head) else { return nil }
        let (lines, ends) = Self.read(file, below: head)
        (self.path, self.file) = (path, file)
        earlier = lines.map(\.result)
        // The last result is made again.
        earlierSeconds = lines.dropLast().last?.seconds ?? 0
        let kept = ends.dropLast().last
        state = Mutex(State(end: kept ?? first.count, isOfUse: kept != nil))
        do {
            try retryingInterrupted("cut \(path)") { ftruncate(file.raw, off_t(kept ?? 0)) }
            if kept == nil { try file.writeAll(first, at: 0) }
        } catch {
            if kept == nil { unlink(path) }
            return nil
        }
    }

    /// The place where it continues, for people: "0:12:34"; nil if it begins at the start.
    var place: String? {
        earlier.dropLast().last.map { ClockText.place(Int($0.range.upperBound)) }
    }

    /// - Returns: the lines that are whole, and where each ends; none if they belong to another recording.
    private static func read(_ file: Descriptor, below head: Head) -> (lines: [Line], ends: [Int]) {
        let handle = FileHandle(fileDescriptor: file.raw, closeOnDealloc: false)
        guard let data = try? handle.readToEnd() else { return ([], []) }
        let decoder = JSONDecoder()
        var (lines, ends, start, isFirst): ([Line], [Int], Int, Bool) = ([], [], 0, true)
        while let newline = data[start...].firstIndex(of: UInt8(ascii: "\n")) {
            let text = data[start..<newline]
            if isFirst {
                guard (try? decoder.decode(Head.self, from: text)) == head else { return ([], []) }
            } else {
                // A power failure tore this line; it does not count, nor does any line after it.
                guard let line = try? decoder.decode(Line.self, from: text) else { break }
                lines.append(line)
                ends.append(newline + 1)
            }
            (start, isFirst) = (newline + 1, false)
        }
        return (lines, ends)
    }

    private static func line(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value)) + [UInt8(ascii: "\n")]
    }

    /// Keeps a result. On a full disk no more are kept: the transcript itself matters, and reports the error.
    ///
    /// - Parameter seconds: of decoding in this run.
    func add(_ result: TranscriptionResult, after seconds: Double) {
        state.withLock { state in
            guard let end = state.end else { return }
            do {
                let line = try Self.line(Line(result: result, seconds: earlierSeconds + seconds))
                try file.writeAll(line, at: end)
                state.end = end + line.count
                state.isOfUse = true
            } catch {
                state.end = nil
            }
        }
    }

    /// It is not needed any more.
    func remove() {
        unlink(path)
        // Another run may begin one.
        state.withLock { $0.isOfUse = true }
    }

    /// Leaves no file next to a recording without results.
    func removeIfEmpty() {
        if state.withLock({ !$0.isOfUse }) { remove() }
    }

    /// Removes what a run has left that was killed right after its transcript was written.
    static func removeLeft(beside transcript: String) {
        let path = path(beside: transcript)
        guard
            let file = try? Descriptor.opening(
                "open \(path)", { open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW) }),
            file.tryLock()
        else { return }
        unlink(path)
    }
}
