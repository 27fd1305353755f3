import DictationService
import DictationShared
import DictationSystem
import Foundation
import Glibc

/// Something that was written for the other process.
struct Published {
    let revision: Revision
    /// When the writer had done its work, in nanoseconds of ``MonotonicTime``: after a commit has returned; if
    /// there is no commit, before the last system call, the one that wakes the reader.
    let time: Int64
}

/// The writing side of a ``Mechanism``.
protocol Publisher {
    /// The steps before partial result `index`, unmeasured.
    ///
    /// - Returns: the revision that the reader will see of it; nil if nothing was written.
    mutating func prepare(_ index: Int) throws -> Revision?
    /// Writes a partial result, so that the other process may see it.
    mutating func publish(_ text: String) throws -> Published
    /// Leaves nothing that would change the next round.
    mutating func finish() throws
}

extension Publisher {
    mutating func prepare(_ index: Int) throws -> Revision? { nil }
    mutating func finish() throws {}
}

/// Commits to the store, as host-agent does: a dictation, its partial results, the next one.
struct StorePublisher: Publisher {
    let store: StateStore
    private var current: DictationState?

    init(store: StateStore) { self.store = store }

    mutating func prepare(_ index: Int) throws -> Revision? {
        guard index.isMultiple(of: SpokenText.partialCount) else { return nil }
        try finish()
        let state = try store.begin(target: nil, engine: "benchmark", locale: "en-US")
        let recording = try store.apply(.recordingStarted, to: state.id)
        current = recording
        return recording.revision
    }

    mutating func publish(_ text: String) throws -> Published {
        guard let current else { throw CommandProblem(status: .failed, message: "no dictation was begun") }
        let next = try store.apply(.partial(text), to: current.id)
        let time = MonotonicTime.now()
        self.current = next
        return Published(revision: next.revision, time: time)
    }

    mutating func finish() throws {
        guard let current else { return }
        self.current = nil
        try store.apply(.cancelled, to: current.id)
        // Between two dictations, as the agents do; otherwise the -wal file would grow without end.
        try store.checkpoint()
    }
}

/// Sends the text itself.
struct DatagramPublisher: Publisher {
    let socket: Int32
    private var revision: Revision = 0

    init(socket: Int32) { self.socket = socket }

    mutating func publish(_ text: String) throws -> Published {
        revision += 1
        let bytes = Message.bytes(revision: revision, text: text)
        let time = MonotonicTime.now()
        try retryingInterrupted("send a datagram") {
            send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        }
        return Published(revision: revision, time: time)
    }
}

/// Writes the state to a file next to the one that is read, and renames it.
struct JSONPublisher: Publisher {
    let folder: URL
    let state: DictationState
    private var revision: Revision = 0
    private let encoder = JSONEncoder()

    init(folder: URL, state: DictationState) {
        self.folder = folder
        self.state = state
    }

    mutating func publish(_ text: String) throws -> Published {
        revision += 1
        let data = try encoder.encode(Snapshot(of: state, revision: revision, partialText: text))
        let name = folder.appendingPathComponent(Snapshot.fileName).path
        let temporary = name + ".new"
        let file = try Descriptor.opening("open \(temporary)") {
            open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        }
        let written = try retryingInterrupted("write \(temporary)") {
            data.withUnsafeBytes { write(file.raw, $0.baseAddress, $0.count) }
        }
        guard written == data.count else { throw SystemError("write \(temporary)", code: ENOSPC) }
        let time = MonotonicTime.now()
        try retryingInterrupted("rename \(temporary)") { rename(temporary, name) }
        return Published(revision: revision, time: time)
    }
}
