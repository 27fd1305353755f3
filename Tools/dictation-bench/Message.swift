import DictationShared
import DictationSystem
import Glibc

/// A message between the two processes, over a socket that keeps the borders of messages.
enum Message {
    /// From the reader: it has decoded this revision, at this time.
    struct Seen: Equatable {
        let revision: Revision
        /// ``MonotonicTime``, in nanoseconds.
        let time: Int64

        /// A reader's first message, when it is ready.
        static let hello = Seen(revision: 0, time: 0)

        func send(over socket: Int32) throws {
            var words = [revision, time]
            let size = words.count * MemoryLayout<Int64>.size
            try retryingInterrupted("answer the writer") {
                Glibc.send(socket, &words, size, Int32(MSG_NOSIGNAL))
            }
        }

        /// - Returns: nil when the other side has closed the socket.
        static func receive(from socket: Int32) throws -> Seen? {
            var words: [Int64] = [0, 0]
            let size = words.count * MemoryLayout<Int64>.size
            let count = try retryingInterrupted("hear the reader") { recv(socket, &words, size, 0) }
            return count == size ? Seen(revision: words[0], time: words[1]) : nil
        }
    }

    /// From the writer, for ``Mechanism/floor``: the revision, then the text.
    static func bytes(revision: Revision, text: String) -> [UInt8] {
        withUnsafeBytes(of: revision.littleEndian, Array.init) + Array(text.utf8)
    }

    /// - Returns: nil if the bytes are not ours.
    static func decode(_ bytes: some RandomAccessCollection<UInt8>) -> (revision: Revision, text: String)? {
        let size = MemoryLayout<Revision>.size
        guard bytes.count >= size else { return nil }
        let revision = bytes.prefix(size).reversed().reduce(Revision(0)) { $0 << 8 | Revision($1) }
        return (revision, String(decoding: bytes.dropFirst(size), as: UTF8.self))
    }
}
