import Desktop
import DictationSystem
import Foundation

/// Appends texts to a file or a terminal.
///
/// How far it got is exact in a file, also after a SIGKILL, as long as nothing else writes to it. A device
/// has no length: there a killed process may have written up to ``batch`` characters more than are known.
public actor FileTypist: TextTyping, TextUndo {
    private let executor = ThreadExecutor(name: "file")
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    public nonisolated let unfinished: [TypingRecord]
    public nonisolated let unread: Set<String> = []
    public nonisolated let readings = AsyncStream<Void> { $0.finish() }

    private let target: FileTarget
    private let journal: FileJournal
    /// As many characters as can be undone one after another.
    private static let longestUndo = 100_000
    /// The text that can be undone.
    private var last: (identity: FileTarget.Identity, end: Int, text: String)?

    /// How many characters are written at a time; after each batch it checks whether to continue.
    private static let batch = 32
    /// How long a terminal may take to have room for a batch.
    private static let limit: Int32 = 5_000

    /// - Parameter journal: a file of this process's own.
    /// - Throws: ``FileTargetError``
    init(target: FileTarget, journal: FileJournal) throws {
        self.target = target
        self.journal = journal
        _ = try target.open()
        unfinished = try journal.unfinished().map { [$0] } ?? []
    }

    public func takeLateReadings() -> [TypingRecord] { [] }

    public func forgetUnfinished() { journal.clear() }

    public func getReady() {}

    public func survey(_ text: String, options: TypingOptions, window: WindowInfo) -> TypingSurvey {
        TypingSurvey(characterCount: text.count)
    }

    /// - Parameter pace: is not needed: a file loses nothing.
    public func type(
        _ text: String, into expected: WindowInfo?, options: TypingOptions, pace: Duration,
        record: TypingRecord?, progress: @Sendable (TypingProgress) throws -> Void
    ) throws -> TypingOutcome {
        let file = try target.open()
        let characters = text.map { options.written($0) }
        if file.hasLength, let record {
            let note = FileJournal.Note(
                text: record.text, scalars: record.scalars, file: target.path, identity: file.identity,
                start: try file.length, size: characters.reduce(0) { $0 + $1.utf8.count })
            do { try journal.write(note) } catch is FileJournal.DiskFull {
                return .stopped(0, reason: .diskFull)
            }
        }
        // The store has the written text before the note of it goes.
        defer { journal.clear() }
        // A text right after the last one is undone together with it.
        let previous = last.flatMap { last in
            file.hasLength && last.identity == file.identity && (try? file.length) == last.end
                ? last.text : nil
        }
        last = nil
        var done = 0
        while done < characters.count {
            let batch = characters[done..<min(done + Self.batch, characters.count)]
            let (written, failure) = write(batch, to: file)
            done += written
            try progress(
                TypingProgress(sent: done, read: done, route: InsertionRoute(.file, isConfirmed: true)))
            if let failure { throw failure }
            if written < batch.count { return .stopped(done, reason: .notResponding) }
        }
        if file.hasLength {
            let text = (previous ?? "") + characters.joined()
            last = (file.identity, try file.length, String(text.suffix(Self.longestUndo)))
        }
        return .typed(done)
    }

    /// - Returns: how many characters were written completely; fewer than there are if a terminal has no room for
    ///   more in time, or something failed. A file has no part of the next one.
    private func write(
        _ characters: ArraySlice<String>, to file: FileTarget.Open
    ) -> (count: Int, failure: FileTargetError?) {
        let bytes = Array(characters.joined().utf8)
        var done = 0
        var failure: FileTargetError?
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes {
                Glibc.write(file.descriptor.raw, $0.baseAddress, $0.count)
            }
            if count >= 0 {
                done += count
            } else if errno == EAGAIN {
                var entry = pollfd(fd: file.descriptor.raw, events: Int16(POLLOUT), revents: 0)
                if poll(&entry, 1, Self.limit) == 0 { break }
            } else if errno != EINTR {
                failure = .notWritable(path: target.path, reason: String(cString: strerror(errno)))
                break
            }
        }
        var whole = (count: 0, bytes: 0)
        for character in characters where whole.bytes + character.utf8.count <= done {
            whole = (whole.count + 1, whole.bytes + character.utf8.count)
        }
        if done > whole.bytes, file.hasLength, let length = try? file.length {
            try? file.cut(to: length - (done - whole.bytes))
        }
        return (whole.count, failure)
    }

    /// Shortens the file, unless it was changed since.
    public func undo(
        _ text: String, in window: WindowInfo, record: TypingRecord? = nil,
        removing: @Sendable (Int) -> Void = { _ in }
    ) throws -> TypingOutcome {
        let file = try target.open()
        guard let last, file.hasLength, last.identity == file.identity, try file.length == last.end else {
            return .stopped(0, reason: .windowClosed)
        }
        // By scalars: its first character may combine with what is before it.
        let kept = last.text.unicodeScalars.dropLast(text.unicodeScalars.count)
        let size = last.text.utf8.count - String(kept).utf8.count
        let end = last.end - size
        if let record {
            let note = FileJournal.Note(
                text: record.text, scalars: 0, file: target.path, identity: file.identity, start: end,
                size: size, removed: text.count)
            do { try journal.write(note) } catch is FileJournal.DiskFull {
                return .stopped(0, reason: .diskFull)
            }
        }
        defer { journal.clear() }
        try file.cut(to: end)
        removing(text.count)
        self.last = (last.identity, end, String(kept))
        return .typed(text.count)
    }
}

extension TypingOptions {
    /// A character as it is written: as many Unicode scalars as it has, so that the file's length tells how far a text got.
    func written(_ character: Character) -> String {
        var written = ""
        for scalar in character.unicodeScalars {
            switch scalar {
            case "\n", "\u{2028}", "\u{2029}": written.append(newline == .space ? " " : "\n")
            case "\t" where tab == .key: written.append("\t")
            case _ where scalar.properties.generalCategory == .control: written.append(" ")
            default: written.unicodeScalars.append(scalar)
            }
        }
        return written
    }
}
