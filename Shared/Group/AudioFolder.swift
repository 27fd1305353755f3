import Foundation

/// The recordings in the app group's folder `audio`. The name of a file says how to handle it, so that this
/// can be decided even when the store is gone.
///
/// | name | what it is |
/// | --- | --- |
/// | `<id>.wav` | the sound of a text that was not delivered yet |
/// | `<id>.delivered.wav` | the sound of a delivered text, kept for as long as ``AudioRetention`` says |
/// | `<id>.attempts` | the number of attempts to recognize what a crash left: a byte for each |
///
/// Files with other names are not ours, and are not touched.
public struct AudioFolder: Sendable {
    public let folder: URL

    public init(folder: URL) { self.folder = folder }

    private enum Kind: String, CaseIterable {
        // `<id>.delivered.wav` ends like `<id>.wav`: it must be looked for first.
        case delivered = ".delivered.wav"
        case recording = ".wav"
        case attempts = ".attempts"
        /// A recording without a header, which a crash left: there is nothing in it.
        case unfinished = ".wav.new"
    }

    private func url(_ id: DictationID, _ kind: Kind) -> URL {
        folder.appendingPathComponent("\(id)\(kind.rawValue)")
    }

    /// The sound of a text that is not delivered.
    public func recording(of id: DictationID) -> URL { url(id, .recording) }

    /// The sound that is there, whether its text is delivered or not.
    public func existingRecording(of id: DictationID) -> URL? {
        [Kind.recording, .delivered].map { url(id, $0) }
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }

    public struct Contents: Equatable, Sendable {
        public var recordings: Set<DictationID> = []
        public var delivered: Set<DictationID> = []
        /// Counters and empty files without a recording.
        public var remains: Set<DictationID> = []

        public init(
            recordings: Set<DictationID> = [], delivered: Set<DictationID> = [],
            remains: Set<DictationID> = []
        ) {
            self.recordings = recordings
            self.delivered = delivered
            self.remains = remains
        }
    }

    /// - Throws: the file system's error when the folder cannot be read.
    public func contents() throws -> Contents {
        var contents = Contents()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            guard let kind = Kind.allCases.first(where: { name.hasSuffix($0.rawValue) }),
                let id = DictationID(String(name.dropLast(kind.rawValue.count)))
            else { continue }
            switch kind {
            case .recording: contents.recordings.insert(id)
            case .delivered: contents.delivered.insert(id)
            case .attempts, .unfinished: contents.remains.insert(id)
            }
        }
        contents.remains.subtract(contents.recordings)
        return contents
    }

    /// Removes all sound of a dictation; does nothing if there is none.
    public func remove(_ id: DictationID) {
        for kind in Kind.allCases { unlink(url(id, kind).path) }
    }

    /// The text was delivered: removes the sound, or keeps it under its other name.
    public func deliver(_ id: DictationID, retention: AudioRetention, at now: Date = Date()) {
        guard retention != .never else { return remove(id) }
        keepDelivered(id)
        removeSuperfluous(retention, at: now)
    }

    /// The text was delivered: keeps the sound under its other name.
    public func keepDelivered(_ id: DictationID) {
        rename(url(id, .recording).path, url(id, .delivered).path)
        unlink(url(id, .attempts).path)
    }

    /// Removes delivered sound that need not be kept any longer.
    public func removeSuperfluous(_ retention: AudioRetention, at now: Date = Date()) {
        guard let contents = try? contents() else { return }
        for id in retention.superfluous(among: contents.delivered, at: now) { remove(id) }
    }

    // MARK: - Attempts

    /// How often it was tried to recognize a recording that a crash left.
    public func attempts(at id: DictationID) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url(id, .attempts).path)
        return attributes?[.size] as? Int ?? 0
    }

    /// Notes an attempt before it begins, so that one in which everything dies counts as well.
    public func noteAttempt(at id: DictationID) {
        let file = open(
            url(id, .attempts).path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { return }
        var mark = UInt8(ascii: "x")
        // If it cannot be noted, it is tried once more often than it should be.
        _ = write(file, &mark, 1)
        close(file)
    }

    /// The attempt came to an end, be it with or without a text.
    public func forgetAttempts(at id: DictationID) { unlink(url(id, .attempts).path) }
}
