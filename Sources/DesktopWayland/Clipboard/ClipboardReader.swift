import DictationSystem
import Foundation
import Glibc

/// Fetches what another client has on a clipboard, every format of it.
struct ClipboardReader {
    /// The owner did not answer, or it would be too much.
    struct Unreadable: Error {}

    /// More is not saved: the user would wait for it to be fetched.
    static let sizeLimit = 64 << 20
    /// For all formats together.
    static let timeLimit: Duration = .seconds(2)
    private static let pieceSize = 64 << 10

    let connection: WaylandConnection
    var sizeLimit = Self.sizeLimit
    /// Gets a pipe that is no longer waited for, to read it to its end: some programs exit if their output is
    /// not read, and what they have on the clipboard is gone with them.
    let abandon: (Descriptor) -> Void

    /// One format that is being written.
    private struct Incoming {
        let type: String
        let pipe: Descriptor
        var data = Data()
        var isWhole = false
    }

    /// - Throws: ``Unreadable`` if it cannot be read completely; ``WaylandError``, ``SystemError``
    func read(_ offer: DataControl.Offer) throws -> ClipboardContent { try read(offer, offer.types) }

    /// Some formats of it.
    ///
    /// - Throws: see ``read(_:)``
    func read(_ offer: DataControl.Offer, _ types: [String]) throws -> ClipboardContent {
        let deadline = ContinuousClock.now + Self.timeLimit
        var known: Set<String> = []
        // All at once: some owners are slow, and write several at a time.
        var incoming = try types.filter { known.insert($0).inserted }.map { type in
            Incoming(type: type, pipe: try ask(offer, for: type))
        }
        // Sends the questions.
        try connection.handleEvents()
        var size = 0
        defer { for rest in incoming where !rest.isWhole { abandon(rest.pipe) } }
        while case let waiting = incoming.indices.filter({ !incoming[$0].isWhole }), !waiting.isEmpty {
            guard .now < deadline else { throw Unreadable() }
            let ready = try waitUntilReadable(waiting.map { incoming[$0].pipe.raw }, until: deadline)
            for index in waiting where ready.contains(incoming[index].pipe.raw) {
                let piece = try Self.piece(from: incoming[index].pipe)
                incoming[index].isWhole = piece.isEmpty
                incoming[index].data += piece
                size += piece.count
                guard size <= sizeLimit else { throw Unreadable() }
            }
        }
        var content = ClipboardContent()
        content.formats = incoming.map { ClipboardContent.Format(type: $0.type, data: $0.data) }
        return content
    }

    /// - Returns: where it comes.
    private func ask(_ offer: DataControl.Offer, for type: String) throws -> Descriptor {
        let (reading, writing) = try Descriptor.pipe()
        // libwayland keeps a copy until it is sent.
        offer.receive(type, into: writing.raw)
        return reading
    }

    /// Reads some of the unneeded data.
    static func isAtEnd(_ pipe: Descriptor) -> Bool { (try? piece(from: pipe))?.isEmpty ?? true }

    private static func piece(from pipe: Descriptor) throws -> Data {
        var buffer = [UInt8](repeating: 0, count: pieceSize)
        let count = try retryingInterrupted("read the clipboard") {
            Glibc.read(pipe.raw, &buffer, buffer.count)
        }
        return Data(buffer.prefix(count))
    }
}
