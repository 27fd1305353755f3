import DictationService
import DictationShared
import DictationSystem
import Foundation
import Glibc

/// The other process: this program again, as ``ReaderCommand``. It ends when its socket is closed, hence also when
/// this process is killed.
final class ReaderProcess {
    private let process = Process()
    private let ours: Descriptor
    private let interruption: Interruption

    /// A commit that nobody has seen for so long, in milliseconds, is missed; thousands of times what is usual.
    private static let patience: Int32 = 1_000
    /// For the reader's start and its end, in milliseconds; generous, on machines that are busy.
    private static let startPatience: Int32 = 30_000

    /// Starts a reader and waits until it is ready.
    init(_ mechanism: Mechanism, folder: URL, interruption: Interruption) throws {
        self.interruption = interruption
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        try retryingInterrupted("make a pair of sockets") { socketpair(AF_UNIX, kind, 0, &ends) }
        ours = Descriptor(owning: ends[0])
        let theirs = Descriptor(owning: ends[1])
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [ReaderCommand.name, mechanism.rawValue, folder.path]
        process.standardInput = FileHandle(fileDescriptor: theirs.raw, closeOnDealloc: false)
        try process.run()
        do {
            guard try receive(timeout: Self.startPatience) == .hello else {
                throw Problem(status: .failed, message: "The reading process did not get ready.")
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
        while let seen = try receive(timeout: Self.patience) {
            if seen.revision == revision { return seen.time }
            if seen.revision > revision { return nil }
        }
        return nil
    }

    /// Lets the reader end, and waits for that.
    func end() {
        shutdown(ours.raw, Int32(SHUT_RDWR))
        let pid = process.processIdentifier
        if let ended = try? ProcessEnd(of: pid),
            (try? waitUntilReadable([ended.raw], timeout: Self.startPatience))?.isEmpty ?? true
        {
            kill(pid, SIGKILL)
        }
        process.waitUntilExit()
    }

    private func receive(timeout: Int32) throws -> Message.Seen? {
        guard try !interruption.wait(for: [ours.raw], timeout: timeout).isEmpty else { return nil }
        guard let seen = try Message.Seen.receive(from: ours.raw) else {
            throw Problem(status: .failed, message: "The reading process ended before its time.")
        }
        return seen
    }
}
