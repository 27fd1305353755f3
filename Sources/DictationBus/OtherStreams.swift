import DictationSystem
import Foundation
import Glibc
import Logging

extension Quieting {
    /// Lowers what other programs play (PulseAudio, or PipeWire in its place), and puts exactly that back.
    ///
    /// - Parameters:
    ///   - journal: a file in a folder that is there; what it names is put back.
    ///   - percent: how loud they are meanwhile, of what they were; looked at each time.
    public static func otherStreams(
        journal: URL, percent: @escaping @Sendable () -> Int, logger: Logger = Logger(label: "streams")
    ) -> Quieting {
        Quieting(
            thread: "streams", of: OtherStreams(journal: journal, percent: percent),
            complaint: "what others play is not lowered", logger: logger)
    }
}

private struct OtherStreams: Noise {
    /// A stream as it was, and how loud it was made.
    private struct Lowered: Codable {
        let stream: SoundServer.Stream
        let volume: SoundServer.Volume

        /// Another one may have got its number meanwhile; and what the user has set meanwhile stays so.
        func isStillSo(in now: SoundServer.Stream) -> Bool {
            (now.index, now.client, now.process) == (stream.index, stream.client, stream.process)
                && now.volume == volume
        }
    }

    let journal: URL
    let percent: @Sendable () -> Int

    func quieten() throws {
        guard noted().isEmpty else { return }
        let server = try SoundServer()
        // Our own sounds are as loud as the user wants them.
        let own = String(getpid())
        let share = UInt64(max(0, percent()))
        let lowered = try server.streams().filter { $0.process != own }.map { stream in
            Lowered(stream: stream, volume: stream.volume.map { UInt32(UInt64($0) * share / 100) })
        }
        guard !lowered.isEmpty else { return }
        try replaceFile(at: journal.path, with: Array(try JSONEncoder().encode(lowered)))
        // One that has just ended needs it no longer.
        for one in lowered { try? server.setVolume(one.volume, of: one.stream) }
    }

    func restore() throws {
        let lowered = noted()
        guard !lowered.isEmpty else { return }
        // Without a server they are still to be put back, the next time.
        let server = try SoundServer()
        defer { try? FileManager.default.removeItem(at: journal) }
        let streams = try server.streams()
        var gone: [Lowered] = []
        for one in lowered {
            if let now = streams.first(where: one.isStillSo) {
                try? server.setVolume(one.stream.volume, of: now)
            } else {
                gone.append(one)
            }
        }
        // The server has remembered how loud a program was when it ceased to play; its next piece would be so.
        let forgotten = gone.filter { !$0.stream.memory.isEmpty }
        guard !forgotten.isEmpty else { return }
        try? server.remember(
            forgotten.map { (memory: $0.stream.memory, old: $0.volume, new: $0.stream.volume) })
    }

    private func noted() -> [Lowered] {
        // Without a file nothing is lowered; one that cannot be read names nothing.
        (try? JSONDecoder().decode([Lowered].self, from: Data(contentsOf: journal))) ?? []
    }
}
