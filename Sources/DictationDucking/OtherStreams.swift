import DictationSystem
import Foundation
import Glibc
import Logging

extension Ducking {
    /// Lowers what other programs play (PulseAudio, or PipeWire), including streams that start
    /// later, and restores exactly that.
    ///
    /// - Parameters:
    ///   - journal: a file in an existing folder. The streams that it names are put back.
    ///   - percent: the volume during this time, in percent of the old one; read each time.
    public static func otherStreams(
        journal: URL, percent: @escaping @Sendable () -> Int, logger: Logger = Logger(label: "streams")
    ) -> Ducking {
        Ducking(
            thread: "streams", of: { OtherStreams(journal: journal, percent: percent) },
            complaint: "the volume of other programs is not lowered", logger: logger)
    }
}

private final class OtherStreams: Noise {
    /// The original state of a stream, and its lowered volume.
    private struct Lowered: Codable {
        let stream: SoundServer.Stream
        let volume: SoundServer.Volume

        /// Another one may have its number by now.
        func isOf(_ now: SoundServer.Stream) -> Bool {
            (now.index, now.client, now.process) == (stream.index, stream.client, stream.process)
        }

        /// The server gives a program's next stream the volume of its last one, the lowered one.
        func isInherited(by now: SoundServer.Stream) -> Bool {
            !now.memory.isEmpty && (now.memory, now.volume) == (stream.memory, volume)
        }
    }

    private let journal: NoteFile<[Lowered]>
    private let percent: @Sendable () -> Int
    /// While the volume is lowered: reports new streams.
    private var server: SoundServer?

    init(journal: URL, percent: @escaping @Sendable () -> Int) {
        (self.journal, self.percent) = (NoteFile(path: journal.path), percent)
    }

    func duck() throws {
        // Of one that does not answer, nothing more is expected.
        let server = try self.server ?? SoundServer()
        self.server = nil
        try server.followStreams()
        let noted = noted()
        // Our own sounds are as loud as the user wants them.
        let own = String(getpid())
        let share = UInt64(max(0, percent()))
        let new = try server.streams()
            // PipeWire reports a stream before it has its volume: 0 until then, and nothing that could be lowered.
            .filter { now in
                now.process != own && now.volume.contains { $0 > 0 } && !noted.contains { $0.isOf(now) }
            }
            .map { now in
                if let last = noted.first(where: { $0.isInherited(by: now) }) {
                    return Lowered(stream: now.with(last.stream.volume), volume: now.volume)
                }
                return Lowered(stream: now, volume: now.volume.map { UInt32(UInt64($0) * share / 100) })
            }
        self.server = server
        guard !new.isEmpty else { return }
        try journal.write(noted + new)
        // One that has just ended needs it no longer.
        for one in new { try? server.setVolume(one.volume, of: one.stream) }
    }

    func wait(for wakeUp: WakeUp) throws {
        // A server that has gone reports nothing more.
        if let server, (try? server.waitForChange(or: wakeUp.raw)) == nil { self.server = nil }
        if server == nil { _ = try waitUntilReadable([wakeUp.raw]) }
    }

    func restore() throws {
        let lowered = noted()
        // When idle there is no connection, and nothing that could wake us.
        defer { server = nil }
        guard !lowered.isEmpty else { return }
        // Without a server that answers, they are restored the next time.
        let server = try self.server ?? SoundServer()
        let streams = try server.streams()
        var gone: [Lowered] = []
        var hasFailed = false
        for one in lowered {
            // A volume that the user has set since stays.
            if let now = streams.first(where: { one.isOf($0) && $0.volume == one.volume }) {
                do { try server.setVolume(one.stream.volume, of: now) } catch {
                    hasFailed = true
                    gone.append(one)
                }
            } else {
                gone.append(one)
            }
        }
        // The stream has just ended, unless the server does not answer any more.
        if hasFailed { _ = try server.streams() }
        defer { journal.clear() }
        // The server has remembered how loud a program was when it ceased to play; its next piece would be so.
        let forgotten = gone.filter { !$0.stream.memory.isEmpty }
        guard !forgotten.isEmpty else { return }
        try? server.remember(
            forgotten.map { (memory: $0.stream.memory, old: $0.volume, new: $0.stream.volume) })
    }

    private func noted() -> [Lowered] {
        // Without a file nothing is lowered; one that cannot be read names nothing.
        journal.content ?? []
    }
}
