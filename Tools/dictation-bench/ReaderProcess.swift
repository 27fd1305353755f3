import DictationService
import DictationShared
import DictationSystem
import Foundation
import Glibc

/// The other process: this program again, as ``ReaderCommand``. It ends when its socket is closed, hence also when
/// this process is killed.
final class ReaderProcess {
    private let process: StartedProcess
    private let ours: Descriptor
    private let interruption: Interruption

    /// A commit that the reader has not seen for this long is missed; thousands of times the usual time.
    private static let patience: Duration = .seconds(1)
    /// For the reader's start and its end; generous, on machines that are busy.
    private static let startPatience: Duration = .seconds(30)

    /// Starts a reader and waits until it is ready.
    init(_ mechanism: Mechanism, folder: URL, interruption: Interruption) throws {
        self.interruption = interruption
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        try retryingInterrupted("make a pair of sockets") { socketpair(AF_UNIX, kind, 0, &ends) }
        ours = Descriptor(owning: ends[0])
        process = try StartedProcess(
            ChildProcess.thisProgram.path, [ReaderCommand.name, mechanism.rawValue, folder.path],
            input: .descriptor(Descriptor(owning: ends[1])), output: .inherited)
        do {
            guard try receive(within: Self.startPatience) == .hello else {
                throw CommandProblem(status: .failed, message: "The reading process did not get ready.")
            }
        } catch {
            end()
            throw error
        }
    }

    /// Where to send datagrams for it.
    var socket: Int32 { ours.raw }

    /// Waits until the reader has seen a revision, or a later one.
    ///
    /// - Returns: when it saw this one, in nanoseconds of ``MonotonicTime``; nil if it never did.
    func seen(_ revision: Revision) throws -> Int64? {
        while let seen = try receive(within: Self.patience) {
            if seen.revision == revision { return seen.time }
            if seen.revision > revision { return nil }
        }
        return nil
    }

    /// Lets the reader end, and waits for that.
    func end() {
        shutdown(ours.raw, Int32(SHUT_RDWR))
        if !process.waitUntilEnded(until: .now + Self.startPatience) { process.signal(SIGKILL) }
        process.reap()
    }

    private func receive(within limit: Duration) throws -> Message.Seen? {
        guard try !interruption.wait(for: [ours.raw], until: .now + limit).isEmpty else { return nil }
        guard let seen = try Message.Seen.receive(from: ours.raw) else {
            throw CommandProblem(status: .failed, message: "The reading process ended before its time.")
        }
        return seen
    }
}
